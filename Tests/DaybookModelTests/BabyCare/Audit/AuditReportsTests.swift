import Daybook
import TestSupport
import Testing

@testable import DaybookModel

@Suite struct AuditReportsTests {
    private static let first: [BabyCare.Event] = [
        Fact.profile(zone: "Asia/Seoul"), Fact.recorded("a", 0, 60),
    ]

    /// The report of 2026-01-05 as it is at the end of `facts`, handed out.
    private static func issued(
        after facts: [BabyCare.Event], _ kind: BabyCare.ReportKind = .daily,
        tzdata: String = "test-1", showsOpenLengths: Bool = false,
        layout: BabyCare.ReportLayout = .current, zones: ZoneSource? = nil
    ) throws -> BabyCare.Event {
        var state = BabyCare.State()
        for (index, fact) in facts.enumerated() {
            let envelope = Envelope(
                position: Position(UInt64(index) + 1), occurredAt: AuditHistory.recordedAt,
                recordedAt: AuditHistory.recordedAt)
            BabyCare.evolve(&state, with: fact, envelope)
        }
        let zones = zones ?? AuditHistory.zones(tzdata)
        let zone = try zones.zone("Asia/Seoul")
        // Releases that had fewer fields knew no digest.
        let zoneDigest = layout == .current ? zones.digest(of: zone) : nil
        var reporter = BabyCare.Reporter(
            state, zone: zone, tzdata: tzdata, zoneDigest: zoneDigest,
            position: Position(UInt64(facts.count)), knownAt: AuditHistory.recordedAt)
        reporter.showsOpenLengths = showsOpenLengths
        reporter.layout = layout
        let date = try Zones.date("2026-01-05")
        let (period, json) =
            switch kind {
            case .daily: ("2026-01-05", JSONWriter.text(reporter.day(date)))
            case .weekly: ("2026-W02", JSONWriter.text(reporter.week(date)))
            case .monthly: ("2026-01", JSONWriter.text(reporter.month(date)))
            }
        return .reportIssued(
            BabyCare.ReportIssued(
                babyId: "b", kind: kind, period: period, zone: "Asia/Seoul", tzdata: tzdata,
                rules: .standard, position: Int64(facts.count),
                digest: Digest(bits: Sample.input.digest(json)), zoneDigest: zoneDigest))
    }

    @Test("A report that holds is no finding", arguments: [false, true])
    func holds(_ showsOpenLengths: Bool) throws {
        let facts = Self.first + [Fact.opened("o", 100)]
        var history = AuditHistory(facts)
        for kind in BabyCare.ReportKind.allCases {
            history.add(try Self.issued(after: facts, kind, showsOpenLengths: showsOpenLengths))
        }
        // What comes later changes nothing before it.
        history.add(Fact.recorded("later", 60 * 24 * 35, 60 * 24 * 35 + 9, kind: .breastfeed))
        try expect(
            history.found(), equals: ["B10 7 entry:later"])
    }

    @Test("A report of an earlier release holds by the fields that it had")
    func earlierRelease() throws {
        let facts = Self.first + [Fact.recorded("p", 120, 130, kind: .poo)]
        var history = AuditHistory(facts)
        for kind in BabyCare.ReportKind.allCases {
            let now = try Self.issued(after: facts, kind)
            let earlier = try Self.issued(after: facts, kind, layout: .withoutHealth)
            #expect(now != earlier)
            history.add(earlier)
        }
        try expect(history.found(), equals: [])
        let drifted = AuditHistory(
            facts + [
                try Self.issued(after: facts, layout: .withoutHealth),
                Fact.recorded("q", 140, 150, kind: .poo),
            ])
        try expect(drifted.audit().findings.first?.found, equals: "recomputed now: diaper.poo 2")
    }

    @Test("R3: another digest, and drift since", arguments: [BabyCare.ReportKind.daily, .weekly])
    func digests(_ kind: BabyCare.ReportKind) throws {
        guard case .reportIssued(var wrong) = try Self.issued(after: Self.first, kind) else {
            return
        }
        wrong.digest.bits ^= 1
        let entity = "report:b/\(kind.name)/\(wrong.period)"
        try expect(
            AuditHistory(Self.first + [.reportIssued(wrong)]).found(), equals: ["R3 3 \(entity)"])

        let drifted = AuditHistory(
            Self.first + [try Self.issued(after: Self.first, kind), Fact.recorded("c", 60, 90)])
        let findings = try drifted.audit().findings
        expect(
            findings.map { "\($0.rule) \($0.position) \($0.entity)" }, equals: ["R3 3 \(entity)"])
        expect(findings.first?.expected, equals: "when published: sleep.sumS 3600")
        expect(findings.first?.found, equals: "recomputed now: sleep.sumS 5400")
    }

