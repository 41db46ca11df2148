import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s1-gap
/// Stretches of a run whose places were left out.
@Suite struct BridgedGapTests {
    private typealias Batch = Running.LocationsRecorded

    /// A place at a second, so many metres from the one before.
    private static func place(_ second: Int64, _ metres: Int64) -> Running.RunPoint {
        Running.RunPoint(
            time: Instant(microseconds: second * 1_000_000), stepMm: metres * 1_000)
    }

    private static func leftOut(
        _ index: Int64, _ reason: Running.RejectReason = .jump
    ) -> Running.RejectedPoint {
        Running.RejectedPoint(index: index, reason: reason)
    }

    /// The report on a run of batches, each with the second in which it was recorded.
    private func report(
        _ batches: [(Int64, Batch)], mode: Running.RunMode = .solo,
        window: Running.TrackWindow? = nil
    ) throws -> Running.TrackReport {
        var state = Running.RunTrack.Model.State.blank
        func add(_ event: Running.Event, _ second: Int64) {
            let time = Instant(microseconds: second * 1_000_000)
            Running.RunTrack.Model.evolve(
                &state, with: event,
                Envelope(position: Position(1), occurredAt: time, recordedAt: time))
        }
        let start = Running.RunStarted(
            runId: "r", userId: "u", mode: mode, started: Instant(microseconds: 0))
        add(.runStarted(start), 0)
        for (second, batch) in batches { add(.locationsRecorded(batch), second) }
        state.run.keptWindow = window
        return try Running.RunTrack(run: "r").answer(
            state,
            ReportContext(
                rules: .standard, zones: nil, position: Position(9),
                knownAt: Instant(microseconds: 0)))
    }

    @Test("A line over places left out is counted and said, and no best effort spans it")
    func gap() throws {
        let places = [
            Self.place(0, 0), Self.place(200, 600), Self.place(300, 600), Self.place(500, 900),
        ]
        let whole = try report([(1, Batch(runId: "r", points: places, addedMm: 2_100_000))])
        #expect(whole.gaps.isEmpty)
        let left = try report([
            (
                1,
                Batch(
                    runId: "r", points: places, addedMm: 2_100_000,
                    rejected: [Self.leftOut(2), Self.leftOut(3)])
            )
        ])
        expect(
            left.gaps,
            equals: [
                Running.BridgedGap(
                    segment: 0, rejectedCount: 2, lengthMm: 600_000,
                    started: Instant(microseconds: 200_000_000),
                    ended: Instant(microseconds: 300_000_000))
            ])
        expect(left.distanceMm, equals: whole.distanceMm)
        #expect(!whole.bestEfforts.isEmpty && left.bestEfforts.isEmpty)
        // The fastest step is the line itself, which is none.
        expect(whole.topSpeedMmPerS, equals: 6_000)
        expect(left.topSpeedMmPerS, equals: 4_500)
    }

    @Test("Places left out at the ends of a segment, or for their time alone, make no gap")
    func noGap() throws {
        let batches: [(Int64, Batch)] = [
            (
                1,
                Batch(
                    runId: "r", points: [Self.place(0, 0), Self.place(10, 5)],
                    rejected: [
                        Self.leftOut(0, .notRunning), Self.leftOut(2, .time), Self.leftOut(4),
                    ])
            ),
            (
                2,
                Batch(
                    runId: "r", segment: 1, points: [Self.place(50, 0)],
                    rejected: [Self.leftOut(0), Self.leftOut(2, .accuracy)])
            ),
        ]
        #expect(try report(batches).gaps.isEmpty)
    }

    @Test("A gap between two batches is found, of one command and of two")
    func batches() throws {
        let first = Batch(
            runId: "r", points: [Self.place(0, 0)], rejected: [Self.leftOut(1)])
        // The next batch of the same command numbers on; that of another begins at 0.
        let same = Batch(
            runId: "r", batch: 1, points: [Self.place(9, 40), Self.place(11, 3)],
            rejected: [Self.leftOut(2), Self.leftOut(4, .accuracy)])
        let other = Batch(
            runId: "r", batch: 1, points: [Self.place(9, 40), Self.place(11, 3)],
            rejected: [Self.leftOut(0), Self.leftOut(2, .accuracy)])
        for (second, batch, mode) in [
            (1, same, Running.RunMode.solo), (2, other, .solo), (1, other, .solo),
            (2, same, .imported),
        ] {
            let gaps = try report([(1, first), (Int64(second), batch)], mode: mode).gaps
            expect(gaps.map(\.rejectedCount), equals: [2, 1], "\(second) \(mode)")
            expect(gaps.map(\.lengthMm), equals: [40_000, 3_000])
        }
    }

    @Test("A crop keeps the gaps within it, and those at its edges are none")
    func crop() throws {
        let batch = Batch(
            runId: "r",
            points: [
                Self.place(0, 0), Self.place(10, 20), Self.place(20, 20), Self.place(30, 20),
            ], rejected: [Self.leftOut(1), Self.leftOut(3), Self.leftOut(4), Self.leftOut(6)])
        try expect(report([(1, batch)]).gaps.map(\.rejectedCount), equals: [1, 2, 1])
        let window = Running.TrackWindow(
            started: Instant(microseconds: 10_000_000), ended: Instant(microseconds: 20_000_000))
        try expect(report([(1, batch)], window: window).gaps.map(\.rejectedCount), equals: [2])
    }

    @Test("A fact that numbers what it left out in any way tells of no gap")
    func anyNumbers() throws {
        for numbers in [[7], [0, 0], [-1], [.max]] as [[Int64]] {
            let batch = Batch(
                runId: "r", points: [Self.place(0, 0), Self.place(9, 5)],
                rejected: numbers.map { Self.leftOut($0) })
            #expect(try report([(1, batch), (1, batch)]).gaps.isEmpty, "\(numbers)")
        }
    }
}
