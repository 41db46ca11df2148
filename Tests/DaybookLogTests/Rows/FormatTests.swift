import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// The bytes of `docs/format.md`, written by hand and never made from the code.
@Suite struct FormatTests {
    static let header: [UInt8] = [
        0x15, 0xCD, 0x5B, 0x07, 0, 0, 0, 0,  // recordedAt 123456789
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,  // occurredAt -1
        0x01, 0x00,  // kind row 1
        0x02, 0x00,  // zone row 2
        0x90, 0x7E, 0x00, 0x00,  // offsetS 32400
        0x03, 0x00, 0x00, 0x00,  // commitOffset 3
        0x01,  // tagCount
        0x00,  // zero
        0x08, 0x00,  // tagByteCount
        7, 0x74, 0x6F, 0x70, 0x69, 0x63, 0x3A, 0x78,  // "topic:x"
    ]

    @Test("A header is read from its bytes")
    func aHeaderIsReadFromItsBytes() throws {
        let header = try EventHeader(decoding: Self.header.rawSpan)
        #expect(header.recordedAt == Instant(microseconds: 123_456_789))
        #expect(header.occurredAt == Instant(microseconds: -1))
        #expect(header.kind == 1 && header.zone == 2 && header.offsetS == 32_400)
        #expect(header.commitOffset == 3)
        #expect(header.payloadOffset == 40)
        #expect(try header.tags(in: Self.header.rawSpan) == [Tag("topic", "x")])
    }

    @Test("A header that ends early is refused", arguments: 0..<header.count)
    func truncated(count: Int) {
        #expect(throws: CorruptRecord.self) {
            try EventHeader(decoding: Array(Self.header[..<count]).rawSpan)
        }
    }

    @Test("Names that lie apart are within the row, and at most 127")
    func namesApart() throws {
        var bytes = Self.header
        bytes[29] = 1
        #expect(throws: CorruptRecord.truncated(field: "names", needs: 48, bytes: 40)) {
            try EventHeader(decoding: bytes.rawSpan)
        }
        bytes += [0x80, 0, 0, 0, 0, 0, 7, 0, 0, 0]
        let header = try EventHeader(decoding: bytes.rawSpan)
        #expect(header.payloadRange(in: bytes.rawSpan) == 40..<42)
    }

    @Test("The seal of integers that lie apart ends the row, behind the names")
    func numbersApart() throws {
        var bytes = Self.header
        bytes[29] = 0x81
        let parts: [UInt8] = [0, 0, 0, 0, 7, 0, 0, 0]
        let seal = (1...32).map { UInt8($0) }
        #expect(throws: CorruptRecord.truncated(field: "digest of integers", needs: 80, bytes: 79))
        {
            try EventHeader(decoding: (bytes + parts + seal.dropLast()).rawSpan)
        }
        bytes += [0x80, 0, 0x80, 0] + parts + seal
        let header = try EventHeader(decoding: bytes.rawSpan)
        #expect(header.nameCount == 1 && header.hasNumbers)
        #expect(header.payloadRange(in: bytes.rawSpan) == 40..<44)
        #expect(header.numbersSeal(in: bytes.rawSpan) == seal)
    }

    /// One commit of two events, made under a fixed clock; the chain value was computed with
    /// Python's hashlib over the bytes that `docs/format.md` names.
    @Test("A commit and its chain are the bytes the document says")
    func aCommitAndItsChainAreTheBytesTheDocumentSays() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(
            path: folder.path("log"), access: .create, clock: { Instant(microseconds: 1_000) })
        _ = try log.append(FormatTests.example)
        let transaction = try log.file.beginReading()
        let commit = try #require(try transaction.row(1, in: log.file.tables.commits)?.copied())
        var expected: [UInt8] = [0xE8, 0x03, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0]
        expected += try #require(Hexadecimal.bytes(Self.chain))
        expected += [UInt8](repeating: 0, count: 8 + 32 + 4 + 32)
        expected += [1, 0, 1, 0] + Array("dc".utf8)
        #expect(commit == expected, "\(Hexadecimal.text(commit))")
        let first = try #require(try transaction.row(1, in: log.file.tables.events)?.copied())
        #expect(
            first == [0xE8, 0x03, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0]
                + [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 8, 0, 7] + Array("topic:x".utf8) + [1, 2])
        let name = try #require(try transaction.row(2, in: log.file.tables.names)?.copied())
        #expect(name == [0x7A, 1, 0, 0, 0, 0, 0, 0, 0] + Array("UTC".utf8))
        #expect(PersonalRow.key(258, 3) == [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 3])
    }

    /// Checksums and index rows computed with the Python of `docs/format.md`.
    @Test("Rows end with the checksum that the document defines")
    func checksums() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(
            path: folder.path("log"), access: .create, clock: { Instant(microseconds: 1_000) })
        let event = NewEvent(
            kind: "test.a.v1", tags: [Tag("topic", "x")],
            occurredAt: Instant(microseconds: 5), zone: "UTC", payload: [1, 2])
        _ = try log.append(AppendRequest([event]))
        try log.reindex()
        let transaction = try log.file.beginReading()
        let stored = try transaction.bytes(for: UInt64(1), in: log.file.tables.events.table)?
            .copied()
        #expect(Hexadecimal.text(stored?.suffix(8) ?? []) == "6ddbe7b2282fc831")
        let tag = Array("topic:x".utf8)
        let last = try transaction.bytes(for: tag.rawSpan, in: log.file.tables.tags.table)?.copied()
        #expect(Hexadecimal.text(last ?? []) == "0100000000000000825a294232d4d0ad")
        let key = [0x74] + tag + [0, 0, 0, 0, 0, 0, 0, 0, 1]
        let block = try transaction.bytes(for: key.rawSpan, in: log.file.tables.index.table)?
            .copied()
        #expect(Hexadecimal.text(block ?? []) == "0000000000000000018483e91a55d53251")
        let end = [0x74] + tag + [0] + [UInt8](repeating: 0xFF, count: 8)
        let summary = try transaction.row(end.rawSpan, in: log.file.tables.index)?.copied()
        #expect(summary == [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    }

    /// The commit of the example in `docs/format.md`, to be made at 1,000 µs.
    static let example = AppendRequest(
        [
            NewEvent(
                kind: "test.a.v1", tags: [Tag("topic", "x")],
                occurredAt: Instant(microseconds: 5), zone: "UTC", payload: [1, 2]),
            NewEvent(
                kind: "test.a.v1", tags: [], occurredAt: Instant(microseconds: 6), payload: []),
        ], metadata: CommitMetadata(device: "d", correlation: "c"))

    /// The chain value of `example` as the first commit.
    static let chain = "ee7eef9a47664dc6a60c61b003073907e57aa2d268c5a2fad24f7ebe32a007d0"
}
