import Daybook
import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

/// Reports as text, tables and pictures.
@Suite struct ReportFormTests {
    /// A day of Berlin with something of everything.
    private func story() throws -> CareStory {
        var story = try CareStory(zone: "Europe/Berlin")
        try story.add(.sleep, "2024-03-30T22:30", "2024-03-31T06:30")
        try story.add(.sleep, "2024-03-31T12:00", "2024-03-31T13:30")
        try story.add(.sleep, "2024-03-31T12:30", "2024-03-31T13:40")
        try story.add(.formula, "2024-03-31T07:00", ["ml": "120"])
        try story.add(.formula, "2024-03-31T10:00")
        try story.add(.breastfeed, "2024-03-31T14:00", "2024-03-31T14:20", ["side": "left"])
        try story.add(.weaning, "2024-03-31T17:00", ["grams": "80"])
        try story.add(.pee, "2024-03-31T07:30", ["count": "2"])
        try story.add(.poo, "2024-03-31T09:00")
        try story.add(
            .medication, "2024-03-31T08:05", ["name": "<&\">\u{1B}[31m", "dose": "1 drop"])
        try story.add(.symptom, "2024-03-31T18:00", ["temp_c": "38.25"])
        try story.add(.growth, "2024-03-31T18:30", ["weight_kg": "7.1"])
        try story.add(.memo, "2024-03-31T19:00", ["memo": "smiled"])
        let evening = try story.time("2024-03-31T20:00")
        try story.give(
            BabyCare.Start(entryId: "o", babyId: "b", kind: "sleep", started: evening),
            at: evening)
        return story
    }

    private func text(_ story: CareStory, _ date: String, known: String) throws -> String {
        let reporter = story.reporter(
            knownAt: try story.time(known))
        let day = try Zones.date(date)
        return ReportText.day(reporter.day(day), ReportPicture(reporter, days: [day]))
    }

    @Test("A day's report has a bar, its marks, a table and its sources")
    func day() throws {
        let text = try text(story(), "2024-03-31", known: "2024-03-31T22:00")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        expect(lines[0], equals: "Sunday 31 March 2024 · Europe/Berlin · 23 h · so far")
        expect(
            lines[2...7],
            equals: [
                "  █████████████████················▓▓▓▓▓···················››››››······",
                "                    ●        ●           ○        ◆",
                "                     ▫    ▪",
                "  00    03       06       09       12       15       18       21",
                "  █ night  ▓ nap  › open  ● formula  ○ breast  ◆ weaning  ▫ pee  ▪ poo", "",
            ])
        for expected in [
            "Sleep         7 h 10 min (8 h 10 min with overlaps)",
            "              2 begun, longest 5 h 30 min, night 5 h 30 min, naps 1 h 40 min",
            "              open since 2024-03-31 20:00, not counted",
            "Awake         1 time, 5 h 30 min on average, at most 5 h 30 min",
            "Formula       120 ml in 2 feeds, 1 without an amount",
            "Breast        1 feed, 20 min (left 1)", "Weaning       80 g in 1 meal",
            "Diapers       pee 2, poo 1", "Medication    08:05 <&\">\\u{1B}[31m 1 drop",
            "Temperature   38.3 °C", "Growth        7100 g", "Memos         1",
        ] {
            #expect(lines.contains(expected), "\(expected)")
        }
        let entries = try #require(lines.firstIndex(of: "Entries"))
        expect(
            lines[(entries + 1)...].prefix(4),
            equals: [
                "  Sat 22:30–06:30  sleep                               e1",
                "  07:00            formula     120 ml                  e4",
                "  07:30            pee         × 2                     e8",
                "  08:05            medication  <&\">\\u{1B}[31m, 1 drop  e10",
            ], "\(lines)")
        #expect(lines.contains("  20:00– open      sleep                               o"))
        #expect(lines.allSatisfy { $0.count <= 80 && $0.last != " " })
        #expect(text.contains("rules standard.v2; baby b at position"))
    }

