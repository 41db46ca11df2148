import Daybook
import DaybookFoundation
import Foundation
import TestSupport
import Testing

/// Times as dates of Foundation.
@Suite("Dates") struct DateTests {
    @Test(
        "A date is the nearest microsecond, before 1970 too",
        arguments: [
            (0, 0), (0.000_000_4, 0), (0.000_000_6, 1), (-0.000_000_4, 0), (-0.000_000_6, -1),
            (1.25, 1_250_000), (-1.25, -1_250_000), (1_772_353_800.123_457, 1_772_353_800_123_457),
            (-62_135_769_600, -62_135_769_600_000_000),
        ] as [(Double, Int64)])
    func nearest(_ seconds: Double, _ microseconds: Int64) {
        // From 2001, where a date counts from, as it is more exact there.
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let reference: Int64 = 978_307_200_000_000
        expect(Instant(date)?.microseconds, equals: reference + microseconds)
    }

    @Test(
        "A date that is no time, or too far from 1970, gives none",
        arguments: [.nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude]
            + [9.3e12, -9.3e12, 1e19, -1e19] as [Double])
    func impossible(_ seconds: Double) {
        expect(Instant(Date(timeIntervalSinceReferenceDate: seconds)), equals: nil)
    }

    @Test("Dates near the ends of what an instant holds are converted")
    func ends() {
        for seconds in [9.2e12, -9.2e12] {
            let microseconds = Instant(Date(timeIntervalSince1970: seconds))?.microseconds
            expect(microseconds, equals: Int64(seconds) * 1_000_000)
        }
        for date in [Date.distantPast, .distantFuture] {
            expect(Instant(date).map(Date.init), equals: date)
        }
        for end in [Int64.min, .max] {
            let date = Date(Instant(microseconds: end))
            #expect(abs(date.timeIntervalSince1970 - Double(end) / 1_000_000) < 0.01)
        }
    }

    @Test("Each microsecond of the years 1730 to 2272 survives a date")
    func roundTrip() {
        let first: Int64 = -7_573_651_200_000_000
        let last: Int64 = 9_561_801_599_999_999
        var generator = SeededGenerator(seed: 2026)
        let drawn = (0..<20_000).map { _ in Int64.random(in: first...last, using: &generator) }
        for microseconds in drawn + [first, last, -1, 0, 1, 999_999, -999_999] {
            let instant = Instant(microseconds: microseconds)
            if Instant(Date(instant)) != instant {
                Issue.record("\(microseconds) becomes \(Date(instant))")
                break
            }
        }
    }
}
