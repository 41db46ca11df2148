import Daybook
import TestSupport
import Testing

/// Facts of the tz database, worked out by hand, and the table of splits of spec 5.6.
@Suite(.needsZones) struct CivilDayTests {
    struct Day: CustomTestStringConvertible {
        var zone: String
        var date: String
        var startMin = 0
        var start: String
        var minutes: Double
        var why: String

        init(
            _ zone: String, _ date: String, startMin: Int = 0, from start: String,
            minutes: Double, _ why: String
        ) {
            self.zone = zone
            self.date = date
            self.startMin = startMin
            self.start = start
            self.minutes = minutes
            self.why = why
        }

        var testDescription: String { "\(why): \(zone) \(date)" }
    }

    @Test(
        "A civil day starts and ends as the law of the place has it",
        arguments: [
            Day(
                "America/New_York", "2020-03-08", from: "2020-03-08T05:00:00Z", minutes: 1_380,
                "an hour less in spring"),
            Day(
                "America/New_York", "2020-11-01", from: "2020-11-01T04:00:00Z", minutes: 1_500,
                "an hour more in autumn"),
            Day(
                "Europe/Berlin", "2022-10-30", from: "2022-10-29T22:00:00Z", minutes: 1_500,
                "an hour more in autumn"),
            Day(
                "Europe/Berlin", "2024-03-31", from: "2024-03-30T23:00:00Z", minutes: 1_380,
                "an hour less in spring"),
            Day(
                "Asia/Seoul", "1988-05-08", from: "1988-05-07T15:00:00Z", minutes: 1_380,
                "summer time for the Olympics"),
            Day(
                "Asia/Seoul", "1988-10-09", from: "1988-10-08T14:00:00Z", minutes: 1_500,
                "its end"),
            Day(
                "Asia/Seoul", "2026-02-21", from: "2026-02-20T15:00:00Z", minutes: 1_440,
                "nothing happens"),
            Day(
                "Australia/Lord_Howe", "2024-10-06", from: "2024-10-05T13:30:00Z", minutes: 1_410,
                "half an hour less"),
            Day(
                "Australia/Lord_Howe", "2025-04-06", from: "2025-04-05T13:00:00Z", minutes: 1_470,
                "half an hour more"),
            Day(
                "America/Havana", "2024-03-10", from: "2024-03-10T05:00:00Z", minutes: 1_380,
                "no midnight, the day starts at 01:00"),
            Day(
                "America/Havana", "2024-11-03", from: "2024-11-03T04:00:00Z", minutes: 1_500,
                "two midnights, the first counts"),
            Day(
                "America/Sao_Paulo", "2018-11-04", from: "2018-11-04T03:00:00Z", minutes: 1_380,
                "no midnight"),
            Day(
                "America/Sao_Paulo", "2018-02-17", from: "2018-02-17T02:00:00Z", minutes: 1_500,
                "its last hour twice"),
            Day(
                "Asia/Beirut", "2022-03-27", from: "2022-03-26T22:00:00Z", minutes: 1_380,
                "no midnight"),
            Day(
                "Asia/Beirut", "2022-10-29", from: "2022-10-28T21:00:00Z", minutes: 1_500,
                "its last hour twice"),
            Day(
                "Pacific/Apia", "2011-12-29", from: "2011-12-29T10:00:00Z", minutes: 1_440,
                "the last day east of the date line"),
            Day(
                "Pacific/Apia", "2011-12-30", from: "2011-12-30T10:00:00Z", minutes: 0,
                "never was"),
            Day(
                "Pacific/Apia", "2011-12-31", from: "2011-12-30T10:00:00Z", minutes: 1_440,
                "the first day west of it"),
            Day(
                "Pacific/Kwajalein", "1993-08-21", from: "1993-08-21T12:00:00Z", minutes: 0,
                "never was"),
            Day(
                "Asia/Kathmandu", "1986-01-01", from: "1985-12-31T18:30:00Z", minutes: 1_425,
                "a quarter of an hour less, from midnight on"),
            Day(
                "Africa/Casablanca", "2024-03-10", from: "2024-03-09T23:00:00Z", minutes: 1_500,
                "back for Ramadan"),
            Day(
                "Africa/Casablanca", "2024-04-14", from: "2024-04-14T00:00:00Z", minutes: 1_380,
                "and forward behind it"),
            Day(
                "Africa/Monrovia", "1972-01-07", from: "1972-01-07T00:44:30Z", minutes: 1_395.5,
                "44 minutes and a half less"),
            Day(
                "Antarctica/Troll", "2024-03-31", from: "2024-03-31T00:00:00Z", minutes: 1_320,
                "two hours less"),
            Day(
                "Antarctica/Troll", "2024-10-27", from: "2024-10-26T22:00:00Z", minutes: 1_560,
                "two hours more"),
            Day(
                "Europe/Dublin", "2024-03-31", from: "2024-03-31T00:00:00Z", minutes: 1_380,
                "the end of a winter time behind the standard"),
            Day(
                "Europe/Dublin", "2024-10-27", from: "2024-10-26T23:00:00Z", minutes: 1_500,
                "its start"),
        ])
    func length(_ each: Day) throws { try check(each) }

