public import Daybook

extension Running {
    /// A stretch of a segment whose places were left out, so that a straight line stands for it.
    ///
    /// The line counts: the run led from one end of it to the other. A best effort does not span it,
    /// since nothing tells how the way between was run. A place that was left out for its time alone
    /// makes no gap: it says again what is known of that moment.
    public struct BridgedGap: Record {
        public var segment: Int64 = 0
        /// Places left out one after another.
        public var leftOut: Int64 = 0
        /// The straight line from the last place before them to the first one after them.
        public var lengthMm: Int64 = 0
        /// Time of the last place before them.
        public var started: Instant?
        public var ended: Instant?

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("segment", &segment, "leftOut", &leftOut, "lengthMm", &lengthMm)
            try field("startedUs", &started, .any)
            try field("endedUs", &ended, .any)
        }
    }

    /// A kept place that follows places left out.
    struct GapEnd: Record {
        /// Number among all kept places of the run, from 0.
        var place: Int64 = 0
        var leftOut: Int64 = 0

        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("place", &place, "leftOut", &leftOut)
        }
    }

    /// Finds where places were left out, batch by batch.
    ///
    /// A batch numbers what it left out by the command or the file that brought it, and its kept
    /// places take the numbers between.
    struct GapFinder: Record {
        var ends: [GapEnd] = []
        /// Kept places so far.
        private var places: Int64 = 0
        /// The number behind the newest place of the command.
        private var next: Int64 = 0
        /// The moment of recording, which is one for all batches of a command.
        private var known: Instant?
        private var segment: Int64?
        /// Places left out since the last kept one.
        private var waiting: Int64 = 0

        init() {}

        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("ends", &ends, "places", &places, "next", &next)
            try field("knownUs", &known, .any)
            try field("segment", &segment, "waiting", &waiting)
        }

        /// - Parameter isFile: true for a track that one command brought as a whole.
        mutating func add(_ batch: LocationsRecorded, _ recorded: Instant, isFile: Bool) {
            var readmitted: Int64 = 0
            if let correction = batch.correction {
                places = max(0, places &- correction.withdrawn)
                ends.removeAll { $0.place >= places }
                readmitted = min(max(0, correction.readmitted), Int64(batch.points.count))
                waiting = max(0, waiting &+ correction.withdrawn &- readmitted)
            }
            if batch.segment != segment || places == 0 { waiting = 0 }
            segment = batch.segment
            for _ in 0..<readmitted { keep() }
            let kept = Int64(batch.points.count) &- readmitted
            let count = kept &+ Int64(batch.rejected.count)
            var reasons = Dictionary(
                batch.rejected.map { ($0.index, $0.reason) },
                uniquingKeysWith: { first, _ in first })
            var first = isFile || recorded == known ? next : 0
            func fits(_ first: Int64) -> Bool {
                reasons.keys.allSatisfy { $0 >= first && $0 &- first < count }
            }
            if !fits(first) { first = 0 }
            // A fact may number what it left out in any way, which tells no order then.
            if !fits(first) || reasons.count < batch.rejected.count { reasons = [:] }
            for number in 0..<(kept &+ Int64(reasons.count)) {
                guard let reason = reasons[first &+ number] else {
                    keep()
                    continue
                }
                if reason != .time { waiting += 1 }
            }
            next = first &+ count
            known = recorded
        }

        private mutating func keep() {
            if waiting > 0 { ends.append(GapEnd(place: places, leftOut: waiting)) }
            waiting = 0
            places += 1
        }

        /// The numbers of left-out places before each of the places that a crop keeps, in order.
        func leftOut(
            among batches: [LocationsRecorded], kept window: TrackWindow?
        ) -> [Int: Int64] {
            let leftOut = Dictionary(
                ends.map { ($0.place, $0.leftOut) }, uniquingKeysWith: { first, _ in first })
            guard !leftOut.isEmpty else { return [:] }
            var found: [Int: Int64] = [:]
            var (place, kept): (Int64, Int) = (0, 0)
            for point in batches.lazy.flatMap(\.points) {
                defer { place += 1 }
                guard window?.contains(point.time) ?? true else { continue }
                found[kept] = leftOut[place]
                kept += 1
            }
            return found
        }
    }

    /// The gaps within segments, and the places that they end at, among all of the segments.
    static func bridgedGaps(
        _ segments: [(number: Int64, points: [RunPoint])], _ leftOut: [Int: Int64]
    ) -> (gaps: [BridgedGap], ends: Set<Int>) {
        guard !leftOut.isEmpty else { return ([], []) }
        var gaps: [BridgedGap] = []
        var ends: Set<Int> = []
        var place = 0
        for (number, points) in segments {
            for index in points.indices {
                defer { place += 1 }
                // What lies before a segment is a pause.
                guard index > 0, let count = leftOut[place] else { continue }
                ends.insert(place)
                gaps.append(
                    BridgedGap(
                        segment: number, leftOut: count, lengthMm: points[index].stepMm,
                        started: points[index - 1].time, ended: points[index].time))
            }
        }
        return (gaps, ends)
    }

    /// The speed of the fastest step between two places with times, gaps not included; `nil` without
    /// such a step.
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
                    let speed = speedMmPerS(
                        points[index].stepMm,
                        Int128(time.microseconds) - Int128(before.microseconds))
                else { continue }
                top = max(top ?? 0, speed)
            }
        }
        return top
    }

    /// Millimetres a second, rounded half up; `nil` without time.
    static func speedMmPerS(_ distanceMm: Int64, _ timeUs: Int128) -> Int64? {
        guard timeUs > 0, distanceMm >= 0 else { return nil }
        return Int64(clamping: (Int128(distanceMm) * 2_000_000 + timeUs) / (timeUs * 2))
    }
}
