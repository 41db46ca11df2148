import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// One bit of the file changed: an answer is the right one, or an error; and `verify` sees it.
@Suite("One changed bit") struct OneBitTests {
    private static func makeLog(_ path: String) throws {
        let log = try EventLog(path: path, access: .create)
        for number in 1...60 as ClosedRange<Int64> {
            let note = Note(
                number, "n", topics: ["t\(number % 5)", "u\(number)"], secret: "s\(number)")
            _ = try log.append(
                AppendRequest(
                    [NewEvent(note, occurredAt: .init(microseconds: number))],
                    idempotency: .init(key: "k\(number)", asked: [])))
            if number == 40 { try log.reindex() }
        }
    }

    /// Everything that readers can ask of the log, as text.
    private static func answers(_ path: String) throws -> [String] {
        let log = try EventLog(path: path, access: .read)
        var answers = ["\(try log.head()) \(try log.indexedThrough())"]
        for topic in ["t0", "t3", "u7", "u59", "none"] {
            let query = Query(Query.Item(tags: [Tag("topic", topic)]))
            answers.append("\(try log.reader(query).collect().map(\.position))")
        }
        answers.append("\(try log.reader().collect().map(\.payload))")
        for key in ["k1", "k33", "k60", "none"] {
            answers.append("\(try log.commits.ofKey(key)?.first.rawValue ?? 0)")
        }
        for position in [1, 30, 60] as [UInt64] {
            answers.append(try log.people.text(at: Position(position), field: 0) ?? "erased")
        }
        answers.append("\(try log.contents.ids(of: "topic", atMost: 1_000)?.count ?? 0)")
        answers.append("\(try log.file.status().head)")
        return answers
    }

    @Test(
        "A bit of a tree's record that LMDB leaves at zero is found in either meta page",
        arguments: [0, 1], [88, 92, 93])
    func metaPadding(_ page: Int, _ byte: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log")
        try Self.makeLog(path)
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        bytes[page * 4_096 + byte] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let catalogue = try Catalogue([Notes.self])
        var isSound = false
        do {
            isSound = try EventLog(path: path, access: .read).verify(against: catalogue).isSound
        } catch {
            // A log that cannot be opened is found damaged too.
        }
        #expect(!isSound)
    }

    @Test("Gives the same answers or an error, and verify finds it", arguments: [1, 2, 3, 4])
    func oneBit(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let (whole, damaged) = (folder.path("whole"), folder.path("damaged"))
        try Self.makeLog(whole)
        let expected = try Self.answers(whole)
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: whole)))
        let catalogue = try Catalogue([Notes.self])
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            try Data(changed).write(to: URL(fileURLWithPath: damaged))
            do {
                let found = try Self.answers(damaged)
                #expect(found == expected, "seed \(seed), bit \(bit)")
            } catch is LogError {
                let log: EventLog
                do { log = try EventLog(path: damaged, access: .read) } catch { continue }
                let isSound = (try? log.verify(against: catalogue).isSound) ?? false
                #expect(!isSound, "seed \(seed), bit \(bit): readers fail, verify does not")
            }
        }
    }
}