    @Test(
        "A day that starts after midnight is cut by the same rule",
        arguments: [
            Day(
                "America/New_York", "2020-03-07", startMin: 150, from: "2020-03-07T07:30:00Z",
                minutes: 1_410, "up to the end of a gap"),
            Day(
                "America/New_York", "2020-03-08", startMin: 150, from: "2020-03-08T07:00:00Z",
                minutes: 1_410, "from the end of a gap"),
            Day(
                "America/New_York", "2020-10-31", startMin: 90, from: "2020-10-31T05:30:00Z",
                minutes: 1_440, "up to the first of two readings"),
            Day(
                "America/New_York", "2020-11-01", startMin: 90, from: "2020-11-01T05:30:00Z",
                minutes: 1_500, "from the first of two readings"),
            Day(
                "Australia/Lord_Howe", "2025-04-06", startMin: 105, from: "2025-04-05T14:45:00Z",
                minutes: 1_470, "from the first of two readings"),
            Day(
                "Pacific/Apia", "2011-12-30", startMin: 600, from: "2011-12-30T10:00:00Z",
                minutes: 600, "what is left of a skipped day: the next one up to 10:00"),
        ])
    func startMin(_ each: Day) throws { try check(each) }

    @Test(
        "A day far in the future follows the rule after the tables",
        arguments: [
            Day(
                "America/New_York", "2150-03-08", from: "2150-03-08T05:00:00Z", minutes: 1_380,
                "second Sunday of March"),
            Day(
                "America/New_York", "2150-11-01", from: "2150-11-01T04:00:00Z", minutes: 1_500,
                "first Sunday of November"),
            Day(
                "Australia/Lord_Howe", "2150-10-04", from: "2150-10-03T13:30:00Z", minutes: 1_410,
                "first Sunday of October"),
            Day(
                "Pacific/Auckland", "2150-09-27", from: "2150-09-26T12:00:00Z", minutes: 1_380,
                "last Sunday of September"),
            Day(
                "Europe/Dublin", "2150-10-25", from: "2150-10-24T23:00:00Z", minutes: 1_500,
                "last Sunday of October"),
            Day(
                "Asia/Seoul", "2150-10-25", from: "2150-10-24T15:00:00Z", minutes: 1_440,
                "nothing happens"),
        ])
    func farFuture(_ each: Day) throws { try check(each) }

    private func check(_ each: Day) throws {
        let zone = try TestZones.zone(each.zone)
        let date = try day(each.date)
        let start = zone.start(of: date, startMin: each.startMin)
        let end = zone.start(of: date.adding(days: 1), startMin: each.startMin)
        #expect(Timestamp.text(start) == each.start)
        #expect(Double(seconds(from: start, to: end)) / 60 == each.minutes)
        guard start < end else {
            #expect(zone.day(at: start, startMin: each.startMin) == date.adding(days: 1))
            return
        }
        let last = Instant(microseconds: end.microseconds - 1)
        #expect(zone.day(at: start, startMin: each.startMin) == date)
        #expect(zone.day(at: last, startMin: each.startMin) == date)
        #expect(zone.day(at: end, startMin: each.startMin) != date)
    }

    @Test(
        "A sleep is cut at every start of a day, and nothing is lost",
        arguments: [
            ("Asia/Seoul", "2026-02-20T20:10", "2026-02-21T07:05", [230, 425]),
            ("America/New_York", "2020-03-07T23:00", "2020-03-08T07:00", [60, 360]),
            ("America/New_York", "2020-10-31T23:00", "2020-11-01T07:00", [60, 480]),
            ("Europe/Berlin", "2024-03-30T22:30", "2024-03-31T06:30", [90, 330]),
            ("Europe/Berlin", "2024-10-26T22:30", "2024-10-27T06:30", [90, 450]),
            ("Australia/Lord_Howe", "2024-10-05T21:00", "2024-10-06T06:00", [180, 330]),
            ("America/Havana", "2024-03-09T22:00", "2024-03-10T06:00", [120, 300]),
            ("Pacific/Apia", "2011-12-29T22:00", "2011-12-31T06:00", [120, 0, 360]),
            ("Asia/Seoul", "2026-02-20T23:00", "2026-02-22T01:00", [60, 1_440, 60]),
        ] as [(String, String, String, [Int64])])
    func splits(_ name: String, _ start: String, _ end: String, _ minutes: [Int64]) throws {
        let zone = try TestZones.zone(name)
        let start = zone.resolve(try reading(start)).standard
        let end = zone.resolve(try reading(end)).standard
        #expect(pieces(of: zone, from: start, to: end).map { $0.seconds / 60 } == minutes)
        #expect(seconds(from: start, to: end) == minutes.reduce(0, +) * 60)
    }
}
