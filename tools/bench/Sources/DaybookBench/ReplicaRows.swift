import Daybook
import DaybookLog
import Foundation

/// Shipping, pulling and exchanging a log, beside the appends of the same batches.
struct ReplicaRows {
    let logs: Logs
    /// Events of the log, 1,000 a commit, with three tags.
    let events: Int
    let commands: Commands
    private let repeats = 3

    func measure() throws -> [Row] {
        try commands.check()
        let commits = events / 1_000
        let path = try logs.fresh { try fill($0, commits, into: "replicated") }
        let folder = "\(logs.folder)/segments"
        let file = "\(logs.folder)/events.jsonl"
        defer {
            for name in [path, path + "-lock", folder, file] {
                try? FileManager.default.removeItem(atPath: name)
            }
        }
        let appending = try Measure.alone(repeats) {
            try logs.fresh { try seconds(ofAppending: commits, to: $0) }
        }
        let append = Row(
            name: "replicas", work: "append, batches of 1,000 with 3 tags, with the index",
            unit: "events/s", base: nil, own: .init(perSecondOf: events, appending), reach: "–",
            ratio: nil)
        let ship = try row("ship", "–") {
            try? FileManager.default.removeItem(atPath: folder)
            return try commands.run(["ship", folder, "--log", path])
        }
        var pull = try row("pull into a new replica", "≥ 1") {
            try logs.fresh { try commands.run(["pull", folder, "--log", $0]) }
        }
        pull.ratio = pull.own.median / append.own.median
        let export = try row("export as CloudEvents", "–") {
            try commands.run(
                ["export", "--format", "cloudevents", "--force", "--output", file, "--log", path])
        }
        let copy = try row("import of these into a copy", "–") {
            try logs.fresh {
                try commands.run(["import", "--format", "cloudevents", file, "--log", $0])
            }
        }
        return [append, ship, pull, export, copy]
    }

    private func row(
        _ work: String, _ reach: String, _ run: () throws -> Commands.Run
    ) throws -> Row {
        try commands.throughput("replicas", work, reach, of: events, repeats: repeats, run)
    }

    private func requests(_ commit: Int) -> AppendRequest {
        AppendRequest((1...1_000).map { Logs.event(UInt64(commit) * 1_000 + $0) })
    }

    /// Fills a log, gives it a name of its own, and returns its path.
    private func fill(_ path: String, _ commits: Int, into name: String) throws -> String {
        do {
            let log = try EventLog(path: path, access: .create)
            for commit in 0..<commits { _ = try log.append(requests(commit)) }
            try log.reindex()
        }
        let target = "\(logs.folder)/\(name).daybook"
        try FileManager.default.moveItem(atPath: path, toPath: target)
        return target
    }

    private func seconds(ofAppending commits: Int, to path: String) throws -> Double {
        let log = try EventLog(path: path, access: .create)
        let requests = (0..<commits).map(requests)
        return try Measure.seconds {
            for request in requests { _ = try log.append(request) }
            try log.reindex()
        }
    }
}
