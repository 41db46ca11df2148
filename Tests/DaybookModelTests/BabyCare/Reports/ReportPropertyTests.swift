import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-cancelled-uncounted, s4-sleep-parts
/// What must hold for any history, in zones whose clocks do everything clocks do.
@Suite struct ReportPropertyTests {
    static let zones = [
        "Australia/Lord_Howe", "America/Havana", "Pacific/Apia", "Asia/Kathmandu",
        "Africa/Casablanca", "America/Los_Angeles", "Europe/Dublin", "America/Sao_Paulo", "UTC",
    ]
    private static let seed: UInt64 = 20_260_219

    /// A history of a month around a day on which the zone's clocks may change.
    private func history(
        _ zone: String, _ random: inout SeededGenerator
    ) throws -> (story: CareStory, first: CivilDate) {
        var profile = Household.BabyProfileChanged()
        profile.dayStartMin = [0, 0, 120, 420].randomElement(using: &random)
        profile.weekStart = [.monday, .sunday].randomElement(using: &random)
        var story = try CareStory(zone: zone, profile: profile)
        let dates = [
            "2011-12-15", "2024-03-01", "2024-09-25", "2018-10-25", "2026-02-01", "2020-03-01",
        ]
        let first = try Zones.date(dates.randomElement(using: &random) ?? "2026-02-01")
        let base = Instant(microseconds: Int64(first.daysSince1970) * Instant.dayUs)
        for index in 0..<60 {
            let start = base + Int64.random(in: 0..<30 * 86_400_000_000, using: &random)
            let length = Int64.random(in: 0..<50 * 3_600_000_000, using: &random)
            let kind = BabyCare.Kind.allCases.randomElement(using: &random) ?? .sleep
            let hasEnd = kind == .sleep || Bool.random(using: &random)
            try story.give(
                BabyCare.RecordEntry(
                    entryId: "e\(index)", babyId: "b", kind: kind.name, started: start,
                    ended: hasEnd ? start + length : nil,
                    value: ["ml": Scalar("\(Int.random(in: 0...250, using: &random))")]),
                at: start)
        }
        return (story, first)
    }

    @Test("The parts of all sleeps over a zone's days add up to the whole", arguments: zones)
    func parts(_ zone: String) throws {
        var random = SeededGenerator(seed: Self.seed)
        for round in 0..<20 {
            let (story, first) = try history(zone, &random)
            let reporter = story.reporter()
            var (sum, started, longest) = (Int64(0), Int64(0), Int64(0))
            for day in -2...40 {
                let sleep = reporter.day(first.adding(days: day)).figures.sleep
                sum += sleep?.sumS ?? 0
                started += sleep?.startedS ?? 0
                longest = max(longest, sleep?.longestS ?? 0)
            }
            let floor = { (time: Instant) in
                let us = time.microseconds
                return us >= 0 ? us / 1_000_000 : -((999_999 - us) / 1_000_000)
            }
            let whole = reporter.entries.filter { $0.kind == .sleep }
                .reduce(Int64(0)) { $0 + floor($1.ended ?? 0) - floor($1.started) }
            #expect(sum == whole, "seed \(Self.seed), round \(round)")
            #expect(started == whole, "seed \(Self.seed), round \(round)")
            #expect(longest <= 25 * 3_600 + 1_800)
        }
    }

