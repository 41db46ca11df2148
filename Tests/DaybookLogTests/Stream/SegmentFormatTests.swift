import Daybook
import DaybookCryptography
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// The bytes of a segment, by hand and as a program in another language reads them.
@Suite("Form of segments") struct SegmentFormatTests {
    /// The example of `docs/format.md`: a commit of two events.
    private func example(_ folder: TemporaryFolder) throws -> EventLog {
        let log = try EventLog(
            path: folder.path("log"), access: .create, clock: { Instant(microseconds: 1_000) })
        _ = try log.append(FormatTests.example)
        return log
    }

    @Test("A segment has the bytes that the document gives")
    func bytes() throws {
        let folder = try TemporaryFolder()
        let log = try example(folder)
        _ = try ShipmentFolder(log).ship(to: folder.path("segments"))
        let name = "00000000000000000002-000000.segment"
        let found = Array(try Data(contentsOf: URL(filePath: folder.path("segments/\(name)"))))
        let chain = try #require(Hexadecimal.bytes(FormatTests.chain))
        let zeros = [UInt8](repeating: 0, count: 32)
        var expected = Array("daybook-segment-v1\n".utf8) + log.file.identifier
        expected += [2, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0] + [0, 0, 0, 0]
        expected += [0, 0, 0, 0, 0, 0, 0, 0] + zeros
        expected += [0x4E, 18, 0, 0, 0, 0x6B, 1, 0, 0, 0, 0, 0, 0, 0] + Array("test.a.v1".utf8)
        expected += [0x4E, 12, 0, 0, 0, 0x7A, 1, 0, 0, 0, 0, 0, 0, 0] + Array("UTC".utf8)
        expected += [0x43, 130, 0, 0, 0]
        expected += [0xE8, 3, 0, 0, 0, 0, 0, 0] + [2, 0, 0, 0] + [1, 0, 0, 0] + chain
        expected += [0, 0, 0, 0, 0, 0, 0, 0] + zeros + [0, 0, 0, 0] + zeros
        expected += [1, 0, 1, 0] + Array("dc".utf8)
        expected += [0x45, 42, 0, 0, 0]
        expected += [0xE8, 3, 0, 0, 0, 0, 0, 0] + [5, 0, 0, 0, 0, 0, 0, 0] + [1, 0, 2, 0]
        expected += [0, 0, 0, 0] + [0, 0, 0, 0] + [1, 0, 8, 0] + [7] + Array("topic:x".utf8)
        expected += [1, 2]
        expected += [0x45, 32, 0, 0, 0]
        expected += [0xE8, 3, 0, 0, 0, 0, 0, 0] + [6, 0, 0, 0, 0, 0, 0, 0] + [1, 0, 0, 0]
        expected += [0, 0, 0, 0] + [1, 0, 0, 0] + [0, 0, 0, 0]
        expected += [0x42, 0, 0, 0, 0]
        expected += [0x5A, 73, 0, 0, 0] + [1] + [2, 0, 0, 0, 0, 0, 0, 0] + chain
        expected += SHA256.hash(expected)
        #expect(found == expected)
    }

