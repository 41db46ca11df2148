package import Daybook

extension Running {
    /// Signs that a track is not a single run on foot: a wrong place, a ride, or several outings.
    package struct TrackDoubts: PlainRecord {
        /// Number of legs, each from one place to the next, that are faster than the limit.
        package var fastLegCount: Int64 = 0
        /// Total length of the legs faster than the limit, included in the run's distance.
        package var fastMm: Int64 = 0
        /// Speed of the fastest leg above the limit; `nil` if there is none, or if none takes time.
        package var fastestMmPerS: Int64?
        /// Speed limit from one place to the next, in mm/s.
        package var limitMmPerS: Int64 = 0
        /// Segments that start before an earlier segment ends; the distances of both count.
        package var overlaps: [SegmentOverlap] = []
        /// Number of outings: parts of the track that are more than three hours apart; at least 1.
        package var outingCount: Int64 = 1
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("fastSteps", &fastLegCount, "fastMm", &fastMm)
            try field("fastestMmPerS", &fastestMmPerS, "limitMmPerS", &limitMmPerS)
            try field("overlaps", &overlaps, "outings", &outingCount)
        }
    }

    /// Two segments of a track that overlap in time.
    package struct SegmentOverlap: PlainRecord {
        /// Number of the later segment.
        package var segment: Int64 = 0
        package var earlierSegment: Int64 = 0
        /// Microseconds that belong to both segments.
        package var overlapUs: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("segment", &segment, "other", &earlierSegment, "overlapUs", &overlapUs)
        }
    }

    /// Collects `TrackDoubts` about a track, batch by batch.
    package struct TrackDoubtFinder: Sendable {
        /// Indices of the kept places that were reached faster than the limit; at most 1,000.
        package private(set) var fastPlaces: [Int] = []
        /// Indices of the kept places that start a second or later outing.
        package private(set) var outingStarts: [Int] = []
        /// Signs found so far, without overlaps.
        private var doubts = TrackDoubts()
        /// Time spans of the segments so far, in track order.
        private var spans: [SegmentSpan] = []
        private var placeCount = 0
        private var lastTime: Instant?
        /// Time of the previous place in the segment; `nil` if there is none or it has no time.
        private var previousTime: Instant?
        /// Number of the newest segment.
        private var segment: Int64?

        /// The time span of a segment.
        private struct SegmentSpan {
            var segment: Int64
            var firstPlace: Int
            var started: Instant
            var ended: Instant
        }

        /// Maximum number of listed places and overlaps.
        private static let maxListed = 1_000
        /// Time assumed to a place that is not later than the one before, because many files give
        /// whole seconds.
        private static let leastTimeUs: Int64 = 1_000_000

        /// Creates a finder with a speed limit; `nil` means the default limit of 12.5 m/s.
        package init(maxSpeedMmPerS: Int64?) {
            doubts.limitMmPerS = maxSpeedMmPerS ?? fastestMmPerS
        }

        /// Adds the kept places of the next batch.
        package mutating func add(_ batch: LocationsRecorded) {
            let isCorrected = (batch.correction?.withdrawnCount ?? 0) > 0
            if batch.segment != segment || isCorrected { previousTime = nil }
            if isCorrected { lastTime = nil }
            segment = batch.segment
            for point in batch.points {
                if let time = point.time { add(time, point.stepMm, batch.segment) }
                previousTime = point.time
                placeCount += 1
            }
        }

        /// Updates the speeds, outings and spans of segments by a place with a time.
        private mutating func add(_ time: Instant, _ stepMm: Int64, _ segment: Int64) {
            if let previousTime { addLeg(stepMm, time.microseconds(since: previousTime)) }
            if let lastTime, Self.isAnotherOuting(lastTime, time) {
                doubts.outingCount += 1
                outingStarts.append(placeCount)
            }
            lastTime = time
            if spans.last?.segment != segment {
                spans.append(
                    SegmentSpan(
                        segment: segment, firstPlace: placeCount, started: time, ended: time))
            } else {
                let index = spans.count - 1
                spans[index].started = min(spans[index].started, time)
                spans[index].ended = max(spans[index].ended, time)
            }
        }

        /// Counts a leg if it is faster than the limit.
        private mutating func addLeg(_ stepMm: Int64, _ timeUs: Int64) {
            let judgedUs = timeUs > 0 ? timeUs : Self.leastTimeUs
            guard Int128(stepMm) * 1_000_000 > Int128(doubts.limitMmPerS) * Int128(judgedUs) else {
                return
            }
            doubts.fastLegCount += 1
            doubts.fastMm &+= stepMm
            if let speed = Formula.speedMmPerS(stepMm, Int128(timeUs)) {
                doubts.fastestMmPerS = max(doubts.fastestMmPerS ?? 0, speed)
            }
            if fastPlaces.count < Self.maxListed { fastPlaces.append(placeCount) }
        }

        /// True if two times, in any order, are over three hours apart, and so belong to two
        /// outings.
        package static func isAnotherOuting(_ last: Instant, _ next: Instant) -> Bool {
            let gapUs = Int128(next.microseconds) - Int128(last.microseconds)
            return gapUs.magnitude > 3 * 3_600_000_000
        }

        /// Overlaps of segments, each with the index of the first place of the later segment.
        package var overlaps: [(place: Int, overlap: SegmentOverlap)] {
            var found: [(place: Int, overlap: SegmentOverlap)] = []
            let sorted = spans.sorted { ($0.started, $0.segment) < ($1.started, $1.segment) }
            guard var longest = sorted.first else { return [] }
            for span in sorted.dropFirst() {
                if span.started < longest.ended {
                    let (later, earlier) =
                        span.segment > longest.segment ? (span, longest) : (longest, span)
                    let overlapUs = min(span.ended, longest.ended).microseconds(since: span.started)
                    found.append(
                        (
                            later.firstPlace,
                            SegmentOverlap(
                                segment: later.segment, earlierSegment: earlier.segment,
                                overlapUs: overlapUs)
                        ))
                }
                if span.ended > longest.ended { longest = span }
            }
            // A segment with a single place has no duration.
            return found.filter { $0.overlap.overlapUs > 0 }
        }

        /// All signs found so far, with at most 1,000 overlaps.
        package var result: TrackDoubts {
            var result = doubts
            result.overlaps = overlaps.prefix(Self.maxListed).map(\.overlap)
            return result
        }
    }
}
