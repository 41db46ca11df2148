package import Daybook

extension Running {
    /// The climb and descent of a track, raw and smoothed.
    package struct Elevation: PlainRecord {
        /// Total climb, from smoothed elevations.
        package var gainMm: Int64 = 0
        /// Total descent, from smoothed elevations.
        package var lossMm: Int64 = 0
        /// Total climb from point to point, from elevations as recorded.
        package var rawGainMm: Int64 = 0
        /// Total descent from point to point, from elevations as recorded.
        package var rawLossMm: Int64 = 0
        var lowestMm: Int64 = 0
        var highestMm: Int64 = 0
        /// Name of the smoothing method.
        package var method = ""
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("gainMm", &gainMm, "lossMm", &lossMm)
            try field("rawGainMm", &rawGainMm, "rawLossMm", &rawLossMm)
            try field("lowestMm", &lowestMm, "highestMm", &highestMm, "method", &method)
        }
    }
}

extension Running.Elevation {
    /// Name of the smoothing method, a moving average. Each elevation is replaced by the mean of up
    /// to 15 elevations: that of the point, and those of up to seven points on each side in the
    /// same segment. Source: FitoTrack.
    static let movingAverage = "moving-average-15"
    /// Number of points on each side that the moving average includes.
    private static let pointsOnEachSide = 7

    /// Computes the elevation of a track; fails if no segment has two points with an elevation.
    init?(of segments: [[Running.RunPoint]]) {
        let segments = segments.map { $0.compactMap { $0.eleMm?.value } }
        guard segments.contains(where: { $0.count > 1 }),
            let lowest = segments.joined().min(), let highest = segments.joined().max()
        else { return nil }
        self.init()
        lowestMm = lowest
        highestMm = highest
        method = Self.movingAverage
        for segment in segments {
            let raw = Self.climb(segment)
            rawGainMm = rawGainMm + raw.gainMm
            rawLossMm = rawLossMm + raw.lossMm
            let smooth = Self.climb(Self.smoothed(segment))
            gainMm = gainMm + smooth.gainMm
            lossMm = lossMm + smooth.lossMm
        }
    }

    /// Returns the total climb and the total descent from point to point.
    private static func climb(_ elevations: [Int64]) -> (gainMm: Int64, lossMm: Int64) {
        var (gainMm, lossMm): (Int64, Int64) = (0, 0)
        for (before, after) in zip(elevations, elevations.dropFirst()) {
            gainMm = gainMm + max(0, after - before)
            lossMm = lossMm + max(0, before - after)
        }
        return (gainMm, lossMm)
    }

    /// Returns the moving averages, rounded half away from zero. The window is symmetric, so it
    /// gets smaller towards the ends of the segment.
    private static func smoothed(_ elevations: [Int64]) -> [Int64] {
        var sums: [Int128] = [0]
        sums.reserveCapacity(elevations.count + 1)
        for elevation in elevations { sums.append(sums[sums.count - 1] + Int128(elevation)) }
        return elevations.indices.map { index in
            let aside = min(pointsOnEachSide, index, elevations.count - 1 - index)
            let sum = sums[index + aside + 1] - sums[index - aside]
            let count = Int128(2 * aside + 1)
            return Int64(clamping: (sum * 2 + (sum < 0 ? -count : count)) / (count * 2))
        }
    }
}
