import Daybook
import DaybookGeodesy
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s1-distance-grows
/// Random runs against what a person with a stopwatch and a map would say.
@Suite struct RunPropertyTests {
    /// A run under way, and what was written down by hand.
    private struct Account {
        var state = Running.State()
        var events: [Running.Event] = []
        var stretches: [(from: Int64, to: Int64)] = []
        var stretchFrom: Int64?
        var segments: [[Coordinate]] = [[]]
        var kept: Int64 = 0

        mutating func give(_ command: some Running.RunCommand, at now: Int64) throws {
            let new = try command.decide(state, now: Instant(microseconds: now))
            for event in new {
                let envelope = Envelope(
                    position: Position(UInt64(events.count) + 1),
                    occurredAt: Instant(microseconds: now), recordedAt: Instant(microseconds: now))
                events.append(event)
                Running.evolve(&state, with: event, envelope)
            }
        }

        var view: Running.Run {
            var run = Running.Run()
            for (index, event) in events.enumerated() {
                let envelope = Envelope(
                    position: Position(UInt64(index) + 1), occurredAt: Instant(microseconds: 0),
                    recordedAt: Instant(microseconds: 0))
                Running.RunView.evolve(&run, with: event, envelope)
            }
            return run
        }
    }

    @Test(
        "Segments add up to the run, a pause adds nothing, and distance never falls",
        arguments: Cases.sample(0..<12))
    func live(_ round: UInt64) throws {
        let seed = 4_000 + round
        var random = SeededGenerator(seed: seed)
        var account = Account()
        var now: Int64 = 1_771_581_600_000_000
        try account.give(Running.Start(runId: "r", userId: "u"), at: now)
        account.stretchFrom = now
        var place = Coordinate(latE9: 37_566_500_000, lonE9: 126_978_000_000)
        var distanceMm: Int64 = 0
        var wasJump = true
        for _ in 0..<200 {
            now += Int64.random(in: 1_000_000...20_000_000, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where account.stretchFrom != nil:
                try account.give(Running.Pause(runId: "r"), at: now)
                account.stretches.append((account.stretchFrom ?? 0, now))
                account.stretchFrom = nil
            case 1 where account.stretchFrom == nil:
                try account.give(Running.Resume(runId: "r"), at: now)
                account.stretchFrom = now
                account.segments.append([])
                wasJump = true
            default:
                // At most 11 m, in at least a second; and a jump now and then, which is no way.
                let isJump = !wasJump && Int.random(in: 0..<10, using: &random) == 0
                wasJump = isJump
                var next = place
                next.latE9 += isJump ? 50_000_000 : .random(in: -80_000...80_000, using: &random)
                next.lonE9 += .random(in: -60_000...60_000, using: &random)
                let fix = Running.LocationFix(
                    time: Instant(microseconds: now), lat: Scalar(decimal(next.latE9)),
                    lon: Scalar(decimal(next.lonE9)))
                let before = account.view
                try account.give(Running.RecordLocations(runId: "r", points: [fix]), at: now)
                let isKept = account.stretchFrom != nil && !isJump
                if isKept {
                    account.segments[account.segments.count - 1].append(next)
                    account.kept += 1
                    place = next
                }
                let after = account.view
                #expect(after.pointCount - before.pointCount == (isKept ? 1 : 0), "seed \(seed)")
                #expect(after.distanceMm >= distanceMm, "seed \(seed)")
                if account.stretchFrom == nil {
                    expect(after.distanceMm, equals: before.distanceMm, "seed \(seed)")
                    expect(after.activeMs, equals: before.activeMs, "seed \(seed)")
                }
                distanceMm = after.distanceMm
            }
        }
        now += 5_000_000
        try account.give(Running.Stop(runId: "r"), at: now)
        if let from = account.stretchFrom { account.stretches.append((from, now)) }
        let run = account.view
        let byHand = account.segments.map { segment in
            zip(segment, segment.dropFirst()).reduce(Int64(0)) { $0 + $1.0.distanceMm(to: $1.1) }
        }
        expect(run.distanceMm, equals: byHand.reduce(0, +), "seed \(seed)")
        expect(run.pointCount, equals: account.kept, "seed \(seed)")
        expect(run.segmentCount, equals: Int64(account.segments.count), "seed \(seed)")
        let activeUs = account.stretches.reduce(Int64(0)) { $0 + $1.to - $1.from }
        expect(run.activeMs, equals: (activeUs + 500) / 1_000, "seed \(seed)")
        #expect(run.activeMs <= run.wallMs, "seed \(seed)")
        #expect(run.movingMs ?? .max <= run.activeMs, "seed \(seed)")
        expect(run.restMm + Int64(run.splitsMs.count) * 1_000_000, equals: run.distanceMm)
        // What was recorded as a whole and what the parts add up to are one.
        try expect(AuditHistory(facts: account.events.map(\.payload)).found(), equals: [])
    }