    @Test("The first forty of very many entries are listed, and ids are shown before amounts")
    func entries() throws {
        var story = try CareStory(zone: "UTC")
        for minute in 10..<52 {
            try story.add(
                .medication, "2024-03-31T07:\(minute)",
                ["name": "a very long name", "dose": "1000 drops"])
        }
        let reporter = story.reporter(knownAt: try story.time("2024-04-01T00:00"))
        let day = try Zones.date("2024-03-31")
        var report = reporter.day(day)
        report.entries[0].entryId = "babyconnect-0123456789abcdef-1-medication"
        let lines = ReportText.day(report, ReportPicture(reporter, days: [day]))
            .split(separator: "\n").map(String.init)
        #expect(lines.contains("  … 2 more; --json has them all"))
        #expect(
            lines.contains(
                "  07:10  medication  a very long nam…  babyconnect-0123456789abcdef-1-medication"),
            "\(lines)")
        expect(lines.count { $0.hasPrefix("  07:") }, equals: 40)
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test("A picture by the source's rules draws what its figures count, and names the rest")
    func sourcePicture() throws {
        var story = try CareStory(zone: "UTC")
        try story.add(.sleep, "2024-03-30T22:00", "2024-03-31T06:00")
        try story.add(.sleep, "2024-03-31T12:00", "2024-03-31T13:00")
        try story.add(.breastfeed, "2024-03-30T23:50", "2024-03-31T00:10")
        let evening = try story.time("2024-03-31T20:00")
        try story.give(
            BabyCare.Start(entryId: "o", babyId: "b", kind: "sleep", started: evening),
            at: evening)
        let known = try story.time("2024-04-01T00:00")
        let day = try Zones.date("2024-03-31")
        let pictures = try [BabyCare.Rules.standard, .source, .laterSource].map { rules in
            let reporter = story.reporter(rules, knownAt: known)
            let picture = ReportPicture(reporter, days: [day])
            let text = ReportText.day(reporter.day(day), picture)
            let week = reporter.week(try Zones.date("2024-03-25"))
            let days = week.days.compactMap { CivilDate(text: $0.date) }
            return (
                picture, text, ReportSVG.day(reporter.day(day), picture),
                ReportSVG.period(week, ReportPicture(reporter, days: days)),
                ReportText.period(week, ReportPicture(reporter, days: days))
            )
        }
        expect(pictures[0].0.days[0].sleeps.map(\.style), equals: [.night, .nap, .open])
        #expect(pictures[0].0.countingNote == nil)
        expect(pictures[1].0.days[0].sleeps.map(\.style), equals: [.countedOnEarlierDay, .nap])
        expect(pictures[2].0.days[0].sleeps.map(\.style), equals: [.night, .nap])
        expect(pictures.map { $0.0.days[0].marks.map(\.kind) }, equals: [[], [], [.breastfeed]])
        #expect(pictures[1].1.contains("  ▓ nap  - counted on the day it began\n"))
        for (drawn, note) in [
            (pictures[1], "A sleep counts whole on the day it began."),
            (pictures[2], "A sleep counts whole on each day it touches."),
        ] {
            #expect(drawn.1.contains("  \(note)\n"), "\(drawn.1)")
            #expect(drawn.2.contains(">\(note)<") && drawn.3.contains(">\(note)<"))
            #expect(drawn.4.contains("  \(note)\n"), "\(drawn.4)")
            #expect(!drawn.2.contains("not ended") && !drawn.3.contains("not ended"))
        }
        #expect(pictures[1].2.contains(">counted on the day it began<"))
        #expect(pictures[1].3.contains(">counted on the day it began<"))
        #expect(pictures[0].2.contains(">not ended<"))
    }

