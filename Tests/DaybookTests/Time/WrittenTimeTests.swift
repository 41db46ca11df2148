import Daybook
import TestSupport
import Testing

@Suite struct WrittenTimeTests {
    /// Wednesday 2026-03-04 10:30:15.25 in Seoul.
    static let now = Instant(microseconds: 1_772_587_815_250_000)
    static let seoul = Zone(fixedOffset: "+09:00") ?? .utc

    private func read(_ text: String, in zone: Zone = seoul) -> WrittenTime? {
        WrittenTime(text, now: Self.now, in: zone)
    }

    @Test(
        "A clock time means all of its minute, second or fraction, in the zone or its own offset",
        arguments: [
            ("2026-03-03 14:00", "2026-03-03T05:00:00Z", 60_000_000),
            ("2026-03-03T14:00", "2026-03-03T05:00:00Z", 60_000_000),
            ("2026-03-03 14:00:05", "2026-03-03T05:00:05Z", 1_000_000),
            ("2026-03-03 14:00:05.25", "2026-03-03T05:00:05.250Z", 10_000),
            ("2026-03-03 14:00:05.250 +09:00", "2026-03-03T05:00:05.250Z", 1_000),
            ("2026-03-03 14:00:05.1234567", "2026-03-03T05:00:05.123456Z", 1),
            ("2026-03-03 14:00Z", "2026-03-03T14:00:00Z", 60_000_000),
            ("2026-03-03 14:00 Z", "2026-03-03T14:00:00Z", 60_000_000),
            ("2026-03-03 14:00+02:00", "2026-03-03T12:00:00Z", 60_000_000),
            ("2026-03-03 14:00 +02:00", "2026-03-03T12:00:00Z", 60_000_000),
            ("2026-03-03 14:00-0330", "2026-03-03T17:30:00Z", 60_000_000),
            ("yesterday 9:00", "2026-03-03T00:00:00Z", 60_000_000),
            ("monday at 09:30", "2026-03-02T00:30:00Z", 60_000_000),
            ("monday at 09:30 -01:00", "2026-03-02T10:30:00Z", 60_000_000),
            ("Today 00:00", "2026-03-03T15:00:00Z", 60_000_000),
            ("14:00", "2026-03-04T05:00:00Z", 60_000_000),
            ("14:00 Z", "2026-03-04T14:00:00Z", 60_000_000),
        ])
    func readsAClockTime(_ text: String, _ start: String, _ lengthUs: Int64) throws {
        let time = try #require(read(text))
        expect(Timestamp.text(time.start(in: Self.seoul)), equals: start)
        expect(
            time.end(in: Self.seoul).microseconds - time.start(in: Self.seoul).microseconds,
            equals: lengthUs - 1)
    }

    @Test(
        "An exact or relative time is one microsecond",
        arguments: [
            ("2026-07-12T12:00:00Z", "2026-07-12T12:00:00Z"), ("now", "2026-03-04T01:30:15.250Z"), ("-2h", "2026-03-03T23:30:15.250Z"),
            ("-1h30m", "2026-03-04T00:00:15.250Z"), ("+10s", "2026-03-04T01:30:25.250Z"),
            ("2 hours ago", "2026-03-03T23:30:15.250Z"), ("-1w", "2026-02-25T01:30:15.250Z"),
            ("3 days ago", "2026-03-01T01:30:15.250Z"),
        ])
    func readsAMoment(_ text: String, _ expected: String) {
        expect(read(text).map { Timestamp.text($0.start(in: Self.seoul)) }, equals: expected)
        expect(read(text).map { Timestamp.text($0.end(in: Self.seoul)) }, equals: expected)
    }

