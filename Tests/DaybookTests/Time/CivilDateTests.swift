import Daybook
import TestSupport
import Testing

@Suite struct CivilDateTests {
    @Test(
        "The week of the year is that of its Thursday",
        arguments: [
            ("2020-12-31", 4, "2020-W53", "2020-12-28", "2020-12-27"),
            ("2021-01-01", 5, "2020-W53", "2020-12-28", "2020-12-27"),
            ("2021-01-03", 7, "2020-W53", "2020-12-28", "2021-01-03"),
            ("2021-01-04", 1, "2021-W01", "2021-01-04", "2021-01-03"),
            ("2024-12-30", 1, "2025-W01", "2024-12-30", "2024-12-29"),
            ("2024-12-31", 2, "2025-W01", "2024-12-30", "2024-12-29"),
            ("2020-03-08", 7, "2020-W10", "2020-03-02", "2020-03-08"),
            ("1970-01-01", 4, "1970-W01", "1969-12-29", "1969-12-28"),
            ("1969-12-28", 7, "1969-W52", "1969-12-22", "1969-12-28"),
        ])
    func weeks(
        _ text: String, _ weekday: Int, _ week: String, _ monday: String, _ sunday: String
    ) throws {
        let date = try day(text)
        expect(date.isoWeekday, equals: weekday)
        expect(date.isoWeekText, equals: week)
        expect(date.startOfWeek(startingOn: .monday).text, equals: monday)
        expect(date.startOfWeek(startingOn: .sunday).text, equals: sunday)
        #expect(CivilDate.week(text: week) == (try day(text).adding(days: 1 - weekday)))
    }

    @Test(
        "A moment lies in a day of UTC, which begins at its midnight",
        arguments: [
            (0, 0), (-1, -1), (86_399_999_999, 0), (86_400_000_000, 1), (-86_400_000_000, -1),
            (-86_400_000_001, -2),
        ] as [(Int64, Int)])
    func utcDays(_ microseconds: Int64, _ day: Int) {
        let moment = Instant(microseconds: microseconds)
        let date = CivilDate(utcDayOf: moment)
        expect(date.daysSince1970, equals: day)
        #expect(date.utcStart <= moment && moment < date.adding(days: 1).utcStart)
        expect(date.utcStart.microseconds, equals: Int64(day) * Instant.dayUs)
    }

    @Test("Every day of a thousand years has one week and one text")
    func everyDayOfAThousandYearsHasOneWeekAndOneText() throws {
        for days in -200_000...200_000 {
            let date = CivilDate(daysSince1970: days)
            let (year, week) = date.isoWeek
            let sunday = date.startOfWeek(startingOn: .sunday)
            guard
                CivilDate(isoYear: year, week: week, weekday: date.isoWeekday) == date,
                CivilDate(text: date.text) == date,
                sunday.isoWeekday == 7, (0...6).contains(days - sunday.daysSince1970)
            else {
                Issue.record("\(date)")
                return
            }
        }
    }

    @Test(
        "A year has 53 weeks only if it has 53 Thursdays",
        arguments: [(2020, true), (2021, false), (2026, true), (2024, false), (2015, true)])
    func longYears(_ year: Int, _ isLong: Bool) {
        #expect((CivilDate(isoYear: year, week: 53, weekday: 7) != nil) == isLong)
        #expect((CivilDate.week(text: "\(year)-W53") != nil) == isLong)
        #expect(CivilDate(isoYear: year, week: 52, weekday: 1) != nil)
    }

    @Test(
        "Weeks and weekdays that do not exist are refused",
        arguments: [(0, 1), (54, 1), (-1, 1), (1, 0), (1, 8)])
    func noWeeks(_ week: Int, _ weekday: Int) {
        #expect(CivilDate(isoYear: 2020, week: week, weekday: weekday) == nil)
    }

    @Test(
        "Months have neighbours across the ends of years too",
        arguments: [
            ("2020-03-08", "2020-02-01", "2020-03-01", "2020-04-01"),
            ("2020-12-31", "2020-11-01", "2020-12-01", "2021-01-01"),
            ("2020-01-01", "2019-12-01", "2020-01-01", "2020-02-01"),
            ("2024-02-29", "2024-01-01", "2024-02-01", "2024-03-01"),
        ])
    func months(_ text: String, _ before: String, _ first: String, _ next: String) throws {
        let date = try day(text)
        expect(date.firstOfPreviousMonth.text, equals: before)
        expect(date.firstOfMonth.text, equals: first)
        expect(date.firstOfNextMonth.text, equals: next)
        expect(CivilDate.month(text: date.monthText), equals: date.firstOfMonth)
    }

    @Test(
        "Days are added across months and years",
        arguments: [
            ("2024-02-28", 1, "2024-02-29"), ("2023-02-28", 1, "2023-03-01"),
            ("2024-12-31", 1, "2025-01-01"), ("1970-01-01", -1, "1969-12-31"),
            ("2020-03-08", 0, "2020-03-08"), ("2000-01-01", 146_097, "2400-01-01"),
        ])
    func adding(_ text: String, _ days: Int, _ sum: String) throws {
        try expect(day(text).adding(days: days).text, equals: sum)
    }

    @Test(
        "A date is read in one form only",
        arguments: [
            "", "2020-3-08", "2020-03-8", "2020-02-30", "2020-00-01", "2020-13-01", "2020-01-00",
            "20200308", "2020/03/08", " 2020-03-08", "2020-03-08 ", "+2020-03-0", "-200-03-08",
            "2020-03-08T00:00:00", "２０２０-03-08", "2020-03-0\u{0664}", "2020-W1008",
        ])
    func refusedDays(_ text: String) {
        #expect(CivilDate(text: text) == nil)
    }

    @Test(
        "A month or a week is read in one form only",
        arguments: [
            "", "2020", "2020-1", "2020-00", "2020-13", "2020-03-08", "2020-w10", "2020W10",
            "2020-W00", "2020-W54", "2020-W1", "2020-W101", "2020-W-1", "2021-W53",
        ])
    func refusedMonthsAndWeeks(_ text: String) {
        #expect(CivilDate.month(text: text) == nil)
        #expect(CivilDate.week(text: text) == nil)
    }
}