    @Test("A report of an earlier position is made again from what was known then")
    func earlierPosition() throws {
        let facts = Self.first + [Fact.recorded("c", 60, 90)]
        let back = try Self.issued(after: Self.first)
        let findings = try AuditHistory(facts + [back]).audit().findings
        expect(findings.map(\.position), equals: [4])
        expect(findings.first?.found, equals: "recomputed now: sleep.sumS 5400")
    }

    @Test("R4: another release of tzdata, where the event has no digest of the zone")
    func release() throws {
        let history = AuditHistory(
            Self.first + [
                try Self.issued(after: Self.first, tzdata: "old-1", layout: .withoutZoneDigest)
            ])
        let findings = try history.audit().findings
        expect(
            findings,
            equals: [
                Finding(
                    rule: "R4", position: 3, entity: "report:b/daily/2026-01-05",
                    expected: "tzdata old-1", found: "tzdata test-1")
            ])
    }

    /// A compiled zone of version 1 with one change of its offset, at a time in seconds since 1970.
    private static func tzif(from before: Int32, to after: Int32, at second: Int64) -> [UInt8] {
        func big(_ value: Int32) -> [UInt8] {
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        let counts: [Int32] = [0, 0, 0, 1, 2, 4]
        return Array("TZif".utf8) + [UInt8](repeating: 0, count: 16) + counts.flatMap(big)
            + big(Int32(second)) + [1] + big(before) + [0, 0] + big(after) + [0, 0]
            + Array("LMT\0".utf8)
    }

    @Test("R4: a report whose zone has the same transitions in another release holds")
    func sameTransitions() throws {
        let issued = try Self.issued(
            after: Self.first, tzdata: "old-1", zones: AuditHistory.zones("old-1"))
        try expect(AuditHistory(Self.first + [issued]).found(), equals: [])
    }

    @Test(
        "R4: a report whose zone has other transitions today names both, and the days that moved",
        arguments: [
            // Monday 2026-01-05, noon in Seoul: the last hour of that day is another one.
            (Int64(1_767_582_000), "daily", "; moved: 2026-01-05"),
            (1_767_582_000, "weekly", "; moved: 2026-01-05 to 2026-01-11"),
            (1_767_582_000, "monthly", "; moved: 2026-01-05 to 2026-01-31"),
            // 2026-02-01 and later.
            (1_769_900_400, "monthly", "; no day of the report moved"),
        ])
    func movedDays(_ second: Int64, _ kind: String, _ moved: String) throws {
        let kind = try #require(BabyCare.ReportKind.allCases.first { $0.name == kind })
        let old = AuditHistory.zones("test-1")
        let issued = try Self.issued(after: Self.first, kind, zones: old)
        let changed = try Zone(
            name: "Asia/Seoul", tzif: Self.tzif(from: 32_400, to: 28_800, at: second))
        var context = AuditHistory.context()
        context.zones = AuditHistory.zones("test-1", replaced: changed)
        let history = AuditHistory(Self.first + [issued])
        let alone = try history.audit(context).findings.filter { $0.rule == "R4" }
        expect(alone.map(\.position), equals: [3])
        let digests = [old, context.zones].map { zones in
            "\(Digest(bits: Sample.input.digest((try? zones?.zone("Asia/Seoul"))?.transitionText ?? "")))"
        }
        expect(alone.first?.expected, equals: "tzdata test-1, \(digests[0])")
        expect(alone.first?.found, equals: "tzdata test-1, \(digests[1])")
        // With the zone that was used, the report can be computed again.
        context.olderZones = [AuditHistory.zones("other", replaced: changed), old]
        let findings = try history.audit(context).findings
        expect(findings.map(\.rule), equals: ["R4"])
        expect(findings.first?.found, equals: "tzdata test-1, \(digests[1])\(moved)")
    }

    @Test("A report that cannot be made again is found")
    func aReportThatCannotBeMadeAgainIsFound() throws {
        guard case .reportIssued(var report) = try Self.issued(after: Self.first) else { return }
        report.zone = "Nowhere/Land"
        var unreadable = report
        (unreadable.zone, unreadable.period) = ("Asia/Seoul", "some day")
        let history = AuditHistory(
            Self.first + [.reportIssued(report), .reportIssued(unreadable)])
        #expect(
            try history.found()
                == ["R3 3 report:b/daily/2026-01-05", "R3 4 report:b/daily/some day"])
    }
}
