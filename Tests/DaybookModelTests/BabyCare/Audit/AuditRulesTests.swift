import Daybook
import TestSupport
import Testing

@testable import DaybookModel

@Suite struct AuditRulesTests {
    struct Planted: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var facts: [BabyCare.Event]
        var found: [String]

        init(_ sentence: String, _ facts: [BabyCare.Event], finds found: String...) {
            testDescription = sentence
            self.facts = facts
            self.found = found
        }
    }

    private static let time = AuditHistory.time

    @Test(
        "Each planted mistake is found by its rule alone, with its event and entity",
        arguments: [
            Planted(
                "two open in a slot", [Fact.opened("a", 0), Fact.opened("c", 10)],
                finds: "B1 2 entry:c"),
            Planted(
                "a restored one is the second open",
                [
                    Fact.opened("a", 0), Fact.cancelled("a", was: .open), Fact.opened("c", 10),
                    Fact.restored("a", to: .open),
                ], finds: "B1 4 entry:a"),
            Planted(
                "the first open one has got another id",
                [
                    Fact.opened("local-1", 0), Fact.replaced(.careEntry, "local-1", "one"),
                    Fact.opened("c", 10),
                ], finds: "B1 3 entry:c"),
            Planted(
                "an end before the start", [Fact.opened("a", 10), Fact.closed("a", 10, 9)],
                finds: "B2 2 entry:a"),
            Planted(
                "an edit moves the end before the start",
                [
                    Fact.recorded("a", 10, 20),
                    Fact.edited(
                        "a", set: BabyCare.Change(ended: Self.time(9)),
                        prior: BabyCare.Change(started: Self.time(10), ended: Self.time(20))),
                ], finds: "B2 2 entry:a"),
            Planted(
                "a closed one is closed", [Fact.recorded("a", 0, 9), Fact.closed("a", 0, 8)],
                finds: "B3 2 entry:a"),
            Planted("one that nothing began", [Fact.cancelled("a")], finds: "B3 1 entry:a"),
            Planted(
                "a cancelled one is edited",
                [
                    Fact.recorded("a", 0, 9), Fact.cancelled("a"),
                    Fact.edited(
                        "a", set: BabyCare.Change(ended: Self.time(8)),
                        prior: BabyCare.Change(ended: Self.time(9))),
                ], finds: "B3 3 entry:a"),
            Planted(
                "a closed one is estimated",
                [Fact.recorded("a", 0, 9), Fact.estimated("a", 0, 8)], finds: "B3 2 entry:a"),
            Planted(
                "one begins twice", [Fact.recorded("a", 0, 9), Fact.recorded("a", 20, 30)],
                finds: "B3 2 entry:a"),
            Planted(
                "an open one is merged",
                [Fact.recorded("a", 0, 9), Fact.opened("c", 9), Fact.merged("a", ["c"], 0, 12)],
                finds: "B3 3 entry:c"),
            Planted(
                "an edit that remembers wrongly",
                [
                    Fact.recorded("a", 0, 9),
                    Fact.edited(
                        "a", set: BabyCare.Change(ended: Self.time(8)),
                        prior: BabyCare.Change(started: Self.time(3), ended: Self.time(7))),
                ], finds: "B4 2 entry:a"),
            Planted(
                "a cancellation that remembers wrongly",
                [Fact.recorded("a", 0, 9), Fact.cancelled("a", was: .open)],
                finds: "B4 2 entry:a"),
            Planted(
                "restored without cancel", [Fact.recorded("a", 0, 9), Fact.restored("a")],
                finds: "B5 2 entry:a"),
            Planted(
                "restored to another state",
                [Fact.opened("a", 0), Fact.cancelled("a", was: .open), Fact.restored("a")],
                finds: "B5 3 entry:a"),
            Planted(
                "a merged one is restored",
                [
                    Fact.recorded("a", 0, 9), Fact.recorded("c", 9, 12),
                    Fact.merged("a", ["c"], 0, 9), Fact.restored("c"),
                ], finds: "B5 4 entry:c"),
            Planted(
                "a sleep of a day and a minute", [Fact.recorded("a", 0, 1_441)],
                finds: "B6 1 entry:a"),
            Planted(
                "overlapping sleeps, the later start written first",
                [Fact.recorded("a", 30, 60), Fact.recorded("c", 0, 31)], finds: "B7 2 entry:a"),
            Planted(
                "the same moment twice",
                [
                    Fact.recorded("a", 5, kind: .formula, ul: 90_000),
                    Fact.recorded("c", 5, kind: .formula, ul: 90_000),
                ], finds: "B8 2 entry:c"),
            Planted(
                "the same sleep twice is no overlap beside",
                [Fact.recorded("a", 0, 9), Fact.recorded("c", 0, 9)], finds: "B8 2 entry:c"),
            Planted(
                "a declared length of 61 s more",
                [Fact.recorded("a", 0, 10, declaredS: 661)], finds: "B9 1 entry:a"),
            Planted(
                "a start after the recording", [Fact.opened("a", 60 * 24 * 30 + 1)],
                finds: "B10 1 entry:a"),
            Planted(
                "local ids that nobody replaced",
                [
                    Fact.recorded("local-1", 0, 9), Fact.recorded("c", 20, 30, baby: "offline_b"),
                    Fact.cancelled("local-1"),
                ], finds: "B11 1 entry:local-1", "B11 2 baby:offline_b"),
            Planted(
                "a viewer and a stranger write",
                [
                    Fact.onboarded(by: "o"), Fact.role("v", .familyViewer),
                    Fact.recorded("a", 0, 9, by: "v"), Fact.recorded("c", 10, 19, by: "x"),
                    Fact.recorded("d", 20, 29, by: "o"),
                ], finds: "B12 3 entry:a", "B12 4 entry:c"),
            Planted(
                "a role is kept and lost under a household's new id",
                [
                    Fact.onboarded(by: "o"), Fact.replaced(.household, "h", "server-h"),
                    Fact.recorded("a", 0, 9, by: "o"), Fact.role("o", .none),
                    Fact.recorded("c", 10, 19, by: "o"),
                ], finds: "B12 5 entry:c"),
            Planted(
                "an imported sleep was never finished",
                [Fact.recorded("a", 0, isUnfinished: true)], finds: "B13 1 entry:a"),
            Planted(
                "a bottle of two million litres",
                [Fact.recorded("a", 0, kind: .formula, ul: 2_000_000_000_000)],
                finds: "B14 1 entry:a", "F1 1 baby:b"),
        ])
    func plantedMistakes(_ planted: Planted) throws {
        try expect(AuditHistory(planted.facts).found(), equals: planted.found)
    }

    /// Everything a household may do, at the edges of the rules.
    private static let clean: [BabyCare.Event] = [
        Fact.onboarded(by: "o", zone: "America/New_York", baby: "local-b"),
        Fact.opened("local-1", 0, by: "o", baby: "local-b"),
        Fact.replaced(.baby, "local-b", "b"), Fact.replaced(.careEntry, "local-1", "one"),
        Fact.estimated("one", 0, 45), Fact.closed("one", 0, 1_440),
        Fact.recorded("two", 1_440, 1_500, declaredS: 4_260),
        Fact.edited(
            "two", set: BabyCare.Change(ended: Self.time(1_510)),
            prior: BabyCare.Change(started: Self.time(1_440), ended: Self.time(1_500))),
        Fact.recorded("gone", 1_450, 1_460, by: "o"), Fact.cancelled("gone"),
        Fact.restored("gone"), Fact.cancelled("gone"),
        Fact.recorded("feed", 1_450, 1_470, kind: .breastfeed),
        Fact.recorded("p", 1_450, kind: .pee), Fact.recorded("q", 1_450, kind: .poo),
        Fact.recorded("three", 1_510, 1_520), Fact.recorded("four", 1_520, 1_530),
        Fact.merged("three", ["four"], 1_510, 1_530),
        Fact.opened("now", 1_530), Fact.opened("bottle", 1_530, kind: .formula),
        Fact.recorded("other", 0, 9, baby: "sibling"),
        Fact.recorded("edge", 60 * 24 * 30, 60 * 24 * 30 + 5),
        Fact.role("v", .familyViewer),
        .dataExported(
            BabyCare.DataExported(
                babyId: "b", format: .babyAI, rowCount: 1, sha256: .blank, by: "v")),
    ]

    @Test("A clean history has no findings")
    func aCleanHistoryHasNoFindings() throws {
        let result = try AuditHistory(Self.clean).audit()
        expect(result.findings, equals: [])
        expect(
            result.notes,
            equals: [
                "rules R1 and R2 are not checked for baby sibling: its time zone is unknown"
            ])
    }

    @Test("A source's day of 24 hours loses the end of the day that has 25")
    func partsOfASleep() throws {
        // 2026-11-01, 23:10 to 23:50 in New York.
        let start = Sample.time("2026-11-02T04:10:00Z")
        var recorded = BabyCare.EntryRecorded()
        (recorded.entryId, recorded.babyId, recorded.kind) = ("a", "b", .sleep)
        (recorded.started, recorded.ended) = (start, start + 2_400_000_000)
        var history = AuditHistory([Fact.profile(zone: "America/New_York")])
        history.add(.entryRecorded(recorded), recordedAt: Sample.time("2027-01-01T00:00:00Z"))
        let result = try history.audit(AuditHistory.context(rules: .source))
        expect(result.findings.map(\.rule), equals: ["R1"])
        expect(result.findings.first?.entity, equals: "entry:a")
        expect(result.findings.first?.position, equals: 2)
        expect(result.findings.first?.expected, equals: "2400 s")
        expect(result.findings.first?.found, equals: "0 = 0 s")
        try expect(history.found(), equals: [])
    }

    @Test("A source's day of 24 hours counts a feed twice after the day that has 23")
    func daysOfAWeek() throws {
        // Monday 2026-03-09 at 00:30 in New York, which 24 hours from Sunday's midnight reach too.
        var recorded = BabyCare.EntryRecorded()
        (recorded.entryId, recorded.babyId, recorded.kind) = ("a", "b", .formula)
        recorded.started = Sample.time("2026-03-09T04:30:00Z")
        recorded.value.amountUl = 90_000
        // Weeks from Sunday, so that both days lie in one.
        var history = AuditHistory([
            .babyProfileChanged(
                Household.BabyProfileChanged(
                    babyId: "b", zone: "America/New_York", weekStart: .sunday))
        ])
        history.add(.entryRecorded(recorded), recordedAt: Sample.time("2027-01-01T00:00:00Z"))
        let findings = try history.audit(AuditHistory.context(rules: .source)).findings
        expect(Set(findings.map(\.rule)), equals: ["R2"])
        expect(Set(findings.map(\.entity)), equals: ["week:b/2026-W11"])
        expect(Set(findings.map(\.position)), equals: [2])
        #expect(findings.map(\.expected).contains("feed.formula.µl 90000"))
        #expect(findings.map(\.found).contains("180000 by its days"))
        try expect(history.found(), equals: [])
    }

    @Test("A given zone is used for every baby")
    func theZoneThatIsGivenHoldsForAll() throws {
        let history = AuditHistory([Fact.recorded("a", 0, 9)])
        try expect(history.audit().notes.count, equals: 1)
        try expect(history.audit(AuditHistory.context(zone: "Asia/Seoul")).notes, equals: [])
        let unknown = try history.audit(AuditHistory.context(zone: "Nowhere/Land"))
        expect(unknown.notes.first?.contains("'Nowhere/Land'"), equals: true)
    }

    @Test("An audit of one baby leaves out the others")
    func onlyTheBabyThatIsAskedForIsAudited() throws {
        let history = AuditHistory([
            Fact.onboarded(by: "o", baby: "local-b"),
            Fact.recorded("a", 0, 2_000, by: "x", baby: "local-b"),
            Fact.replaced(.baby, "local-b", "b"),
            Fact.recorded("c", 0, 2_000, baby: "sibling"),
        ])
        let found = ["B6 2 entry:a", "B12 2 entry:a"]
        try expect(history.found(), equals: ["B6 2 entry:a", "B6 4 entry:c", "B12 2 entry:a"])
        for id in ["b", "local-b"] {
            let only = Daybook.Tag("baby:\(id)")
            try expect(history.found(AuditHistory.context(only: only)), equals: found)
        }
    }

    @Test("Times outside the range of reports are findings, and nothing fails")
    func timesThatFitNoReportAreFoundAndBreakNothing() throws {
        var recorded = BabyCare.EntryRecorded()
        (recorded.entryId, recorded.babyId, recorded.kind) = ("a", "b", .sleep)
        (recorded.started, recorded.ended) = (.min, .max)
        recorded.declaredDurationS = .max
        let history = AuditHistory([
            Fact.profile(zone: "Asia/Seoul"), .entryRecorded(recorded),
            Fact.recorded("c", 0, 9),
        ])
        #expect(
            try history.found()
                == [
                    "B6 2 entry:a", "B7 3 entry:c", "B9 2 entry:a", "B14 2 entry:a",
                    "F1 2 baby:b", "F1 2 baby:b", "F1 2 baby:b",
                ])
    }

    @Test("Each code of an audit names one rule")
    func codesStandForOneRuleEach() throws {
        let rules = try Catalogue(Catalog.areas).audits.values.flatMap(\.rules)
        expect(Set(rules.map(\.code)).count, equals: rules.count)
        expect(Set(rules.map(\.sentence)).count, equals: rules.count)
    }
}
