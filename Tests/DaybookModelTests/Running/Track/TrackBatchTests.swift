import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s1-wrong-place
/// Random tracks whose clocks and places jump, in random batches.
@Suite struct TrackBatchTests {
    private static let start: Int64 = 1_771_581_600_000_000

    /// Random places: steps of a runner, with rides, wrong places, clocks that jump ahead or back,
    /// and places that are sent twice.
    private static func places(_ seed: UInt64) -> [Running.LocationFix] {
        var random = SeededGenerator(seed: seed)
        var places: [(second: Int64, metres: Int64)] = []
        var (second, metres) = (Int64(1_000), Int64(0))
        for _ in 0..<Int.random(in: 4...40, using: &random) {
            second += Int64.random(in: 1...12, using: &random)
            metres += Int64.random(in: 0...40, using: &random)
            switch Int.random(in: 0..<16, using: &random) {
            case 0: metres += Int64.random(in: -6_000...6_000, using: &random)
            case 1: second += Int64.random(in: -400...400, using: &random)
            case 2:
                places.append((second, metres + Int64.random(in: -6_000...6_000, using: &random)))
                continue
            case 3:
                places.append((second + Int64.random(in: -500...500, using: &random), metres))
                continue
            case 4:
                let count = Int.random(in: 1...max(1, places.count), using: &random)
                places += places.suffix(count)
            default: break
            }
            places.append((second, metres))
        }
        return places.map { place in
            Running.LocationFix(
                time: Instant(microseconds: start + place.second * 1_000_000), lat: Scalar("0"),
                lon: Scalar((place.metres * 8_993).decimalText(places: 9)))
        }
    }

    /// The kept places and figures of a run whose places come in batches of these lengths.
    private static func result(
        _ places: [Running.LocationFix], _ lengths: (Int) -> Int
    ) throws -> (run: Running.Run, points: [Running.RunPoint], segments: [Int64]) {
        var state = Running.State()
        var batches: [Running.LocationsRecorded] = []
        var position: UInt64 = 0
        func give(_ command: some Running.RunCommand, at now: Instant) throws {
            for event in try command.decide(state, now: now) {
                position += 1
                Running.evolve(
                    &state, with: event,
                    Envelope(position: Position(position), occurredAt: now, recordedAt: now))
                if case .locationsRecorded(let batch) = event { batches.record(batch) }
            }
        }
        try give(
            Running.Start(runId: "r", userId: "u"), at: Instant(microseconds: start))
        let later = Instant(microseconds: start).advanced(bySeconds: 10_000)
        var rest = places[...]
        while !rest.isEmpty {
            let points = Array(rest.prefix(max(1, lengths(rest.count))))
            rest = rest.dropFirst(points.count)
            try give(Running.RecordLocations(runId: "r", points: points), at: later)
        }
        try give(Running.Stop(runId: "r"), at: later)
        return (
            try #require(state.runs["r"]), batches.flatMap(\.points),
            batches.flatMap { batch in batch.points.map { _ in batch.segment } }
        )
    }

    @Test(
        "A track has the same places and figures in whatever batches it comes",
        arguments: Cases.sample(0..<700))
    func batches(_ seed: UInt64) throws {
        let places = Self.places(seed)
        let whole = try Self.result(places) { $0 }
        var random = SeededGenerator(seed: seed ^ 0xBA7C4)
        for trial in 0..<4 {
            let other = try Self.result(places) { count in
                trial == 0 ? 1 : Int.random(in: 1...count, using: &random)
            }
            let comment = Comment(rawValue: "seed \(seed), trial \(trial)")
            #expect(other.points == whole.points, comment)
            #expect(other.segments == whole.segments, comment)
            #expect(other.run.distanceMm == whole.run.distanceMm, comment)
            #expect(other.run.movingMs == whole.run.movingMs, comment)
            #expect(other.run.splitsMs == whole.run.splitsMs, comment)
            #expect(other.run.segmentCount == whole.run.segmentCount, comment)
            #expect(other.run.pointCount == whole.run.pointCount, comment)
            #expect(other.run.rejectedCount == whole.run.rejectedCount, comment)
        }
    }
}