    @Test(
        "A day, week or month lasts from its first moment to its last",
        arguments: [
            ("2026-03-03", "2026-03-03", "2026-03-03"), ("today", "2026-03-04", "2026-03-04"),
            ("yesterday", "2026-03-03", "2026-03-03"), ("tomorrow", "2026-03-05", "2026-03-05"),
            ("monday", "2026-03-02", "2026-03-02"), ("wed", "2026-03-04", "2026-03-04"),
            ("Thursday", "2026-02-26", "2026-02-26"), ("this week", "2026-03-02", "2026-03-08"),
            ("last week", "2026-02-23", "2026-03-01"), ("2026-W10", "2026-03-02", "2026-03-08"),
            ("2026-02", "2026-02-01", "2026-02-28"), ("last month", "2026-02-01", "2026-02-28"),
            ("this month", "2026-03-01", "2026-03-31"),
        ])
    func readsDays(_ text: String, _ first: String, _ last: String) throws {
        let time = try #require(read(text))
        expect(Self.seoul.day(at: time.start(in: Self.seoul)).text, equals: first)
        expect(Self.seoul.day(at: time.end(in: Self.seoul)).text, equals: last)
        let next = time.end(in: Self.seoul).advanced(byMicroseconds: 1)
        expect(Self.seoul.day(at: next), equals: CivilDate(text: last)?.adding(days: 1))
        expect(time.date(in: Self.seoul).text, equals: first)
    }

    @Test(
        "Any other text is no time",
        arguments: [
            "", "noon", "2026-13-01", "2026-02-30", "25:00", "14:60", "-", "+", "-2", "2h", "-2x",
            "2026-03-03 14:00 +", "2026-03-03 +02:00", "14:00 +02:00 +02:00", "2026-03-03 14", "2026-03-03 14:00 Seoul", "yesterday 25:00", "-h",
            "-99999999h", "--2h", "-2h ago", "2026-W54", "next year", "monday tuesday",
            "2026-03-03 14:00:00:00", "2026-03-03 14:00+99:00", "\u{0}", "１４:００",
        ])
    func refusesOtherTexts(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test("A reading that the clocks showed twice or never says so", .needsZones)
    func doubtfulReadings() throws {
        let zone = try TestZones.zone("America/Los_Angeles")
        let skipped = try #require(read("2020-03-08 02:30", in: zone))
        expect(
            skipped, equals: .clock(
                Instant(microseconds: 1_583_663_400_000_000), lengthUs: 60_000_000, .nonexistent))
        let twice = try #require(read("2020-11-01 01:30", in: zone))
        expect(twice, equals: .clock(
                Instant(microseconds: 1_604_219_400_000_000), lengthUs: 60_000_000, .ambiguous))
    }

    @Test("Days and weeks ago keep the time of day over a change of the clocks", .needsZones)
    func daysKeepTheTimeOfDay() throws {
        let zone = try TestZones.zone("America/Los_Angeles")
        let noon = zone.resolve(
            LocalTime(date: try #require(CivilDate(text: "2020-03-08")), secondOfDay: 43_200)
        ).standard
        let time = try #require(WrittenTime("-1d", now: noon, in: zone))
        expect(zone.local(at: time.start(in: zone)).text, equals: "2020-03-07T12:00:00")
    }

    @Test("Every text of a few thousand made of the words is read or refused without a trap")
    func survivesAnyText() {
        let words = [
            "-", "+", "9", "99", "h", "d", "w", "ago", " ", ":", "2026-03-03", "T", "Z", "monday",
            "week", "last", "9999999999999999999",
        ]
        for a in words {
            for b in words {
                for c in words {
                    let time = read(a + b + c)
                    _ = time?.start(in: Self.seoul)
                    _ = time?.end(in: Self.seoul)
                }
            }
        }
        let long = String(repeating: "-999999w", count: 5_000)
        #expect(read(long) == nil)
    }

    @Test("A moment is written as the clocks of its zone show it")
    func textInAZone() throws {
        expect(Timestamp.text(Self.now, in: Self.seoul), equals: "2026-03-04T10:30:15.250+09:00")
        expect(Timestamp.text(Self.now, in: .utc), equals: "2026-03-04T01:30:15.250Z")
        expect(Timestamp.text(Self.now, offsetS: -12_600), equals: "2026-03-03T22:00:15.250-03:30")
        expect(Timestamp.text(Self.now, offsetS: 30), equals: "2026-03-04T01:30:15.250Z")
    }
}
