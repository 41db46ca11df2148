import Daybook
import DaybookGeodesy
import DaybookModel

/// Distance, elevation and elapsed time at each point of a run, for drawing.
struct TrackProfile {
    /// A point of the run, with distance and time from the start of the run.
    struct Point {
        /// Coordinates of the point; `nil` if erased.
        var place: Coordinate?
        /// Elevation in millimetres; `nil` if unknown or impossible.
        var eleMm: Int64?
        /// Distance from the start of the run in millimetres, without the lines across pauses.
        var distanceMm: Int64
        /// Time from the start of the run in microseconds, without pauses.
        var elapsedUs: Int64
        /// Number of the point's segment; a pause separates segments.
        var segment: Int64
    }

    /// One of the sections of equal length into which a run is divided.
    struct Section {
        /// Start of the section, in millimetres from the start of the run.
        var fromMm: Int64
        /// End of the section, in millimetres from the start of the run.
        var toMm: Int64
        /// Pace in milliseconds per kilometre; `nil` without times, or if the section takes no
        /// time.
        var paceMsPerKm: Int64?
    }

    /// Accepted distances from one point to the next, in millimetres. The maximum is half the
    /// earth's circumference.
    private static let possibleLegLengthsMm: ClosedRange<Int64> = 0...20_015_200_000
    /// Maximum time from one point to the next, in microseconds: 31 days. A longer time is replaced
    /// by 31 days, so that sums cannot overflow.
    private static let longestLegUs: Int64 = 31 * 86_400_000_000

    /// The points of the run, in order, without those with impossible coordinates.
    private(set) var points: [Point] = []
    private(set) var isTimed = true

    /// Creates the profile from the run's batches of points, in log order.
    init(_ batches: [Running.LocationsRecorded]) {
        var lastTime: Instant?
        for batch in batches {
            // A log may hold impossible points that were recorded as facts.
            for point in batch.points where point.place?.isPossible ?? true {
                let last = points.last
                let isFirst = last?.segment != batch.segment
                var elapsedUs = last?.elapsedUs ?? 0
                if let time = point.time, !isFirst, let lastTime {
                    elapsedUs += min(Self.longestLegUs, max(0, time.microseconds(since: lastTime)))
                }
                if point.time == nil { isTimed = false }
                lastTime = point.time ?? (isFirst ? nil : lastTime)
                points.append(
                    Point(
                        place: point.place,
                        eleMm: point.eleMm?.value.flatMap {
                            GPXFile.possibleElevations.contains($0) ? $0 : nil
                        },
                        distanceMm: (last?.distanceMm ?? 0)
                            + point.stepMm.clamped(to: Self.possibleLegLengthsMm),
                        elapsedUs: elapsedUs, segment: batch.segment))
            }
        }
    }

    /// Length of the run in millimetres, without the lines across pauses.
    var lengthMm: Int64 { points.last?.distanceMm ?? 0 }

    /// Divides the run into sections of equal length. The number of sections is at most `maxCount`,
    /// and at most half the number of points.
    func sections(atMost maxCount: Int) -> [Section] {
        let count = Int64(min(maxCount, points.count / 2))
        guard count > 0, lengthMm >= count else { return [] }
        var sections: [Section] = []
        var index = 0
        var fromMm: Int64 = 0
        var fromUs: Int64 = 0
        for number in 1...count {
            let toMm = Int64(clamping: Int128(lengthMm) * Int128(number) / Int128(count))
            let toUs = elapsedUs(at: toMm, &index)
            let timeUs = toUs - fromUs
            // Limits the pace to a day per kilometre.
            let pace = min(
                86_400_000, Int64(clamping: Int128(timeUs) * 1_000 / Int128(max(1, toMm - fromMm))))
            sections.append(
                Section(fromMm: fromMm, toMm: toMm, paceMsPerKm: timeUs > 0 && isTimed ? pace : nil)
            )
            (fromMm, fromUs) = (toMm, toUs)
        }
        return sections
    }

    /// Returns the time at which a distance was reached, in microseconds from the start of the run.
    ///
    /// The time is interpolated between the points before and after the distance.
    ///
    /// - Parameter index: the index of the point to search from; set to the point before the
    ///   distance.
    private func elapsedUs(at distanceMm: Int64, _ index: inout Int) -> Int64 {
        while index + 1 < points.count, points[index + 1].distanceMm <= distanceMm { index += 1 }
        guard index + 1 < points.count, points[index].distanceMm < distanceMm else {
            return points[index].elapsedUs
        }
        let (a, b) = (points[index], points[index + 1])
        let share = Int128(distanceMm - a.distanceMm) * Int128(b.elapsedUs - a.elapsedUs)
        return a.elapsedUs + Int64(clamping: share / Int128(max(1, b.distanceMm - a.distanceMm)))
    }
}

extension Int64 {
    /// Returns the nearest value within the range.
    fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(range.upperBound, Swift.max(range.lowerBound, self))
    }
}
