import Daybook
import DaybookGeodesy
import DaybookModel

/// Distance, elevation and elapsed time at each point of a run, for drawing.
struct TrackProfile {
    /// A point of the run, with distance and time since the start.
    struct Point {
        /// Coordinates; `nil` if erased.
        var place: Coordinate?
        /// Elevation in millimetres; `nil` if unknown or impossible.
        var eleMm: Int64?
        /// Distance from the start in millimetres, without lines over pauses.
        var alongMm: Int64
        /// Time from the start in microseconds, without pauses.
        var clockUs: Int64
        /// Number of the point's segment; a pause separates segments.
        var segment: Int64
    }

    /// One of several sections of a run, all of equal length.
    struct Bin {
        /// Start of the section, in millimetres from the start of the run.
        var fromMm: Int64
        /// End of the section, in millimetres from the start of the run.
        var toMm: Int64
        /// Pace in milliseconds per kilometre; `nil` without times, or if the section takes no
        /// time.
        var paceMsPerKm: Int64?
    }

    /// Accepted distances between points, in millimetres: up to half the earth's circumference.
    private static let possibleStepsMm: ClosedRange<Int64> = 0...20_015_200_000
    /// Maximum time between two points, in microseconds: 31 days, so that sums cannot overflow.
    private static let longestStepUs: Int64 = 31 * 86_400_000_000

    /// Points with possible or erased coordinates, in order.
    private(set) var points: [Point] = []
    /// True if every point has a time.
    private(set) var isTimed = true

    /// Creates the profile from the run's batches of points, in log order.
    init(_ batches: [Running.LocationsRecorded]) {
        var lastTime: Instant?
        for batch in batches {
            // A log may hold impossible points that were recorded as facts.
            for point in batch.points where point.place?.isPossible ?? true {
                let last = points.last
                let isFirst = last?.segment != batch.segment
                var clockUs = last?.clockUs ?? 0
                if let time = point.time, !isFirst, let lastTime {
                    clockUs += min(Self.longestStepUs, max(0, time.microseconds(since: lastTime)))
                }
                if point.time == nil { isTimed = false }
                lastTime = point.time ?? (isFirst ? nil : lastTime)
                points.append(
                    Point(
                        place: point.place,
                        eleMm: point.eleMm?.value.flatMap {
                            GPXFile.possibleElevations.contains($0) ? $0 : nil
                        },
                        alongMm: (last?.alongMm ?? 0)
                            + point.stepMm.clamped(to: Self.possibleStepsMm),
                        clockUs: clockUs,
                        segment: batch.segment))
            }
        }
    }

    /// Length of the run in millimetres, without lines over pauses.
    var lengthMm: Int64 { points.last?.alongMm ?? 0 }

    /// Returns the run as sections of equal length: at most `most`, and at most half the points.
    func bins(atMost most: Int) -> [Bin] {
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

    /// Returns the interpolated time at which a distance was reached, in microseconds.
    ///
    /// - Parameter index: the point to search from, which is advanced.
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
    /// Returns the nearest value within the range.
    fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(range.upperBound, Swift.max(range.lowerBound, self))
    }
}
