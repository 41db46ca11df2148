package import Daybook

extension Running {
    /// A gap that rejected places leave within a segment, bridged by a straight line.
    ///
    /// The line counts as distance, because the runner covered at least its length. A best effort
    /// does not span the gap, because the pace within it is unknown. A place rejected for its time
    /// makes no gap, because a kept place already covers that time.
    package struct BridgedGap: PlainRecord {
        package var segment: Int64 = 0
        package var rejectedCount: Int64 = 0
        /// Length of the straight line from the last place before the gap to the first place after
        /// it.
        package var lengthMm: Int64 = 0
        /// Time of the last place before the gap; `nil` if that place has no time.
        package var started: Instant?
        package var ended: Instant?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("segment", &segment, "leftOut", &rejectedCount, "lengthMm", &lengthMm)
            try field("startedUs", &started, .any)
            try field("endedUs", &ended, .any)
        }
    }

    /// The first kept place after a gap of rejected places.
    struct GapEnd: PlainRecord {
        /// Index among all kept places of the run, from 0.
        var placeIndex: Int64 = 0
        /// Number of rejected places in the gap before this place.
        var rejectedCount: Int64 = 0
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("place", &placeIndex, "leftOut", &rejectedCount)
        }
    }

    /// The first kept place of a segment.
    struct SegmentStart: PlainRecord {
        var segment: Int64 = 0
        var placeIndex: Int64 = 0
        /// Number of places rejected between the last kept place before the segment and the start.
        var rejectedCount: Int64 = 0
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("segment", &segment, "place", &placeIndex, "leftOut", &rejectedCount)
        }
    }

    /// Finds the gaps that rejected places leave in a track, batch by batch.
    ///
    /// The rejected places of a batch are numbered by their index in the command or file; the kept
    /// places have the indices in between.
    struct GapFinder: PlainRecord {
        /// Kept places that follow rejected places, in order.
        var ends: [GapEnd] = []
        /// Number of kept places so far.
        private var placeCount: Int64 = 0
        /// Index, within the command or file, of the next place.
        private var nextIndex: Int64 = 0
        /// Recording time of the last batch; batches of one command have equal recording times.
        private var lastRecorded: Instant?
        /// Starts of the segments, in order; the last one is that of the last batch.
        private var starts: [SegmentStart] = []
        /// Number of places rejected since the last kept place.
        private var rejectedSinceKept: Int64 = 0
        init() {}

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("ends", &ends, "places", &placeCount, "next", &nextIndex)
            try field("knownUs", &lastRecorded, .any)
            try field("segments", &starts, "waiting", &rejectedSinceKept)
        }

        /// Adds the next batch of the run.
        ///
        /// - Parameter isFile: true for a track that a single command imported.
        mutating func add(_ batch: LocationsRecorded, _ recorded: Instant, isFile: Bool) {
            var readmitted: Int64 = 0
            if let correction = batch.correction {
                readmitted = min(max(0, correction.readmittedCount), Int64(batch.points.count))
                withdraw(correction.withdrawnCount, readmitted: readmitted)
            }
            if batch.segment != starts.last?.segment || placeCount == 0 {
                starts.append(
                    SegmentStart(
                        segment: batch.segment, placeIndex: placeCount,
                        rejectedCount: rejectedSinceKept))
                rejectedSinceKept = 0
            }
            for _ in 0..<readmitted { keep() }
            let kept = Int64(batch.points.count) &- readmitted
            let count = kept &+ Int64(batch.rejected.count)
            var reasons = Dictionary(
                batch.rejected.map { ($0.index, $0.reason) },
                uniquingKeysWith: { first, _ in first })
            var first = isFile || recorded == lastRecorded ? nextIndex : 0
            func fits(_ first: Int64) -> Bool {
                reasons.keys.allSatisfy { $0 >= first && $0 &- first < count }
            }
            if !fits(first) { first = 0 }
            // A recorded fact may number its rejected places inconsistently, without a usable
            // order.
            if !fits(first) || reasons.count < batch.rejected.count { reasons = [:] }
            for number in 0..<(kept &+ Int64(reasons.count)) {
                guard let reason = reasons[first &+ number] else {
                    keep()
                    continue
                }
                if reason != .time { rejectedSinceKept += 1 }
            }
            nextIndex = first &+ count
            lastRecorded = recorded
        }

        /// Counts the newest kept places as rejected, and forgets the gaps and the starts of
        /// segments that they were the end or the start of.
        ///
        /// - Parameter readmitted: number of rejected places that are kept after all.
        private mutating func withdraw(_ withdrawn: Int64, readmitted: Int64) {
            placeCount = max(0, placeCount &- withdrawn)
            rejectedSinceKept = rejectedSinceKept &+ withdrawn &- readmitted
            while let end = ends.last, end.placeIndex >= placeCount {
                rejectedSinceKept &+= end.rejectedCount
                ends.removeLast()
            }
            while let start = starts.last, start.placeIndex >= placeCount {
                rejectedSinceKept &+= start.rejectedCount
                starts.removeLast()
            }
            rejectedSinceKept = max(0, rejectedSinceKept)
        }

        /// Counts a kept place, and records it as a gap end if rejected places precede it.
        private mutating func keep() {
            if rejectedSinceKept > 0 {
                ends.append(GapEnd(placeIndex: placeCount, rejectedCount: rejectedSinceKept))
            }
            rejectedSinceKept = 0
            placeCount += 1
        }

        /// Returns the number of rejected places before each gap end, by the index of the gap end
        /// within the window. Indices count the kept places in the window, from 0; no window means
        /// the whole track.
        func rejectedCounts(
            in batches: [LocationsRecorded], within window: TrackWindow?
        ) -> [Int: Int64] {
            let rejectedCounts = Dictionary(
                ends.map { ($0.placeIndex, $0.rejectedCount) },
                uniquingKeysWith: { first, _ in first })
            guard !rejectedCounts.isEmpty else { return [:] }
            var found: [Int: Int64] = [:]
            var (place, kept): (Int64, Int) = (0, 0)
            for point in batches.lazy.flatMap(\.points) {
                defer { place += 1 }
                guard window?.contains(point.time) ?? true else { continue }
                found[kept] = rejectedCounts[place]
                kept += 1
            }
            return found
        }
    }

    /// Returns the gaps within segments, and the indices of the points after the gaps.
    ///
    /// Indices count the points of all segments.
    ///
    /// - Parameter rejectedCounts: numbers of rejected places, by index of the point after them.
    static func bridgedGaps(
        _ segments: [(number: Int64, points: [RunPoint])], _ rejectedCounts: [Int: Int64]
    ) -> (gaps: [BridgedGap], ends: Set<Int>) {
        guard !rejectedCounts.isEmpty else { return ([], []) }
        var gaps: [BridgedGap] = []
        var ends: Set<Int> = []
        var place = 0
        for (number, points) in segments {
            for index in points.indices {
                defer { place += 1 }
                // A pause or a break, not a gap, lies before the first point of a segment.
                guard index > 0, let count = rejectedCounts[place] else { continue }
                ends.insert(place)
                gaps.append(
                    BridgedGap(
                        segment: number, rejectedCount: count, lengthMm: points[index].stepMm,
                        started: points[index - 1].time, ended: points[index].time))
            }
        }
        return (gaps, ends)
    }

    /// Returns the greatest speed from one timed point to the next, except over gaps; `nil` for
    /// none.
    static func topSpeedMmPerS(
        _ segments: [(number: Int64, points: [RunPoint])], _ gapEnds: Set<Int>
    ) -> Int64? {
        var top: Int64?
        var place = 0
        for (_, points) in segments {
            for index in points.indices {
                defer { place += 1 }
                guard index > 0, !gapEnds.contains(place), let before = points[index - 1].time,
                    let time = points[index].time,
                    let speed = Formula.speedMmPerS(
                        points[index].stepMm,
                        Int128(time.microseconds) - Int128(before.microseconds))
                else { continue }
                top = max(top ?? 0, speed)
            }
        }
        return top
    }
}