    @Test("A day without entries says so, and so does a day that did not happen")
    func empty() throws {
        let story = try CareStory(zone: "Pacific/Apia")
        let empty = try text(story, "2011-12-29", known: "2012-01-01T00:00")
        #expect(
            empty.contains(
                "Not recorded  formula, breastfeed, weaning, sleep, pee, poo, growth, memo,\n"
            ))
        #expect(!empty.contains(" 0 "))
        let skipped = try text(story, "2011-12-30", known: "2012-01-01T00:00")
        #expect(skipped.contains("This day did not happen there"))
    }

    @Test("A week's report has a line for each day, and dashes for unknown values")
    func week() throws {
        let reporter = try story().reporter()
        let report = reporter.week(try Zones.date("2024-03-25"))
        let picture = ReportPicture(
            reporter, days: report.days.compactMap { CivilDate(text: $0.date) })
        let lines = ReportText.period(report, picture).split(separator: "\n").map(String.init)
        expect(lines[0], equals: "Week 2024-W13, Mon 25 Mar to Sun 31 Mar · Europe/Berlin")
        #expect(lines[2].hasSuffix("     –     –     –     –"))
        #expect(lines[2].hasPrefix("Mon 25 Mar ····"))
        #expect(lines[8].contains("  7:10     3   120   2/1"))
        expect(lines[10], equals: "           █ night  ▓ nap  › open")
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines.contains { $0.hasPrefix("Trend         sleep new") })
    }

    @Test("Nine o'clock stands under 9 on every day of a week, also when the clocks change")
    func clockChanges() throws {
        for (monday, change) in [("2024-03-25", "2024-03-31"), ("2024-10-21", "2024-10-27")] {
            var story = try CareStory(zone: "Europe/Berlin")
            for day in [monday, change] {
                try story.add(.sleep, "\(day)T09:00", "\(day)T11:00")
            }
            let week = story.reporter(knownAt: Instant(microseconds: 1_800_000_000_000_000))
                .week(try Zones.date(monday))
            let days = week.days.compactMap { CivilDate(text: $0.date) }
            for columns in [80, 60] {
                let reporter = story.reporter(
                    knownAt: Instant(microseconds: 1_800_000_000_000_000))
                let text = ReportText.period(
                    week, ReportPicture(reporter, days: days), columns: columns)
                let lines = text.split(separator: "\n").map { Array($0) }
                let hours = try #require(lines.first { String($0).contains("06") })
                let nine = try #require(String(hours).range(of: "09")).lowerBound
                let place = String(hours).distance(from: String(hours).startIndex, to: nine)
                let drawn = lines.filter { $0.contains("▓") && !String($0).contains("nap") }
                expect(drawn.count, equals: 2, "\(text)")
                let bars = drawn.map { line in line.indices.filter { line[$0] == "▓" } }
                expect(bars[0], equals: bars[1], "\(text)")
                #expect((place...place + 1).contains(bars[0][0]), "\(text)")
            }
        }
    }

    @Test("A clock time is at one place of a picture on every day, also when the clocks change")
    func clockChangesInPictures() throws {
        // Zone, day of the change; what the clocks skipped or repeated, as places of the picture.
        let changes: [(zone: String, day: String, open: Int?, repeated: String?)] = [
            ("Europe/Berlin", "2024-03-31", 2, nil),
            ("Europe/Berlin", "2024-10-27", nil, "M180 145H216"),
            ("Australia/Lord_Howe", "2024-10-06", 2, nil),
            ("Australia/Lord_Howe", "2024-04-07", nil, "M162 145H180"),
        ]
        for change in changes {
            var story = try CareStory(zone: change.zone)
            try story.add(.sleep, "\(change.day)T09:00", "\(change.day)T11:00")
            try story.add(.formula, "\(change.day)T12:00", "\(change.day)T12:10")
            // Awake at midnight, asleep before and after the change.
            try story.add(.sleep, "\(change.day)T00:30", "\(change.day)T05:00")
            let day = try Zones.date(change.day)
            let reporter = story.reporter(knownAt: Instant(microseconds: 1_800_000_000_000_000))
            let picture = ReportSVG.day(reporter.day(day), ReportPicture(reporter, days: [day]))
            // 36 pixels an hour from 108 on.
            #expect(picture.contains("<rect x=\"432\" y=\"85\" width=\"72\""), "\(picture)")
            #expect(picture.contains("<circle cx=\"540\""), "\(picture)")
            let bands = picture.components(separatedBy: "fill=\"#f4f4f4\" stroke").count - 1
            expect(bands, equals: change.open ?? 1, "\(picture)")
            #expect(picture.contains("#c23b22\" stroke-width") == (change.repeated != nil))
            if let repeated = change.repeated { #expect(picture.contains(repeated), "\(picture)") }
            let nights = picture.components(separatedBy: "x=\"126\"").count - 1
            expect(nights, equals: 1, "the sleep begins at half past midnight: \(picture)")
            #expect(picture.contains("width=\"162\"") == (change.open == nil), "\(picture)")
        }
    }

    @Test("A picture is well-formed whatever names it holds, and the same each time")
    func svg() throws {
        var profile = Household.BabyProfileChanged()
        profile.dayStartMin = 420
        var hostile = try CareStory(zone: "Australia/Lord_Howe", profile: profile)
        try hostile.add(.sleep, "2024-10-05T21:00", "2024-10-06T06:00")
        for story in [try story(), hostile] {
            var reporter = story.reporter(knownAt: Instant(microseconds: 1_800_000_000_000_000))
            reporter.basis.babyId = "<&\">\u{1}"
            let first = try Zones.date("2024-10-01")
            let month = reporter.month(first)
            let days = month.days.compactMap { CivilDate(text: $0.date) }
            let day = try Zones.date("2024-03-31")
            let pictures = [
                ReportSVG.period(month, ReportPicture(reporter, days: days)),
                ReportSVG.day(reporter.day(day), ReportPicture(reporter, days: [day])),
                ReportSVG.day(
                    reporter.day(try Zones.date("2024-10-06")),
                    ReportPicture(reporter, days: [try Zones.date("2024-10-06")])),
            ]
            for picture in pictures {
                let parser = XMLParser(data: Data(picture.utf8))
                #expect(parser.parse(), "\(String(describing: parser.parserError))")
                #expect(!picture.contains("<script"))
                #expect(!picture.contains("=\"-"), "no place lies outside")
            }
            expect(
                pictures[0], equals: ReportSVG.period(month, ReportPicture(reporter, days: days)))
            // The legend names what is drawn, and a short or long day says why.
            expect(
                pictures[0].contains(">night sleep<"), equals: pictures[0].contains("#1f3f6e\"/>"))
            let length = reporter.day(day).figures.lengthS
            #expect(pictures[1].contains("clocks went") == (length != 86_400))
        }
    }

    @Test("A table has one row for each day, JSON's names, and empty cells for unknown values")
    func csv() throws {
        let reporter = try story().reporter()
        let dates = try ["2024-03-29", "2024-03-31"].map(Zones.date)
        let records = try CSVParser.parse(
            Array(CSVWriter.text(ReportCSV.days(dates.map(reporter.day))).utf8)
        ).map(\.fields)
        expect(records.count, equals: 3)
        let cell = { (row: Int, name: String) -> String? in
            records[0].firstIndex(of: name).map { records[row][$0] }
        }
        expect(cell(1, "sleep.unionS"), equals: "")
        expect(cell(2, "sleep.unionS"), equals: "25800")
        expect(cell(2, "sleep.sumS"), equals: "29400")
        expect(cell(2, "feed.breastfeed.left.count"), equals: "1")
        expect(cell(1, "diaper.pee"), equals: "")
        expect(cell(2, "diaper.pee"), equals: "2")
        expect(cell(1, "missing")?.hasPrefix("formula; breastfeed; "), equals: true)
        expect(Set(records.map(\.count)).count, equals: 1)
        let week = reporter.week(try Zones.date("2024-03-25"))
        let weekly = CSVWriter.text(ReportCSV.periods([week]))
        try expect(CSVParser.parse(Array(weekly.utf8)).count, equals: 8)
    }
}
