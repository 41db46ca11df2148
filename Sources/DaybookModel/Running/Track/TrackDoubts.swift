public import Daybook

extension Running {
    /// Signs that a track is not one run on foot: a wrong place, a ride, or several outings.
    public struct TrackDoubts: Record {
        /// Number of steps faster than the limit.
        public var fastSteps: Int64 = 0
        /// Their distance, which counts.
        public var fastMm: Int64 = 0
        /// Speed of the fastest of them; `nil` without time.
        public var fastestMmPerS: Int64?
        /// Speed above which a step is no running.
        public var limitMmPerS: Int64 = 0
        /// Segments that begin before an earlier one ends, whose distance counts twice.
        public var overlaps: [SegmentOverlap] = []
        /// Number of parts more than three hours apart, from 1.
        public var outings: Int64 = 1

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("fastSteps", &fastSteps, "fastMm", &fastMm)
            try field("fastestMmPerS", &fastestMmPerS, "limitMmPerS", &limitMmPerS)
            try field("overlaps", &overlaps, "outings", &outings)
        }
    }

    /// Two segments of a track that overlap in time.
    public struct SegmentOverlap: Record {
        public var segment: Int64 = 0
        /// The segment that it begins in.
        public var other: Int64 = 0
        public var overlapUs: Int64 = 0

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("segment", &segment, "other", &other, "overlapUs", &overlapUs)
        }
    }

    /// Finds what makes a track doubtful, batch by batch.
    public struct TrackDoubtFinder: Sendable {
        /// Numbers among the kept places of those reached too fast, at most `mostNamed`.
        public private(set) var fastPlaces: [Int] = []
        /// Numbers of the places that begin an outing, without the first.
        public private(set) var outingStarts: [Int] = []
        private var doubts = TrackDoubts()
        private var stretches: [Stretch] = []
        private var places = 0
        private var last: Instant?
        private var previous: Instant?
        private var segment: Int64?

        private struct Stretch {
            var segment: Int64
            /// Number of its first place.
            var place: Int
            var started: Instant
            var ended: Instant
        }

        /// Maximum number of places named.
        private static let mostNamed = 1_000
        /// Places with the same time may have been a second apart, as many files have whole seconds.
        private static let leastTimeUs: Int64 = 1_000_000

        public init(maxSpeedMmPerS: Int64?) {
            doubts.limitMmPerS = maxSpeedMmPerS ?? fastestMmPerS
        }

        public mutating func add(_ batch: LocationsRecorded) {
            let isCorrected = (batch.correction?.withdrawn ?? 0) > 0
            if batch.segment != segment || isCorrected { previous = nil }
            if isCorrected { last = nil }
            segment = batch.segment
            for point in batch.points {
                if let time = point.time { add(time, point.stepMm, batch.segment) }
                previous = point.time
                places += 1
            }
        }

        private mutating func add(_ time: Instant, _ stepMm: Int64, _ segment: Int64) {
            if let previous { addStep(stepMm, time.microseconds(since: previous)) }
            if let last, Self.isAnotherOuting(last, time) {
                doubts.outings += 1
                outingStarts.append(places)
            }
            last = time
            if stretches.last?.segment != segment {
                stretches.append(
                    Stretch(segment: segment, place: places, started: time, ended: time))
            } else {
                let index = stretches.count - 1
                stretches[index].started = min(stretches[index].started, time)
                stretches[index].ended = max(stretches[index].ended, time)
            }
        }

        private mutating func addStep(_ stepMm: Int64, _ timeUs: Int64) {
            let judgedUs = timeUs > 0 ? timeUs : Self.leastTimeUs
            guard Int128(stepMm) * 1_000_000 > Int128(doubts.limitMmPerS) * Int128(judgedUs) else {
                return
            }
            doubts.fastSteps += 1
            doubts.fastMm &+= stepMm
            if let speed = speedMmPerS(stepMm, Int128(timeUs)) {
                doubts.fastestMmPerS = max(doubts.fastestMmPerS ?? 0, speed)
            }
            if fastPlaces.count < Self.mostNamed { fastPlaces.append(places) }
        }

        /// True for times so far apart that they belong to two outings, also where the later comes first.
        public static func isAnotherOuting(_ last: Instant, _ next: Instant) -> Bool {
            let gapUs = Int128(next.microseconds) - Int128(last.microseconds)
            return gapUs.magnitude > 3 * 3_600_000_000
        }

        /// The overlapping segments, each with the number of its first place.
        public var overlaps: [(place: Int, overlap: SegmentOverlap)] {
            var found: [(place: Int, overlap: SegmentOverlap)] = []
            let sorted = stretches.sorted { ($0.started, $0.segment) < ($1.started, $1.segment) }
            guard var longest = sorted.first else { return [] }
            for stretch in sorted.dropFirst() {
                if stretch.started < longest.ended {
                    let (later, earlier) =
                        stretch.segment > longest.segment ? (stretch, longest) : (longest, stretch)
                    let overlapUs = min(stretch.ended, longest.ended).microseconds(
                        since: stretch.started)
                    found.append(
                        (
                            later.place,
                            SegmentOverlap(
                                segment: later.segment, other: earlier.segment,
                                overlapUs: overlapUs)
                        ))
                }
                if stretch.ended > longest.ended { longest = stretch }
            }
            // A segment of one place has no length.
            return found.filter { $0.overlap.overlapUs > 0 }
        }

        /// All that was found.
        public var result: TrackDoubts {
            var result = doubts
            result.overlaps = overlaps.prefix(Self.mostNamed).map(\.overlap)
            return result
        }
    }
}
