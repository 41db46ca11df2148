import Daybook
import DaybookCryptography
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// Segments that are damaged, missing, foreign or of another history.
@Suite("Faults of segments") struct SegmentFaultTests {
    private let shipped: ShippedLog

    init() throws {
        shipped = try ShippedLog()
        for number in 0..<12 as Range<Int64> { try shipped.append(number) }
        try shipped.ship()
    }

    private func segments(_ name: String = "segments") throws -> SegmentFolder {
        try SegmentFolder(shipped.path(name))
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: try segments().path(of: name))))
    }

    /// Pulls bytes through a file, as from a pipe.
    private func pull(_ bytes: [UInt8], into replica: String) throws -> Pulled {
        let path = shipped.path("stream")
        try Data(bytes).write(to: URL(filePath: path))
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        return try Pull.run(
            .stream(descriptor: file.fileDescriptor, name: "stream"),
            into: shipped.path(replica))
    }

    @Test("Segments one after another in a pipe make the same replica")
    func stream() throws {
        let all = try segments().names.flatMap { try bytes($0) }
        #expect(try pull(all, into: "replica").head == shipped.log.chainHead())
        try shipped.expectEqual("replica", hasKeys: false)
    }

    @Test("Each changed byte of a segment is noticed, and nothing of it is written")
    func changedBytes() throws {
        let name = try #require(try segments().names.first)
        let original = try bytes(name)
        for offset in original.indices {
            var changed = original
            changed[offset] ^= 0x10
            #expect(throws: LogError.self, "byte \(offset)") {
                _ = try SegmentReader(changed, named: name)
            }
            guard offset % 100 == 0 else { continue }
            #expect(throws: LogError.self, "byte \(offset)") {
                _ = try pull(changed, into: "replica")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: shipped.path("replica")))
    }

    @Test("A segment that ends early is noticed at each byte")
    func cutBytes() throws {
        let name = try #require(try segments().names.first)
        let original = try bytes(name)
        for count in 0..<original.count {
            let cut = Array(original[..<count])
            #expect(throws: LogError.self, "\(count) bytes") {
                _ = try SegmentReader(cut, named: name)
            }
            guard count % 100 < 2 else { continue }
            #expect(throws: LogError.self, "\(count) bytes") {
                _ = try pull(cut, into: "replica")
            }
        }
    }

    @Test("A missing segment is named by the positions around it")
    func missing() throws {
        let folder = try segments()
        try FileManager.default.removeItem(atPath: folder.path(of: folder.names[1]))
        do {
            try shipped.pull("replica", hasKeys: false)
            Issue.record("no error")
        } catch LogError.stream(.gap(let name, let end, let after)) {
            #expect(name.hasSuffix(folder.names[2]) && end < after)
        }
        // The shipment is incomplete, which verify tells.
        let replica = try EventLog(path: shipped.path("replica"), access: .read)
        let findings = try replica.verify(against: shipped.catalogue).findings
        #expect(findings.contains { $0.rule == "replica" })
    }

    @Test("Segments of another log, and of another history of the log, are refused")
    func foreign() throws {
        try shipped.pull("replica", hasKeys: false)
        let other = try ShippedLog()
        try other.append(1)
        try other.ship()
        #expect {
            try Pull.run(
                .folder(path: other.path("segments")), into: shipped.path("replica"))
        } throws: {
            if case LogError.stream(.otherLog(_, let found, _)) = $0 {
                found == other.log.id
            } else {
                false
            }
        }
        // A copy of the log goes on otherwise than the log.
        try shipped.log.backup(to: shipped.path("copy"))
        let head = try shipped.log.head().rawValue
        for number in 20..<24 as Range<Int64> { try shipped.append(number) }
        try shipped.ship()
        try shipped.pull("replica", hasKeys: false)
        let copy = try EventLog(
            path: shipped.path("copy"), access: .write, people: ShippedLog.people)
        for number in 30..<60 as Range<Int64> {
            _ = try copy.append(
                AppendRequest([
                    NewEvent(
                        PeopleNote(["person:p0"], "other"),
                        occurredAt: Instant(microseconds: number))
                ]))
        }
        _ = try ShipmentFolder(copy).ship(to: shipped.path("rewritten"), segmentByteCount: 700)
        let parted = Position(head + 1)
        #expect {
            try shipped.pull("replica", from: "rewritten", hasKeys: false)
        } throws: {
            if case LogError.stream(.parted(_, let at)) = $0 { at == parted } else { false }
        }
        // Nor does the copy ship into the folder of the log.
        #expect {
            try ShipmentFolder(copy).ship(to: shipped.path("segments"))
        } throws: {
            if case LogError.stream(.parted(_, let at)) = $0 { at == parted } else { false }
        }
    }

    @Test("A log of its own is never overwritten")
    func notReplica() throws {
        #expect(throws: LogError.stream(.notReplica(path: shipped.path("copy")))) {
            try shipped.log.backup(to: shipped.path("copy"))
            try shipped.pull("copy", hasKeys: false)
        }
        try Data("text".utf8).write(to: URL(filePath: shipped.path("file")))
        #expect(throws: LogError.self) { try shipped.pull("file", hasKeys: false) }
    }

    @Test("Keys of another time or of another log are refused, and those inside the folder")
    func keys() throws {
        try FileManager.default.copyItem(
            atPath: shipped.path("segments.keys"), toPath: shipped.path("old.keys"))
        try shipped.append(20)
        try shipped.ship()
        #expect(throws: LogError.self) {
            try Pull.run(
                .folder(path: shipped.path("segments")), into: shipped.path("replica"),
                keysFrom: shipped.path("old.keys"))
        }
        try shipped.pull("replica", hasKeys: true)
        // A replica with keys needs those of new people.
        #expect(throws: LogError.self) { try shipped.pull("replica", hasKeys: false) }
        let other = try ShippedLog()
        try other.append(1)
        try other.ship()
        #expect(throws: LogError.self) {
            try Pull.run(
                .folder(path: shipped.path("segments")), into: shipped.path("new"),
                keysFrom: other.path("segments.keys"))
        }
        var bytes = Array(try Data(contentsOf: URL(filePath: shipped.path("segments.keys"))))
        for offset in [0, 20, 80, bytes.count - 1] {
            bytes[offset] ^= 1
            #expect(throws: LogError.self) { try ReplicaKeys(decoding: bytes, path: "keys") }
            bytes[offset] ^= 1
        }
        for place in ["segments/keys", "segments/../segments/keys"] {
            #expect(throws: LogError.self) {
                try ShipmentFolder(shipped.log).ship(
                    to: shipped.path("segments"), keysTo: shipped.path(place))
            }
        }
    }

    @Test("Two shipments into one folder do not meet, nor do two pulls into one replica")
    func alone() throws {
        do {
            let lock = try SegmentFolderLock(shipped.path("segments"))
            let busy = LogError.file(.busy(path: shipped.path("segments")))
            #expect(throws: busy) { try shipped.ship() }
            _ = consume lock
        }
        try shipped.pull("replica", hasKeys: false)
        try shipped.append(20)
        try shipped.ship()
        let name = try #require(try segments().names.last)
        let segment = try segments().reader(of: name)
        let log = try EventLog(path: shipped.path("replica"), access: .write)
        var (first, second) = (try ReplicaWriter(log), try ReplicaWriter(log))
        try first.apply(segment)
        #expect(throws: LogError.file(.busy(path: log.path))) { try second.apply(segment) }
        #expect(try log.chainHead() == shipped.log.chainHead())
    }

    @Test("A shipment that was interrupted is written again")
    func interrupted() throws {
        for number in 20..<40 as Range<Int64> { try shipped.append(number) }
        let before = try segments().names.count
        try shipped.ship()
        let folder = try segments()
        let last = try #require(folder.names.last)
        try shipped.pull("whole", hasKeys: false)
        try FileManager.default.removeItem(atPath: folder.path(of: last))
        // The replica gets what there is, and later the rest.
        try shipped.pull("replica", hasKeys: false)
        #expect(folder.names.count - before > 2)
        try shipped.append(41)
        try shipped.ship()
        try shipped.pull("replica", hasKeys: false)
        try shipped.expectEqual("replica", hasKeys: false)
        try shipped.pull("whole", hasKeys: false)
        try shipped.expectEqual("whole", hasKeys: false)
    }

    /// A segment with another body and end, and the right digest.
    private func segment(
        _ header: SegmentHeader, _ body: [UInt8], _ end: SegmentEnd
    ) -> [UInt8] {
        var bytes = header.bytes + body
        bytes.append(SegmentRecord.end.rawValue)
        bytes.append(littleEndian: UInt32(end.bytes.count + 32))
        bytes += end.bytes
        return bytes + SHA256.hash(bytes)
    }

    @Test("A segment that ends within a commit leaves nothing of it, also if its digest is right")
    func halfCommit() throws {
        let name = try #require(try segments().names.first)
        var reader = try segments().reader(of: name)
        let original = try bytes(name)
        var body: [UInt8] = []
        // The first commit has an event, so a commit without events is left.
        while let record = try reader.next(), record.kind != .event {
            body += original[(record.body.lowerBound - 5)..<record.body.upperBound]
        }
        let half = segment(
            reader.header, body, SegmentEnd(isLast: false, head: reader.header.after))
        #expect(throws: LogError.self) { _ = try pull(half, into: "replica") }
        #expect(!FileManager.default.fileExists(atPath: shipped.path("replica")))
    }

    @Test(
        "Heads and shipments that contradict each other are refused",
        arguments: [
            // The shipment, the end, true for the last segment.
            (UInt64.max, 0, true), (1 << 63, 0, false), (5, 0, true), (0, 1, false), (3, 3, false),
        ] as [(UInt64, UInt64, Bool)])
    func contradictions(_ shipment: UInt64, _ end: UInt64, _ isLast: Bool) throws {
        let header = SegmentHeader(
            logID: shipped.log.file.identifier, shipment: shipment, part: 0, peopleCount: 0,
            after: .origin)
        let chain = [UInt8](repeating: end == 0 ? 0 : 7, count: 32)
        let bytes = segment(
            header, [],
            SegmentEnd(isLast: isLast, head: Head(unchecked: Position(end), chain)))
        #expect(throws: LogError.self) { _ = try pull(bytes, into: "replica") }
    }

    @Test("A part with texts alone that is missing after an erasure is noticed")
    func missingTexts() throws {
        try shipped.pull("replica", hasKeys: false)
        let known = Set(try segments().names)
        _ = try shipped.log.erase(.position(Position(1)), catalogue: shipped.catalogue)
        try shipped.ship(segmentByteCount: 100)
        let names = try segments().names.filter { !known.contains($0) }
        #expect(names.count > 2)
        try FileManager.default.removeItem(atPath: try segments().path(of: names[1]))
        #expect {
            try shipped.pull("replica", hasKeys: false)
        } throws: {
            if case LogError.stream(.missingPart(_, let part)) = $0 { part == 2 } else { false }
        }
    }

    @Test("Keys from before an erasure are refused, and the key of the erased is overwritten")
    func oldKeys() throws {
        let path = shipped.path("segments.keys")
        try FileManager.default.copyItem(atPath: path, toPath: shipped.path("old.keys"))
        let old = try ReplicaKeys(decoding: Array(Data(contentsOf: URL(filePath: path))), path: "")
        try shipped.pull("replica", hasKeys: false)
        _ = try shipped.log.erase(.tags([Tag("person", "p1")]), catalogue: shipped.catalogue)
        try shipped.ship()
        try shipped.pull("replica", hasKeys: false)
        #expect(throws: LogError.self) {
            try Pull.run(
                .folder(path: shipped.path("segments")), into: shipped.path("replica"),
                keysFrom: shipped.path("old.keys"))
        }
        let slots = (1...old.slotCount).map { Array(old.blocks[0][Vault.range(of: $0)].prefix(32)) }
        let refused = try Data(contentsOf: URL(filePath: shipped.path("replica")))
        for slot in slots { #expect(refused.range(of: Data(slot)) == nil) }
        // A key file that still has the key of the erased, as one that was written meanwhile.
        var keys = try ReplicaKeys(
            decoding: Array(Data(contentsOf: URL(filePath: path))), path: "")
        keys.blocks = old.blocks
        try Data(keys.bytes).write(to: URL(filePath: path))
        try shipped.pull("replica", hasKeys: true)
        try shipped.expectEqual("replica", hasKeys: true)
        let replica = try Data(contentsOf: URL(filePath: shipped.path("replica")))
        #expect(slots.count(where: { replica.range(of: Data($0)) == nil }) == 1)
    }

    @Test("The file of keys replaces no other file")
    func otherFile() throws {
        let path = shipped.path("log")
        #expect(throws: LogError.file(.belongsToLog(path: path, role: "a log"))) {
            try ShipmentFolder(shipped.log).ship(to: shipped.path("segments"), keysTo: path)
        }
    }

    @Test("Segments have the permissions of the log, and a replica is its owner's")
    func permissions() throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640], ofItemAtPath: shipped.path("log"))
        try shipped.append(20)
        try shipped.ship()
        try shipped.pull("replica", hasKeys: true)
        let segment = try segments().path(of: #require(try segments().names.last))
        for (path, mode) in [(segment, 0o640), (shipped.path("replica"), 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
        }
    }

    @Test("A pull stops if another one has given the replica keys")
    func otherKeys() throws {
        try shipped.pull("replica", hasKeys: false)
        try shipped.append(20)
        do {
            let log = try EventLog(path: shipped.path("replica"), access: .write)
            var writer = try ReplicaWriter(log)
            try log.file.writing { (transaction) throws(LogError) in
                var state = ReplicaState(hasKeys: true, target: 1)
                state.completeThrough = 1
                let key = Meta.replica
                try transaction.put(state.bytes, for: key.rawSpan, in: log.file.tables.meta)
            }
            try shipped.ship()
            let segment = try segments().reader(of: #require(try segments().names.last))
            #expect(throws: LogError.file(.busy(path: log.path))) { try writer.apply(segment) }
        }
    }

    @Test("A replica of an incomplete shipment ships nothing")
    func incomplete() throws {
        let names = try segments().names
        try FileManager.default.removeItem(atPath: try segments().path(of: #require(names.last)))
        try shipped.pull("replica", hasKeys: false)
        let replica = try EventLog(path: shipped.path("replica"), access: .read)
        #expect(throws: LogError.replica(path: replica.path)) {
            try ShipmentFolder(replica).ship(to: shipped.path("others"))
        }
    }
}