    @Test("A week is the sum of its days, in sleep, counts and diapers", arguments: zones)
    func weeks(_ zone: String) throws {
        var random = SeededGenerator(seed: Self.seed &+ 1)
        for round in 0..<10 {
            let (story, first) = try history(zone, &random)
            let reporter = story.reporter()
            for week in 0..<5 {
                let report = reporter.week(
                    first.adding(days: 7 * week).startOfWeek(startingOn: .monday))
                let total = { (field: KeyPath<BabyCare.DayOfPeriod, Int64?>) in
                    report.days.reduce(0) { $0 + ($1[keyPath: field] ?? 0) }
                }
                let place: Comment = "seed \(Self.seed), round \(round), week \(report.from)"
                let figures = report.figures
                #expect(total(\.sleepSumS) == figures.sleep?.sumS ?? 0, place)
                #expect(total(\.sleepUnionS) == figures.sleep?.unionS ?? 0, place)
                let (night, nap) = (figures.sleep?.nightS ?? 0, figures.sleep?.napS ?? 0)
                #expect(night + nap == figures.sleep?.unionS ?? 0, place)
                let days = (0..<7).compactMap {
                    CivilDate(text: report.from)?.adding(days: $0)
                }.map { reporter.day($0).figures.sleep }
                #expect(days.reduce(0) { $0 + ($1?.nightS ?? 0) } == night, place)
                #expect(total(\.sleepCount) == figures.sleep?.count ?? 0, place)
                #expect(total(\.pee) == figures.diaper.pee ?? 0, place)
                #expect(report.days.reduce(0) { $0 + $1.lengthS } == figures.lengthS, place)
            }
        }
    }

    @Test(
        "United sleep is what a count of every minute says", arguments: ["UTC", "Asia/Kathmandu"])
    func united(_ zone: String) throws {
        var random = SeededGenerator(seed: Self.seed &+ 2)
        var story = try CareStory(zone: zone)
        let day = try Zones.date("2026-02-19")
        var minutes = Set<Int>()
        for index in 0..<12 {
            let start = Int.random(in: -300..<1_600, using: &random)
            let length = Int.random(in: 1..<400, using: &random)
            minutes.formUnion((start..<start + length).filter { (0..<1_440).contains($0) })
            let base = story.zone.start(of: day)
            let started = base + Int64(start) * 60_000_000
            try story.give(
                BabyCare.RecordEntry(
                    entryId: "e\(index)", babyId: "b", kind: "sleep", started: started,
                    ended: started + Int64(length) * 60_000_000),
                at: started)
        }
        #expect(story.reporter().day(day).figures.sleep?.unionS == Int64(minutes.count) * 60)
    }

    @Test("Cancelling and restoring changes no figure", arguments: BabyCare.Rules.allCases)
    func restored(_ rules: BabyCare.Rules) throws {
        var random = SeededGenerator(seed: Self.seed &+ 3)
        for round in 0..<10 {
            var (story, first) = try history("America/Havana", &random)
            let before = figures(story, first, rules)
            for index in 0..<60 where Bool.random(using: &random) {
                let now = Instant(microseconds: .max / 4)
                try story.give(
                    BabyCare.Cancel(entryId: "e\(index)", rules: rules), at: now)
                if index % 3 == 0 { #expect(figures(story, first, rules) != before) }
                try story.give(
                    BabyCare.Restore(entryId: "e\(index)", rules: rules), at: now)
            }
            #expect(figures(story, first, rules) == before, "seed \(Self.seed), round \(round)")
        }
    }

    /// All figures of 40 days but the count of restorations, which is what changed, and that of
    /// feeds without a length, to which the source documents give an end at their start.
    private func figures(
        _ story: CareStory, _ first: CivilDate, _ rules: BabyCare.Rules
    ) -> [BabyCare.Figures] {
        let reporter = story.reporter(rules)
        return (-3...36).map { day in
            var figures = reporter.day(first.adding(days: day)).figures
            figures.restoredCount = 0
            figures.feed.breastfeed?.missingDurationCount = 0
            return figures
        }
    }

    @Test("The order in which entries of different kinds arrive changes no report")
    func order() throws {
        var random = SeededGenerator(seed: Self.seed &+ 4)
        for round in 0..<10 {
            let (story, first) = try history("Africa/Casablanca", &random)
            var other = try CareStory(zone: "Africa/Casablanca")
            let events = story.events.sorted { a, b in
                "\(kind(a.event))" < "\(kind(b.event))"
            }
            for (event, envelope) in events.dropFirst(0) {
                other.record(event, at: envelope.occurredAt)
            }
            #expect(
                figures(other, first, .standard) == figures(story, first, .standard),
                "seed \(Self.seed), round \(round)")
        }
    }

    private func kind(_ event: BabyCare.Event) -> Int {
        guard case .entryRecorded(let recorded) = event else { return -1 }
        return Int(recorded.kind.rawValue)
    }
}
