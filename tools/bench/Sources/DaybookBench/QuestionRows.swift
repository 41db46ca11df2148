import Daybook
import DaybookLog
import DaybookModel
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
                AppendRequest((first..<min(events, first + 10_000)).map(event)))
        }
        try log.reindex()
        return path
    }

    private func event(_ number: Int) -> NewEvent {
        let (device, turn) = ("device-\(number % devices)", number / devices)
        let (family, round) = ("family-\(number % devices)", Int64(turn / 4))
        let id = "\(number % devices)-\(round)"
        let at = Instant(microseconds: Self.began + Int64(number) * 1_000)
        let token = Digest(bits: UInt64(number))
        if turn == 0 {
            return NewEvent(
                Session.SignedIn {
                    $0.userId = "user-\(number)"
                    $0.provider = .local
                    $0.family = family
                    $0.accessHash = token
                    $0.refreshHash = token
                    $0.expiresInS = 1
                    $0.accessExpires = at
                    $0.device = device
                }, occurredAt: at)
        }
        switch turn % 4 {
        case 1:
            return NewEvent(
                Session.TokenExpiryObserved {
                    $0.requestId = "request-\(id)"
                    $0.status = 419
                    $0.endpoint = "/cart"
                    $0.usedGeneration = round
                    $0.rules = .standard
                    $0.family = family
                    $0.device = device
                },
                occurredAt: at)
        case 2:
            return NewEvent(
                Session.TokenRefreshStarted {
                    $0.refreshId = "refresh-\(id)"
                    $0.fromGeneration = round
                    $0.trigger = .http419
                    $0.refreshHash = token
                    $0.requestId = "request-\(id)"
                    $0.family = family
                    $0.device = device
                }, occurredAt: at)
        case 3:
            return NewEvent(
                Session.TokenRefreshed {
                    $0.refreshId = "refresh-\(id)"
                    $0.toGeneration = round + 1
                    $0.accessHash = token
                    $0.refreshHash = token
                    $0.expiresInS = 1
                    $0.accessExpires = at
                    $0.latencyMs = 80
                    $0.family = family
                    $0.device = device
                }, occurredAt: at)
        default:
            return NewEvent(
                Session.RequestRetried {
                    $0.requestId = "request-\(number % devices)-\(round - 1)"
                    $0.generation = round
                    $0.outcomeStatus = 200
                    $0.family = family
                    $0.device = device
                }, occurredAt: at)
        }
    }
}