    @Test("The row of a replica and the file of keys have the bytes that the document gives")
    func stateAndKeys() throws {
        var state = ReplicaState(hasKeys: true, target: 258)
        (state.completeThrough, state.lastShipment, state.partCount) = (3, 5, 4)
        #expect(
            state.bytes == [1] + [2, 1, 0, 0, 0, 0, 0, 0] + [3, 0, 0, 0, 0, 0, 0, 0]
                + [5, 0, 0, 0, 0, 0, 0, 0] + [4, 0, 0, 0])
        #expect(try ReplicaState(decoding: state.bytes.rawSpan) == state)
        for wrong in [[], [2] + state.bytes.dropFirst(), state.bytes + [0]] {
            #expect(throws: CorruptRecord.self) {
                try ReplicaState(decoding: Array(wrong).rawSpan)
            }
        }
        let folder = try TemporaryFolder()
        let log = try example(folder)
        _ = try ShipmentFolder(log).ship(to: folder.path("segments"), keysTo: folder.path("keys"))
        let found = Array(try Data(contentsOf: URL(filePath: folder.path("keys"))))
        let chain = try #require(Hexadecimal.bytes(FormatTests.chain))
        var expected = Array("daybook-keys-v1\n".utf8) + log.file.identifier
        expected += [2, 0, 0, 0, 0, 0, 0, 0] + chain + log.file.secret + [0, 0, 0, 0]
        expected += [0, 0, 0, 0]
        expected += SHA256.hash(expected)
        #expect(found == expected)
    }

    /// A reader of segments by `docs/format.md` alone, which checks digests and chain.
    private static let script = """
        import hashlib, struct, sys
        chain, position, logid = bytes(32), 0, None
        for path in sys.argv[1:]:
            data = open(path, "rb").read()
            assert data[:19] == b"daybook-segment-v1\\n"
            shipment, part, people, after = struct.unpack_from("<QIIQ", data, 35)
            assert after == position and data[59:91] == chain, path
            assert logid in (None, data[19:35]); logid = data[19:35]
            at, names, left = 91, [], 0
            while at < len(data):
                letter, count = data[at:at + 1], struct.unpack_from("<I", data, at + 1)[0]
                body = data[at + 5:at + 5 + count]; start, at = at, at + 5 + count
                if letter == b"N":
                    names.append(body)
                elif letter == b"C":
                    assert left == 0
                    left, expected = struct.unpack_from("<I", body, 8)[0], body[16:48]
                    digest = hashlib.sha256(chain + body[:16] + body[48:])
                    for name in names:
                        digest.update(name[:1] + struct.pack("<H", len(name) - 9) + name[9:])
                    names = []
                elif letter == b"E":
                    digest.update(body); position += 1; left -= 1
                    print(position, hashlib.sha256(body).hexdigest())
                    if not left:
                        assert digest.digest() == expected, position
                        chain = expected
                elif letter == b"Z":
                    assert hashlib.sha256(data[:at - 32]).digest() == body[41:] and at == len(data)
                    assert struct.unpack_from("<Q", body, 1)[0] == position
                    assert body[9:41] == chain
                else:
                    assert letter in (b"P", b"T", b"B"), letter
        print(f"{position}:{chain.hex()}")
        """

    @Test("A program in another language reads segments and proves their chain")
    func python() throws {
        let shipped = try ShippedLog()
        for number in 0..<40 as Range<Int64> {
            try shipped.append(number)
            if number % 15 == 14 { try shipped.ship() }
        }
        _ = try shipped.log.erase(.tags([Tag("person", "p1")]), catalogue: shipped.catalogue)
        try shipped.ship()
        let folder = try SegmentFolder(shipped.path("segments"))
        #expect(folder.names.count > 6)
        let transaction = try shipped.log.file.beginReading()
        var expected = ""
        try transaction.scanRows(shipped.log.file.tables.events) { (position: UInt64, value) in
            expected += "\(position) \(Hexadecimal.text(SHA256.hash(value.copied())))\n"
            return true
        }
        expected += "\(try shipped.log.chainHead())\n"
        let answer = try Python.run(Self.script, folder.names.map { folder.path(of: $0) })
        #expect(answer.code == 0 && answer.out == expected)
    }

    @Test("A replica is not salvaged, but pulled again")
    func salvage() throws {
        let shipped = try ShippedLog()
        try shipped.append(1)
        try shipped.ship()
        try shipped.pull("replica", hasKeys: true)
        #expect(throws: SalvageError.replica(path: shipped.path("replica"))) {
            try Salvage.run(
                shipped.path("replica"), to: shipped.path("new"), against: shipped.catalogue)
        }
    }
}
