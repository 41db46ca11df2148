import Daybook
import TestSupport
import Testing

@Suite struct TZifTests {
    private static let header: [UInt8] = [
        0x54, 0x5A, 0x69, 0x66, 0x32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]

    /// Never regenerate it from the code.
    static let byHand: [UInt8] =
        header + [
            // No transitions, one type, one character; the first half is skipped.
            0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1,
            0x7F, 0xFF, 0xFF, 0xFF, 9, 9, 0,
        ] + header + [
            // Two transitions, three types, eight characters.
            0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 8,
            0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            0x00, 0x00, 0x00, 0x00, 0x3B, 0x9A, 0xCA, 0x00,
            2, 1,
            0x00, 0x00, 0x77, 0x08, 0, 0,
            0x00, 0x00, 0x7E, 0x90, 0, 4,
            0xFF, 0xFF, 0xFF, 0xC4, 1, 4,
            0x4C, 0x4D, 0x54, 0x00, 0x4B, 0x53, 0x54, 0x00,
            0x0A, 0x4B, 0x53, 0x54, 0x2D, 0x39, 0x0A,
        ]

    /// Version 1: times of 32 bits, and nothing behind the tables.
    static let byHandInVersion1: [UInt8] = [
        0x54, 0x5A, 0x69, 0x66, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 4,
        0x80, 0x00, 0x00, 0x00,
        0x3B, 0x9A, 0xCA, 0x00,
        1, 0,
        0x00, 0x00, 0x0E, 0x10, 0, 0,
        0xFF, 0xFF, 0xF1, 0xF0, 1, 0,
        0x43, 0x45, 0x54, 0x00,
        0, 1, 1, 0,
    ]

    @Test(
        "A file's tables in its second half are read, then its footer",
        arguments: [
            (Int64.min, 30_472), (-2, 30_472), (-1, -60), (999_999_999, -60),
            (1_000_000_000, 32_400), (9_000_000_000, 32_400),
        ] as [(Int64, Int)])
    func version2(_ second: Int64, _ offsetS: Int) throws {
        let zone = try Zone(name: "Asia/Seoul", tzif: Self.byHand)
        #expect(zone.name == "Asia/Seoul")
        #expect(zone.offsetS(at: Self.instant(second)) == offsetS)
    }

    @Test(
        "The last offset of a version 1 file holds for ever",
        arguments: [
            (-2_147_483_649, 3_600), (-2_147_483_648, -3_600), (999_999_999, -3_600),
            (1_000_000_000, 3_600), (9_000_000_000, 3_600),
        ] as [(Int64, Int)])
    func version1(_ second: Int64, _ offsetS: Int) throws {
        let zone = try Zone(name: "x", tzif: Self.byHandInVersion1)
        #expect(zone.offsetS(at: Self.instant(second)) == offsetS)
    }

    @Test("Versions 2 to 4 read alike", arguments: ["2", "3", "4"] as [Character])
    func versions(_ version: Character) throws {
        let bytes = tzif(version: version, types: [0], footer: "KST-9")
        #expect(try Zone(name: "x", tzif: bytes).offsetS(at: Self.instant(0)) == 32_400)
    }

    private static func instant(_ second: Int64) -> Instant {
        let (microseconds, overflow) = second.multipliedReportingOverflow(by: 1_000_000)
        return Instant(microseconds: overflow ? .min : microseconds)
    }

    struct Damaged: CustomTestStringConvertible {
        var bytes: [UInt8]
        var error: InvalidZone

        init(_ bytes: [UInt8], _ error: InvalidZone) {
            self.bytes = bytes
            self.error = error
        }

        var testDescription: String { "\(bytes.count) bytes: \(error)" }
    }

