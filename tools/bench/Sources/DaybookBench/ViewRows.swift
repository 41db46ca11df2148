import Daybook
import DaybookLog
import Foundation

/// The overview of a large log, as the page of `replay view` asks for it.
struct ViewRows {
    let logs: Logs
    let events: Int
    let commands: Commands

    func measure() throws -> [Row] {
        try commands.check()
        let path = "\(logs.folder)/view-\(events).daybook"
        if !FileManager.default.fileExists(atPath: path) { try fill(path) }
        let server = try ViewServer(commands.replay, path)
        defer { server.end() }
        let reading = try Measure.seconds {
            while try server.number("read", of: server.bins(["width": "1"])) < events {
                usleep(20_000)
            }
        }
        var rows = [
            Row(
                name: "view", work: "the columns of \(events) events, from the start",
                unit: "ms", own: .init(reading * 1_000), reach: "≤ 10,000"),
            Row(
                name: "view", work: "the server's own memory then", unit: "MiB",
                own: .init(server.ownMemory), reach: "≤ 200"),
        ]
        for clock in ["recorded", "occurred", "order"] {
            for zoom in [1, 30, 1_000] as [Int64] { rows.append(try row(clock, zoom, server)) }
        }
        return rows
    }

    /// Ranges of one length at random places, on each kind of lanes in turns.
    private func row(_ clock: String, _ zoom: Int64, _ server: ViewServer) throws -> Row {
        let answer = try server.bins(["clock": clock, "width": "1"])
        let from = Int64(server.number("from", of: answer))
        let length = Int64(server.number("to", of: answer)) - from
        let part = max(1, length / zoom)
        var generator = Mixer(state: UInt64(zoom))
        var times: [Double] = []
        for turn in 0..<120 {
            let start = from + Int64(generator.next() % UInt64(length - part + 1))
            let lanes = ["kind", "actor", "device", "entity"][turn % 4]
            times.append(
                try Measure.seconds {
                    _ = try server.bins([
                        "clock": clock, "lanes": lanes, "from": "\(start)",
                        "to": "\(start + part)", "width": "1400", "most": "20",
                    ])
                })
        }
        times.sort()
        var row = Row(
            name: "view",
            work: "bins of 1/\(zoom) of the axis, clock \(clock), at most in 95 of 100",
            unit: "ms", own: .init(times[114] * 1_000), reach: "≤ 100")
        (row.own.least, row.own.most) = (times[0] * 1_000, times[119] * 1_000)
        return row
    }

    /// Commits of one to three events by 1,000 actors on 3,000 devices, of 40 kinds and 9 nouns.
    private func fill(_ path: String) throws {
        let clock = BenchClock()
        let log = try EventLog(
            path: path, access: .create, clock: { clock.next() }, ignoresClockLead: true)
        var generator = Mixer(state: 1)
        let nouns = Array("abcdefghi")
        let pick = { (count: Int) in Int(generator.next() % UInt64(count)) }
        var number = 0
        while number < events {
            var requests: [AppendRequest] = []
            while requests.count < 5_000, number < events {
                let now = clock.now
                let batch = (0..<min(1 + pick(3), events - number)).map { _ in
                    var event = Logs.event(UInt64(number), tags: 1)
                    number += 1
                    let kind = pick(40)
                    event.kind = EventKind("bench.kind-\(kind).v1") ?? event.kind
                    event.tags = [Tag(stored: "noun\(nouns[kind % 9]):\(pick(100_000))")]
                    // One in a hundred was offline, for a month at most.
                    let late = pick(100) == 0 ? pick(2_592_000) : pick(120)
                    event.occurredAt = Instant(
                        microseconds: now.microseconds - Int64(late) * 1_000_000)
                    return event
                }
                let metadata = CommitMetadata(
                    actor: "user-\(pick(1_000))", device: "device-\(pick(3_000))")
                requests.append(AppendRequest(batch, metadata: metadata))
            }
            _ = try log.append(requests)
        }
    }
}

/// A clock that goes on a minute with each commit.
private final class BenchClock: @unchecked Sendable {
    private(set) var now = Instant(microseconds: 1_600_000_000_000_000)

    func next() -> Instant {
        now = Instant(microseconds: now.microseconds + 60_000_000)
        return now
    }
}

/// A `replay view` that serves its page, and a connection to it.
private final class ViewServer {
    private let process = Process()
    private var connection: CInt = -1
    private let address: String
    private let token: String

    init(_ replay: String, _ path: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: replay)
        process.arguments = ["view", "--log", path]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        // http://127.0.0.1:PORT/#token=HEX
        let parts = line.split(whereSeparator: { "/#=\n".contains($0) })
        guard parts.count == 4, let port = UInt16(parts[1].dropFirst("127.0.0.1:".count)) else {
            process.terminate()
            throw Failed(description: "'replay view' printed no address: \(line)")
        }
        address = String(parts[1])
        token = String(parts[3])
        connection = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failed(description: "no connection to \(address)") }
        var yes: CInt = 1
        setsockopt(
            connection, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
    }

    func end() {
        close(connection)
        process.terminate()
        process.waitUntilExit()
    }

    /// Memory of the server without the pages of the log, in MiB.
    var ownMemory: Double {
        Machine.memory("RssAnon", of: "\(process.processIdentifier)")
    }

    /// The answer of the server for bins; parameters that are not given are those of a small one.
    func bins(_ parameters: [String: String]) throws -> String {
        let all = ["clock": "order", "lanes": "kind", "width": "1", "most": "1"]
            .merging(parameters) { $1 }
        let query = all.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "&")
        let request =
            "GET /bins?\(query) HTTP/1.1\r\nHost: \(address)\r\nDaybook-Token: \(token)\r\n\r\n"
        guard send(connection, request, request.utf8.count, 0) == request.utf8.count else {
            throw Failed(description: "the server has ended")
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var end = Int.max
        while answer.count < end {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failed(description: "the server has ended") }
            answer += buffer[..<count]
            let head = String(decoding: answer.prefix(2_048), as: UTF8.self)
            guard end == .max, let gap = head.range(of: "\r\n\r\n") else { continue }
            guard head.hasPrefix("HTTP/1.1 200") else { throw Failed(description: head) }
            let lengths = head.lowercased().components(separatedBy: "content-length: ")
            guard lengths.count > 1, let length = Int(lengths[1].prefix { $0.isNumber }) else {
                throw Failed(description: "no length in \(head)")
            }
            end = head.utf8.distance(from: head.startIndex, to: gap.upperBound) + length
        }
        return String(decoding: answer, as: UTF8.self)
    }

    /// The number of a member.
    func number(_ name: String, of answer: String) -> Int {
        guard let place = answer.range(of: "\"\(name)\":") else { return 0 }
        return Int(answer[place.upperBound...].prefix { $0.isNumber || $0 == "-" }) ?? 0
    }
}
