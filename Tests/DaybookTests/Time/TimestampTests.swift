import Daybook
import Foundation
import TestSupport
import Testing

// Holds: s4-fraction-of-a-second
@Suite struct TimestampTests {
    @Test(
        "A moment has one text, and reads back",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"),
            (1_737_471_234_567_000, "2025-01-21T14:53:54.567Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00Z"),
            (253_402_300_799_000_001, "9999-12-31T23:59:59.000001Z"),
        ] as [(Int64, String)])
    func texts(_ microseconds: Int64, _ text: String) {
        let instant = Instant(microseconds: microseconds)
        #expect(Timestamp.text(instant) == text)
        #expect(Timestamp.parse(text)?.instant == instant)
    }

    @Test(
        "A moment outside the years 0 to 9999 has a text with more digits or a sign",
        arguments: [
            (253_402_300_800_000_000, "10000-01-01T00:00:00Z"),
            (-62_167_219_200_000_000, "0000-01-01T00:00:00Z"),
            (-62_167_219_200_000_001, "-0001-12-31T23:59:59.999999Z"),
            (Int64.max, "294247-01-10T04:00:54.775807Z"),
            (Int64.min, "-290308-12-21T19:59:05.224192Z"),
        ] as [(Int64, String)])
    func distantTexts(_ microseconds: Int64, _ text: String) {
        #expect(Timestamp.text(Instant(microseconds: microseconds)) == text)
    }

    @Test(
        "Offsets have the forms of RFC 3339, and the compact form only on request",
        arguments: [
            ("2026-07-12T09:00:00+09:00", 32_400, true),
            ("2026-07-12T09:00:00+0900", nil, true), ("2026-07-12T09:00:00+0900", 32_400, false),
            ("2026-07-12T09:00:00-00:30", -1_800, true), ("2026-07-12T09:00:00", nil, true),
            ("2026-07-12T09:00:00+24:00", nil, true),
        ] as [(String, Int?, Bool)])
    func offsets(_ text: String, _ offsetS: Int?, _ isStrict: Bool) {
        #expect(
            Timestamp.parse(text, offsets: isStrict ? .rfc3339 : .compactToo)?.offsetS == offsetS)
    }

    static let cases = Checkout.sharedData.appending(path: "tz/rfc3339_cases.json")

    private struct Cases: Decodable {
        struct Case: Decodable {
            var text: String
            var valid: Bool
        }
        var cases: [Case]
    }

    @Test(
        "The published cases of RFC 3339 hold",
        .enabled(if: FileManager.default.fileExists(atPath: cases.path), "needs shared data"))
    func publishedCases() throws {
        let cases = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: Self.cases)).cases
        #expect(!cases.isEmpty)
        for each in cases {
            #expect((Timestamp.parse(each.text) != nil) == each.valid, "\(each.text)")
        }
    }

    @Test("Every day of ten thousand years follows the one before")
    func everyDayOfATenThousandYearsIsTheNextOfTheOneBefore() throws {
        var before = CivilDate(daysSince1970: -800_001)
        for days in -800_000...2_900_000 {
            let date = CivilDate(daysSince1970: days)
            guard date.daysSince1970 == days, before < date else {
                Issue.record("day \(days) is \(date)")
                return
            }
            before = date
        }
        #expect(CivilDate(year: 2026, month: 2, day: 29) == nil)
        #expect(CivilDate(year: 2024, month: 2, day: 29)?.daysSince1970 == 19_782)
    }

    @Test(
        "A moment is floored to whole units since 1970, and held to the range",
        arguments: [
            (1_999, 1_000, 1_000), (1_000, 1_000, 1_000), (0, 1_000, 0), (-1, 1_000, -1_000),
            (-1_000, 1_000, -1_000), (-1_001, 1_000_000, -1_000_000),
            (Int64.min, 1_000, Int64.min), (Int64.max, 1_000, 9_223_372_036_854_775_000),
        ] as [(Int64, Int64, Int64)])
    func floored(_ moment: Int64, _ unit: Int64, _ expected: Int64) {
        let floored = Instant(microseconds: moment).floored(toMicroseconds: unit)
        #expect(floored.microseconds == expected)
    }
}
