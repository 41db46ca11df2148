import Daybook
import DaybookGeodesy
import DaybookModel

/// The distance, elevation and time of a run, point by point.
struct TrackProfile {
    struct Point {
        /// Coordinates; `nil` if erased.
        var place: Coordinate?
        var eleMm: Int64?
        /// Distance from the start in millimetres, without lines over pauses.
        var alongMm: Int64
        /// Time from point to point so far, without pauses.
        var clockUs: Int64
        var segment: Int64
    }

    /// One of several stretches of equal length.
    struct Bin {
        var fromMm: Int64
        var toMm: Int64
        /// Pace; `nil` without times or if the stretch takes no time.
        var paceMsPerKm: Int64?
    }

    /// Accepted steps in millimetres: up to half the circumference of the earth.
    private static let steps: ClosedRange<Int64> = 0...20_015_200_000
    /// Greatest counted time between two points: a month, so that sums cannot overflow.
    private static let longestUs: Int64 = 31 * 86_400_000_000

    private(set) var points: [Point] = []
    /// True if every point has a time.
    private(set) var isTimed = true

    init(_ batches: [Running.LocationsRecorded]) {
        var lastTime: Instant?
        for batch in batches {
            // A log may hold impossible points that were recorded as facts.
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

    /// Returns the run in stretches of equal length, at most `most` and at most half the points.
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
            // Limits the pace to a day per kilometre.
            let pace = min(
                86_400_000, Int64(clamping: Int128(timeUs) * 1_000 / Int128(max(1, toMm - fromMm))))
            bins.append(
                Bin(fromMm: fromMm, toMm: toMm, paceMsPerKm: timeUs > 0 && isTimed ? pace : nil))
            (fromMm, fromUs) = (toMm, toUs)
        }
        return bins
    }

    /// Returns the interpolated time at which a distance was reached.
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
