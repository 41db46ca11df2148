import Daybook
import DaybookGeodesy
import DaybookModel

/// A run along its way: how far, how high and when, point by point.
struct TrackProfile {
    struct Point {
        /// `nil` where it is erased.
        var place: Coordinate?
        var eleMm: Int64?
        /// Distance from the start in millimetres, without pauses.
        var alongMm: Int64
        /// Time spent from point to point so far.
        var clockUs: Int64
        var segment: Int64
    }

    /// A stretch of equal length.
    struct Bin {
        var fromMm: Int64
        var toMm: Int64
        /// `nil` where no time went by.
        var paceMsPerKm: Int64?
    }

    /// Possible distances between two points, in millimetres: up to half way around the earth.
    private static let steps: ClosedRange<Int64> = 0...20_015_200_000
    /// Caps gaps at a month so that sums cannot overflow.
    private static let longestUs: Int64 = 31 * 86_400_000_000

    private(set) var points: [Point] = []
    /// `true` if every step has a time.
    private(set) var isTimed = true

    init(_ batches: [Running.LocationsRecorded]) {
        var lastTime: Instant?
        for batch in batches {
            // A log may hold points, recorded as facts, that no import accepts.
            for point in batch.points where point.place?.isPossible ?? true {
                let last = points.last
                let isFirst = last?.segment != batch.segment
                var clockUs = last?.clockUs ?? 0
                if let time = point.time, !isFirst, let lastTime {
                    clockUs += min(Self.longestUs, max(0, time.microseconds(since: lastTime)))
                }
                if point.time == nil { isTimed = false }
                lastTime = point.time ?? (isFirst ? nil : lastTime)
                points.append(
                    Point(
                        place: point.place,
                        eleMm: point.eleMm?.value.flatMap {
                            GPXFile.possibleElevations.contains($0) ? $0 : nil
                        }, alongMm: (last?.alongMm ?? 0) + point.stepMm.held(to: Self.steps),
                        clockUs: clockUs,
                        segment: batch.segment))
            }
        }
    }

    var lengthMm: Int64 { points.last?.alongMm ?? 0 }

    /// The way in at most `most` stretches, and no more than there are pairs of points.
    func bins(_ most: Int) -> [Bin] {
        let count = Int64(min(most, points.count / 2))
        guard count > 0, lengthMm >= count else { return [] }
        var bins: [Bin] = []
        var index = 0
        var fromMm: Int64 = 0
        var fromUs: Int64 = 0
        for number in 1...count {
            let toMm = Int64(clamping: Int128(lengthMm) * Int128(number) / Int128(count))
            let toUs = clock(at: toMm, &index)
            let timeUs = toUs - fromUs
            // Slower than a day a kilometre is standing.
            let pace = min(
                86_400_000, Int64(clamping: Int128(timeUs) * 1_000 / Int128(max(1, toMm - fromMm))))
            bins.append(
                Bin(fromMm: fromMm, toMm: toMm, paceMsPerKm: timeUs > 0 && isTimed ? pace : nil))
            (fromMm, fromUs) = (toMm, toUs)
        }
        return bins
    }

    /// When a distance was reached, between two points in proportion.
    private func clock(at alongMm: Int64, _ index: inout Int) -> Int64 {
        while index + 1 < points.count, points[index + 1].alongMm <= alongMm { index += 1 }
        guard index + 1 < points.count, points[index].alongMm < alongMm else {
            return points[index].clockUs
        }
        let (a, b) = (points[index], points[index + 1])
        let share = Int128(alongMm - a.alongMm) * Int128(b.clockUs - a.clockUs)
        return a.clockUs + Int64(clamping: share / Int128(max(1, b.alongMm - a.alongMm)))
    }
}

extension Int64 {
    fileprivate func held(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(range.upperBound, Swift.max(range.lowerBound, self))
    }
}
