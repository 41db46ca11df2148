import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB
@testable import DaybookLog

/// A closed log of 140 events, with everything that it holds, to compare what is salvaged with.
struct OriginalLog {
    let path: String
    let bytes: [UInt8]
    let id: String
    let head: [UInt8]
    let events: [RecordedEvent]
    let commits: [ClosedRange<UInt64>]
    /// The bytes of every row of events and commits, by position.
    private let eventRows: [UInt64: [UInt8]]
    private let commitRows: [UInt64: [UInt8]]

    init(at path: String) throws {
        do { _ = try Self.make(path) }
        self.path = path
        do {
            let log = try EventLog(path: path, access: .read)
            id = log.id
            head = try log.file.status().head
            events = try log.reader().collect()
            (eventRows, commitRows) = try Self.rows(of: log)
        }
        let firsts = commitRows.keys.sorted()
        commits = zip(firsts, firsts.dropFirst() + [141]).map { $0...$1 - 1 }
        bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Commits of one to three events, some of them with texts, and with data on pages of their own.
    static func make(_ path: String) throws -> EventLog {
        let log = try EventLog(path: path, access: .create)
        var next: Int64 = 1
        var single: [AppendRequest] = []
        while next <= 140 {
            let count = min(1 + next % 3, 141 - next)
            single.append(request(next, count))
            next += count
            // Some transactions take one commit, and some many.
            if next % 7 == 0 || single.count > 12 || next > 140 {
                _ = try log.append(single)
                single = []
            }
            if next == 71 || next == 72 { try log.reindex() }
        }
        return log
    }

    static func request(
        _ first: Int64, _ count: Int64, _ actor: String = "kim"
    ) -> AppendRequest {
        let events = (first..<first + count).map { number in
            let text = String(repeating: "text \(number) ", count: number % 20 == 0 ? 900 : 3)
            let note = Note(
                number, text, topics: ["t\(number % 7)", "n\(number)"],
                secret: number % 3 == 0 ? "s\(number)" : nil)
            return NewEvent(
                note, occurredAt: Instant(microseconds: number),
                zone: number % 2 == 0 ? "UTC" : "+01:00")
        }
        let last = first + count - 1
        return AppendRequest(
            events,
            metadata: CommitMetadata(
                actor: actor, device: "d",
                causation: first > 1 ? Position(UInt64(first) - 1) : nil),
            idempotency: .init(key: "k\(last)", asked: [UInt8(truncatingIfNeeded: last)]))
    }

    private static func rows(
        of log: EventLog
    ) throws -> (events: [UInt64: [UInt8]], commits: [UInt64: [UInt8]]) {
        let transaction = try log.file.beginReading()
        var events: [UInt64: [UInt8]] = [:]
        var commits: [UInt64: [UInt8]] = [:]
        try transaction.scanRows(log.file.tables.events) { (position: UInt64, value) in
            events[position] = value.copied()
            return true
        }
        try transaction.scanRows(log.file.tables.commits) { (position: UInt64, value) in
            commits[position] = value.copied()
            return true
        }
        return (events, commits)
    }

    /// Puts other bytes in the place of the file's.
    func replace(with bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Events at the beginning of another log that are these, under the same commits.
    ///
    /// Every further commit must be one of these too but for its place: events with payloads and
    /// tags that were appended together.
    func compare(_ other: String) throws -> Int {
        let log = try EventLog(path: other, access: .read)
        #expect(try log.verify(against: Catalogue([Notes.self])).isSound)
        let rows = try Self.rows(of: log)
        var same: UInt64 = 0
        for range in commits where range.lowerBound == same + 1 {
            guard rows.commits[range.lowerBound] == commitRows[range.lowerBound],
                range.allSatisfy({ rows.events[$0] == eventRows[$0] })
            else { break }
            same = range.upperBound
        }
        let known = Set(commits.map { range in range.map { payload($0) } })
        for first in rows.commits.keys.sorted() where first > same {
            let commit = try #require(try log.commits.at(Position(first)))
            let events = try log.reader(
                .all, ReadWindow(after: Position(commit.first.rawValue - 1), through: commit.last)
            ).collect()
            #expect(known.contains(events.map(\.payload)), "the commit at \(first)")
        }
        return Int(same)
    }

    private func payload(_ position: UInt64) -> [UInt8] { events[Int(position) - 1].payload }

    /// Overwrites every copy of the rows of some events.
    func destroy(events: Set<UInt64>) throws {
        try destroy { $0.events.filter { events.contains($0.key) } }
    }

    func destroy(people: Set<UInt64>) throws {
        try destroy { $0.people.filter { people.contains($0.key) } }
    }

    func destroy(names: Set<UInt64>) throws {
        try destroy { $0.names.filter { names.contains($0.key) } }
    }

    private func destroy(_ rows: (SalvageRows) -> [SweptRow]) throws {
        var bytes = bytes
        while true {
            try replace(with: bytes)
            let swept = SalvageRows(try PageFile(path: path)) { _ in }
            let found = rows(swept).filter { $0.integrity == .checked }
            if found.isEmpty { return }
            for row in found {
                // The last byte of the value, which is one of the checksum, and one of the value.
                let start = Int(row.place.page) * swept.file.pageSize + row.place.offset
                bytes[start + 8 + 8 + 4] ^= 0xFF
                bytes[start + 8 + 8 + 9] ^= 0xFF
            }
        }
    }
}

extension [UInt8] {
    mutating func zero(pages: [UInt64]) {
        for page in pages where page < UInt64(count / 4_096) {
            replaceSubrange(
                Int(page) * 4_096..<Int(page + 1) * 4_096, with: repeatElement(0, count: 4_096))
        }
    }

    /// A copy with one kind of damage or several.
    func damaged(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = self
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard bytes.count > 4_096 else { return bytes }
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = Swift.min(bytes.count, place + Int.random(in: 1...20_000, using: &random))
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes.removeSubrange(place...)
            case 1: bytes.replaceSubrange(place..<end, with: repeatElement(0, count: end - place))
            case 2:
                for index in place..<end { bytes[index] = .random(in: 0...255, using: &random) }
            case 3:
                for _ in 0..<200 {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
            case 4: bytes.zero(pages: [UInt64(place / 4_096)])
            case 5:
                // A page over another.
                let from = Int.random(in: 0..<bytes.count / 4_096, using: &random) * 4_096
                let to = place / 4_096 * 4_096
                guard to + 4_096 <= bytes.count else { continue }
                bytes.replaceSubrange(to..<to + 4_096, with: bytes[from..<from + 4_096])
            default: bytes.zero(pages: [0, 1])
            }
        }
        return bytes
    }
}