    @Test("An imported track is kept whole, wherever it is cut into segments", arguments: 0..<12)
    func imported(_ round: UInt64) throws {
        let seed = 5_000 + round
        var random = SeededGenerator(seed: seed)
        var segments: [Running.TrackSegment] = []
        var now: Int64 = 1_771_581_600_000_000
        var expectedMm: Int64 = 0
        var expectedUs: Int64 = 0
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            var segment = Running.TrackSegment()
            for _ in 0..<Int.random(in: 0...6_000, using: &random) {
                // Back in time now and then, as real receivers do it.
                let forward = Int64.random(in: -1_000_000...4_000_000, using: &random)
                now += forward
                let point = Running.TrackPoint(
                    time: Instant(microseconds: now),
                    latE9: .random(in: -1_000_000...1_000_000, using: &random),
                    lonE9: .random(in: -1_000_000...1_000_000, using: &random))
                if let last = segment.points.last, let a = last.place, let b = point.place {
                    expectedMm += a.distanceMm(to: b)
                    expectedUs += max(0, forward)
                }
                segment.points.append(point)
            }
            segments.append(segment)
        }
        var account = Account()
        let body = Running.ImportTrack(runId: "r", userId: "u", segments: segments)
        guard segments.contains(where: { !$0.points.isEmpty }) else {
            #expect(
                throws: Refusal(
                    "emptyTrack",
                    "the track has no point with possible coordinates within the limits")
            ) {
                try account.give(body, at: now)
            }
            return
        }
        try account.give(body, at: now)
        let run = account.view
        expect(run.distanceMm, equals: expectedMm, "seed \(seed)")
        expect(run.activeMs, equals: (expectedUs + 500) / 1_000, "seed \(seed)")
        expect(run.segmentCount, equals: Int64(segments.count), "seed \(seed)")
        expect(
            run.pointCount, equals: Int64(segments.reduce(0) { $0 + $1.points.count }),
            "seed \(seed)")
        // The source's numbers are of the same history, with straight lines over the pauses.
        var source = Running.Run()
        for event in account.events {
            let envelope = Envelope(
                position: Position(1), occurredAt: Instant(microseconds: 0),
                recordedAt: Instant(microseconds: 0))
            Running.SourceRunView.evolve(&source, with: event, envelope)
        }
        let filled = segments.map(\.points).filter { !$0.isEmpty }
        let bridgesMm = zip(filled, filled.dropFirst()).reduce(Int64(0)) { sum, pair in
            guard let a = pair.0.last?.place, let b = pair.1.first?.place else { return sum }
            return sum + a.distanceMm(to: b)
        }
        expect(source.distanceMm, equals: expectedMm + bridgesMm, "seed \(seed)")
        expect(source.kcal, equals: source.distanceMm * 60 / 1_000_000, "seed \(seed)")
        let batches = account.events.count { event in
            if case .locationsRecorded = event { true } else { false }
        }
        #expect(batches >= segments.count, "seed \(seed)")
        #expect(throws: Refusal("runExists", "the id 'r' already belongs to another run")) {
            try account.give(body, at: now)
        }
    }

    private func decimal(_ value: Int64) -> String {
        let fraction = String(value.magnitude % 1_000_000_000)
        let zeros = String(repeating: "0", count: 9 - fraction.count)
        return "\(value < 0 ? "-" : "")\(value.magnitude / 1_000_000_000).\(zeros)\(fraction)"
    }
}
