import Daybook
import DaybookCryptography
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// People, texts and keys that do not fit the seals which the chain covers.
@Suite("Seals of segments") struct SegmentSealTests {
    private let shipped: ShippedLog

    init() throws {
        shipped = try ShippedLog()
        for number in 0..<8 as Range<Int64> { try shipped.append(number) }
        try shipped.ship(segmentByteCount: 1 << 20)
    }

    /// A change of the first record of a kind.
    struct Forgery: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var kind: SegmentRecord
        /// True if only keys prove that the record is wrong.
        var needsKeys = false
        /// Returns the new body; `nil` to leave out the record.
        var change: @Sendable ([UInt8]) -> [UInt8]?

        static let all = [
            Forgery(testDescription: "a text is left out", kind: .text) { _ in nil },
            Forgery(testDescription: "a text is changed", kind: .text, needsKeys: true) {
                $0.dropLast() + [$0[$0.count - 1] ^ 1]
            },
            Forgery(testDescription: "a text is marked as erased", kind: .text) {
                Array($0[..<12]) + [0, 0, 0, 0]
            },
            Forgery(testDescription: "a text is another person's", kind: .text, needsKeys: true) {
                Array($0[..<12]) + [$0[12] ^ 3] + Array($0[13...])
            },
            Forgery(testDescription: "a person is left out", kind: .person) { _ in nil },
            Forgery(testDescription: "a name is changed", kind: .person, needsKeys: true) {
                $0.dropLast() + [$0[$0.count - 1] ^ 1]
            },
            Forgery(testDescription: "a person's seal is changed", kind: .person) {
                Array($0[..<40]) + [$0[40] ^ 1] + Array($0[41...])
            },
            Forgery(testDescription: "a person's slot is changed", kind: .person, needsKeys: true) {
                Array($0[..<12]) + [$0[12] ^ 2] + Array($0[13...])
            },
            Forgery(testDescription: "a person has another number of texts", kind: .person) {
                Array($0[..<20]) + [$0[20] ^ 1] + Array($0[21...])
            },
            Forgery(testDescription: "a person is marked as erased", kind: .person) {
                Array($0[..<28]) + [2] + Array($0[29..<68])
            },
        ]
    }

    /// Writes a folder of segments in which the first record of a kind is changed.
    private func forge(_ forgery: Forgery, _ name: String = "forged") throws {
        let folder = try SegmentFolder(shipped.path("segments"))
        try FileManager.default.createDirectory(
            atPath: shipped.path(name), withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            atPath: shipped.path("segments.keys"), toPath: shipped.path(name + ".keys"))
        let segment = try #require(folder.names.first)
        var reader = try folder.reader(of: segment)
        var bytes = Array(try Data(contentsOf: URL(filePath: folder.path(of: segment))))
        while let record = try reader.next() {
            guard record.kind == forgery.kind else { continue }
            var changed: [UInt8] = []
            if let body = forgery.change(reader.copy(record.body)) {
                changed.append(record.kind, body)
            }
            bytes.replaceSubrange(
                record.body.lowerBound - 5..<record.body.upperBound, with: changed)
            break
        }
        bytes = Array(bytes.dropLast(32))
        try Data(bytes + SHA256.hash(bytes)).write(
            to: URL(filePath: shipped.path(name) + "/" + segment))
    }

    @discardableResult
    private func pull(_ replica: String, from folder: String, hasKeys: Bool) throws -> Pulled {
        try Pull.run(
            .folder(path: shipped.path(folder)), into: shipped.path(replica),
            keysFrom: hasKeys ? shipped.path(folder + ".keys") : nil, catalogue: shipped.catalogue)
    }

    /// Puts the changed record into a replica, as a program that checked nothing did.
    private func take(_ forgery: Forgery, into replica: String) throws {
        let log = try EventLog(path: shipped.path(replica), access: .write)
        let folder = try SegmentFolder(shipped.path("segments"))
        var reader = try folder.reader(of: try #require(folder.names.first))
        while let record = try reader.next() {
            guard record.kind == forgery.kind else { continue }
            let original = reader.copy(record.body)
            let changed = forgery.change(original)
            try log.file.writing { (transaction) throws(LogError) in
                let (table, key) =
                    record.kind == .text
                    ? (log.file.tables.texts, Array(original[..<12]))
                    : (log.file.tables.people, UInt64(original[0]).bytes)
                guard let changed else {
                    try transaction.remove(key.rawSpan, from: table)
                    return
                }
                if record.kind == .text {
                    try transaction.put(Array(changed[12...]), for: key.rawSpan, in: table)
                } else {
                    try transaction.put(Array(changed[4...]), for: UInt64(original[0]), in: table)
                }
            }
            return
        }
    }

    @Test(
        "A wrong person or text is refused with its place, and nothing of the segment is stored",
        arguments: Forgery.all)
    func refused(_ forgery: Forgery) throws {
        try forge(forgery)
        for hasKeys in [true, false] where hasKeys || !forgery.needsKeys {
            let error = #expect(throws: LogError.self) {
                try pull("replica", from: "forged", hasKeys: hasKeys)
            }
            guard case .stream(.segment(let name, _, let reason)) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(name.hasPrefix(shipped.path("forged")), "\(name)")
            #expect(reason.contains("position") || reason.contains("person"), "\(reason)")
            #expect(!FileManager.default.fileExists(atPath: shipped.path("replica")))
        }
        try pull("replica", from: "segments", hasKeys: true)
        try shipped.expectEqual("replica", hasKeys: true)
    }

    @Test(
        "A replica that has taken a wrong segment is mended by a right one", arguments: Forgery.all)
    func mended(_ forgery: Forgery) throws {
        for hasKeys in [true, false] {
            let name = hasKeys ? "with" : "without"
            try pull(name, from: "segments", hasKeys: hasKeys)
            try take(forgery, into: name)
            #expect(try pull(name, from: "segments", hasKeys: hasKeys).mendedCount == 1)
            try shipped.expectEqual(name, hasKeys: hasKeys)
            #expect(try pull(name, from: "segments", hasKeys: hasKeys).mendedCount == 0)
        }
        // Keys that come later prove what a replica without them had to take.
        try take(forgery, into: "without")
        #expect(try pull("without", from: "segments", hasKeys: true).mendedCount == 1)
        try shipped.expectEqual("without", hasKeys: true)
    }

    @Test(
        "Segments with a wrong record change nothing in a replica that is right",
        arguments: Forgery.all)
    func unchanged(_ forgery: Forgery) throws {
        try forge(forgery)
        try pull("replica", from: "segments", hasKeys: true)
        _ = try? pull("replica", from: "forged", hasKeys: true)
        try shipped.expectEqual("replica", hasKeys: true)
    }

    @Test("A missing text is an error of its position, whoever reads it; an erased one is none")
    func missing() throws {
        try pull("with", from: "segments", hasKeys: true)
        try pull("without", from: "segments", hasKeys: false)
        for (name, forgery) in [
            ("with", Forgery.all[0]), ("with", Forgery.all[2]), ("with", Forgery.all[9]),
            ("without", Forgery.all[0]), ("without", Forgery.all[2]), ("without", Forgery.all[9]),
        ] {
            try take(forgery, into: name)
            let log = try EventLog(
                path: shipped.path(name), access: .read, catalogue: shipped.catalogue)
            for read in [
                { (log: EventLog) in _ = try log.people.text(at: Position(1), field: 0) },
                { log in _ = try log.people.sealedText(at: Position(1), field: 0) },
                { log in
                    try log.reader().forEachInFull { (event, _, text) throws(LogError) in
                        if event.kind == PeopleNote.kind { _ = try text(0) }
                        return true
                    }
                },
            ] as [(EventLog) throws -> Void] {
                let error = #expect(throws: LogError.self) { try read(log) }
                if forgery.kind == .text { #expect(error?.position == Position(1), "\(name)") }
                guard case .incomplete = error else { continue }
                Issue.record("\(String(describing: error))")
            }
        }
        let log = shipped.log
        _ = try log.erase(.tags([Tag("person", "p0")]), catalogue: shipped.catalogue)
        #expect(try log.people.text(at: Position(1), field: 0) == nil)
        #expect(try log.people.text(at: Position(1), field: 7) == nil)
    }

    @Test("Keys that do not open what the segments have are refused, and nothing is stored")
    func wrongKeys() throws {
        let path = shipped.path("segments.keys")
        let right = try ReplicaKeys(
            decoding: Array(Data(contentsOf: URL(filePath: path))), path: path)
        var wrong = right
        let range = Vault.range(of: 1)
        let key = [UInt8](repeating: 7, count: Vault.keyByteCount).asRow(Tables().vault, UInt64(1))
        wrong.blocks[0].replaceSubrange(range, with: key)
        var erased = right
        erased.blocks[0].replaceSubrange(
            range, with: [UInt8](repeating: 0, count: Vault.slotByteCount))
        var broken = right
        broken.blocks[0][range.lowerBound] ^= 1
        for keys in [wrong, erased, broken] {
            try Data(keys.bytes).write(to: URL(filePath: path))
            #expect(throws: LogError.self) { try pull("new", from: "segments", hasKeys: true) }
            #expect(!FileManager.default.fileExists(atPath: shipped.path("new")))
        }
        // A replica has taken wrong keys, which right ones replace.
        try Data(right.bytes).write(to: URL(filePath: path))
        try pull("replica", from: "segments", hasKeys: true)
        do {
            let log = try EventLog(path: shipped.path("replica"), access: .write)
            try log.file.writing { (transaction) throws(LogError) in
                try transaction.overwrite(range, ofRow: 0, with: key, in: log.file.tables.vault)
            }
            #expect(throws: LogError.self) { try log.people.text(at: Position(1), field: 0) }
        }
        try pull("replica", from: "segments", hasKeys: true)
        try shipped.expectEqual("replica", hasKeys: true)
    }

    @Test("A pull with keys of a later position is called interrupted until the rest comes")
    func interrupted() throws {
        try pull("with", from: "segments", hasKeys: true)
        try pull("without", from: "segments", hasKeys: false)
        try FileManager.default.copyItem(
            atPath: shipped.path("segments"), toPath: shipped.path("part"))
        _ = try shipped.log.erase(.tags([Tag("person", "p1")]), catalogue: shipped.catalogue)
        _ = try shipped.log.append(
            AppendRequest([
                NewEvent(
                    PeopleNote(["person:new"], "new"), occurredAt: Instant(microseconds: 99))
            ]))
        try shipped.ship()
        try FileManager.default.copyItem(
            atPath: shipped.path("segments.keys"), toPath: shipped.path("part.keys"))
        for name in ["with", "without", "new"] {
            let error = #expect(throws: LogError.self) {
                try pull(name, from: "part", hasKeys: true)
            }
            #expect("\(String(describing: error))".contains("the pull was interrupted"))
            let log = try EventLog(path: shipped.path(name), access: .read)
            for event in try log.reader().collect() {
                do throws(LogError) {
                    _ = try log.people.text(at: event.position, field: 0)
                } catch {
                    guard case .incomplete = error else {
                        Issue.record("\(name), \(event.position): \(error)")
                        continue
                    }
                }
            }
        }
        for name in ["with", "without", "new"] {
            try pull(name, from: "segments", hasKeys: true)
            try shipped.expectEqual(name, hasKeys: true, name)
        }
    }
}
