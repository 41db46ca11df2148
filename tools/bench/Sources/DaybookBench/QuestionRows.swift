import Daybook
import DaybookLog
import Foundation

/// Questions about the past, asked of a log of devices whose tokens expire all the time.
struct QuestionRows {
    let logs: Logs
    let events: Int
    let commands: Commands
    let devices: Int
    private static let began: Int64 = 1_767_225_600_000_000  // 2026-01-01

    func measure() throws -> [Row] {
        try commands.check()
        let path = try sessions()
        var generator = Mixer(state: 1)
        let log = ["--log", path]
        _ = try commands.run(["snapshot"] + log)
        let device = { "device-\(generator.next() % UInt64(devices))" }
        let position = { "\(generator.next() % UInt64(events) + 1)" }
        return try [
            try commands.timed("questions", "state of one device at a random position", "≤ 10 ms") {
                try commands.run(["state", "session", device(), "--at", position()] + log)
            },
            try commands.timed("questions", "bisect --monotone of one device", "< 50 ms") {
                try commands.run(
                    [
                        "bisect", "session", device(), "--monotone", "--until",
                        "refreshesSucceeded >= \(events / devices / 7)",
                    ] + log)
            },
            try commands.timed("questions", "blame of one device", "≤ 10 ms") {
                try commands.run(["blame", "session", device()] + log)
            },
            try commands.timed("questions", "what if one early event had not been", "–") {
                try commands.run(["what-if", "session", "--skip", "\(devices * 5)"] + log)
            },
            try commands.timed(
                "questions", "bisect --monotone among all \(devices) devices", "–", repeats: 5
            ) {
                try commands.run(
                    [
                        "bisect", "session", "--monotone", "--until",
                        "refreshesSucceeded >= \(events / devices / 5)",
                    ] + log)
            },
            try commands.timed("questions", "the same by walking", "–", repeats: 1) {
                try commands.run(
                    [
                        "bisect", "session", "--until",
                        "refreshesSucceeded >= \(events / devices / 5)",
                    ] + log)
            },
            try throughput("trace of one projection", "≥ 1 M", 3) {
                try commands.run(["trace", "session"] + log)
            },
        ] + compared(log)
    }

    /// The same trace in two files, since a difference ends the work for its entity; then with
    /// another log's id in one of them, so that the lines are matched by their entities.
    private func compared(_ log: [String]) throws -> [Row] {
        let files = ["a", "b"].map { "\(logs.folder)/\($0).trace" }
        defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
        for file in files { _ = try commands.run(["trace", "session"] + log, into: file) }
        let row = { (work: String, reach: String) in
            try throughput(work, reach, 3) { try commands.run(["compare"] + files) }
        }
        let ofOneLog = try row("compare of two such traces", "≥ 2 M")
        try Self.renameLog(in: files[1])
        return [ofOneLog, try row("the same as traces of two logs", "≥ 1 M")]
    }

    /// Replaces the id of the log in the first line of a trace.
    private static func renameLog(in file: String) throws {
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        defer { try? handle.close() }
        let head = String(decoding: try handle.read(upToCount: 4_096) ?? Data(), as: UTF8.self)
        guard let key = head.range(of: #""log":""#) else {
            throw Failed(description: "the trace names no log")
        }
        try handle.seek(toOffset: UInt64(head[..<key.upperBound].utf8.count))
        try handle.write(contentsOf: Data(String(repeating: "0", count: 64).utf8))
    }

    private func throughput(
        _ work: String, _ reach: String, _ repeats: Int, _ run: () throws -> Commands.Run
    ) throws -> Row {
        try commands.throughput("questions", work, reach, of: events, repeats: repeats, run)
    }

    /// Each device signs in; then a request meets a 419, a refresh begins and ends, and the
    /// request is sent again, over and over.
    private func sessions() throws -> String {
        let path = "\(logs.folder)/sessions-\(events)-\(devices).daybook"
        if FileManager.default.fileExists(atPath: path) { return path }
        let log = try EventLog(path: path, access: .create)
        for first in stride(from: 0, to: events, by: 10_000) {
            _ = try log.append(
                AppendRequest(try (first..<min(events, first + 10_000)).map(event)))
        }
        try log.reindex()
        return path
    }

    private func event(_ number: Int) throws -> NewEvent {
        let (device, turn) = ("device-\(number % devices)", number / devices)
        let (family, round) = ("family-\(number % devices)", Int64(turn / 4))
        let id = "\(number % devices)-\(round)"
        let us = Self.began + Int64(number) * 1_000
        let token = Tree.Content.text("\(Digest(bits: UInt64(number)))")
        let (kind, fields): (EventKind, KeyValuePairs<String, Tree.Content>) =
            switch turn == 0 ? 4 : turn % 4 {
            case 4:
                (
                    "session.signed-in.v1",
                    [
                        "userId": .text("user-\(number)"), "provider": .text("local"),
                        "family": .text(family), "generation": .integer(0),
                        "accessHash": token, "refreshHash": token, "expiresInS": .integer(1),
                        "accessExpiresUs": .integer(us), "device": .text(device),
                    ]
                )
            case 1:
                (
                    "session.token-expiry-observed.v1",
                    [
                        "requestId": .text("request-\(id)"), "status": .integer(419),
                        "endpoint": .text("/cart"), "usedGeneration": .integer(round),
                        "rules": .text("standard"), "family": .text(family),
                        "device": .text(device),
                    ]
                )
            case 2:
                (
                    "session.token-refresh-started.v1",
                    [
                        "refreshId": .text("refresh-\(id)"), "fromGeneration": .integer(round),
                        "trigger": .text("http419"), "refreshHash": token,
                        "requestId": .text("request-\(id)"), "family": .text(family),
                        "device": .text(device),
                    ]
                )
            case 3:
                (
                    "session.token-refreshed.v1",
                    [
                        "refreshId": .text("refresh-\(id)"),
                        "toGeneration": .integer(round + 1), "accessHash": token,
                        "refreshHash": token, "expiresInS": .integer(1),
                        "accessExpiresUs": .integer(us), "latencyMs": .integer(80),
                        "family": .text(family), "device": .text(device),
                    ]
                )
            default:
                (
                    "session.request-retried.v1",
                    [
                        "requestId": .text("request-\(number % devices)-\(round - 1)"),
                        "generation": .integer(round), "outcomeStatus": .integer(200),
                        "family": .text(family), "device": .text(device),
                    ]
                )
            }
        return try ModelEvents.event(kind, at: Instant(microseconds: us), fields)
    }
}