    @Test(
        "Bytes that are not a zone are refused with the fault found",
        arguments: [
            Damaged([], .truncated(atByte: 0)),
            Damaged(Array("TZif2".utf8), .truncated(atByte: 5)),
            Damaged(Array(repeating: 0, count: 44), .noMagic(atByte: 0)),
            Damaged(byHand.with(0x33, at: 55), .unknownVersion(0x33)),
            Damaged(byHand.with(0x31, at: 4), .unknownVersion(0x31)),
            Damaged(byHand.with(0x35, at: 4), .unknownVersion(0x35)),
            Damaged(byHand.with(0x74, at: 51), .noMagic(atByte: 51)),
            Damaged(byHand.with(0, at: 90), .badTypeCount(0)),
            Damaged(byHand.with(3, at: 111), .unknownType(3)),
            Damaged(byHand.with(0x7F, at: 113), .badOffset(0x7F00_7708)),
            Damaged(byHand.with(0xFF, at: 103), .transitionsOutOfOrder(at: 1)),
            Damaged(byHand.with(0x21, at: byHand.count - 2), .badFooter("KST-!")),
            Damaged(byHand.with(0x0B, at: byHand.count - 7), .badFooter("?KST-9?")),
            Damaged(byHand.dropLast(), .truncated(atByte: byHand.count - 1)),
            Damaged(tzif(leapSeconds: Array(repeating: 1, count: 12)), .leapSeconds(1)),
            Damaged(tzif(transitions: [(7, 0), (7, 0)]), .transitionsOutOfOrder(at: 1)),
            Damaged(tzif(types: [-90_000]), .badOffset(-90_000)),
            Damaged(tzif(types: [93_600]), .badOffset(93_600)),
        ])
    func malformed(_ each: Damaged) {
        #expect(throws: each.error) { try Zone(name: "x", tzif: each.bytes) }
    }

    @Test("Offsets just within bounds are read", arguments: [-89_999, 93_599] as [Int32])
    func widestOffsets(_ offset: Int32) throws {
        let zone = try Zone(name: "x", tzif: tzif(types: [offset]))
        let date = try day("2020-03-08")
        let start = zone.start(of: date)
        #expect(zone.resolve(LocalTime(date: date, secondOfDay: 0)) == .unique(start))
        #expect(zone.day(at: start) == date)
    }

    @Test(
        "A count beyond the bytes is refused before any memory is used for it",
        arguments: (0..<6).flatMap { count in [20, 71].map { $0 + 4 * count } })
    func hugeCounts(_ byte: Int) {
        var bytes = Self.byHand
        bytes.replaceSubrange(byte..<byte + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: InvalidZone.truncated(atByte: bytes.count)) {
            try Zone(name: "x", tzif: bytes)
        }
    }

    @Test("No part of a file passes for the whole")
    func truncations() {
        checkTruncations(Self.byHand)
        checkTruncations(Self.byHandInVersion1)
    }

    @Test("No part of a real zone file passes for the whole", .needsZones)
    func truncationsOfNewYork() throws {
        checkTruncations(try TestZones.bytes("America/New_York"))
    }

    private func checkTruncations(_ bytes: [UInt8]) {
        for count in 0..<bytes.count {
            do throws(InvalidZone) {
                _ = try Zone(name: "x", tzif: Array(bytes[..<count]))
                Issue.record("\(count) of \(bytes.count) bytes are read")
            } catch {
                guard error != .truncated(atByte: count) else { continue }
                Issue.record("\(count) bytes: \(error)")
            }
        }
    }

    @Test(
        "Days follow one another whatever the bytes", .needsZones,
        arguments: [11, 12, 13, 14] as [UInt64])
    func damage(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let files = try ["Asia/Seoul", "Europe/Dublin", "Asia/Gaza"].map(TestZones.bytes)
        var read = 0
        for round in 0..<600 {
            var bytes = files[round % files.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let byte = Int.random(in: 0..<bytes.count, using: &random)
                bytes[byte] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            let zone: Zone
            do throws(InvalidZone) {
                zone = try Zone(name: "x", tzif: bytes)
            } catch {
                continue
            }
            read += 1
            let second = Int64.random(in: -4_000_000_000...8_000_000_000, using: &random)
            let instant = Instant(microseconds: second * 1_000_000)
            let date = zone.day(at: instant)
            let isWithin =
                zone.start(of: date) <= instant
                && instant < zone.start(of: date.adding(days: 1))
            #expect(isWithin, "seed \(seed), round \(round)")
            _ = zone.resolve(zone.local(at: instant))
        }
        #expect(read > 0, "seed \(seed)")
    }
}

extension [UInt8] {
    fileprivate func with(_ byte: UInt8, at index: Int) -> [UInt8] {
        var bytes = self
        bytes[index] = byte
        return bytes
    }
}
