package import Daybook

extension Running {
    /// The time span that a crop keeps, both ends included.
    package struct TrackWindow: PlainRecord {
        package var started = Instant.epoch
        package var ended = Instant.epoch
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("startedUs", &started, .any)
            try field("endedUs", &ended, .any)
        }

        /// True if the time lies within the window; false for `nil`.
        func contains(_ time: Instant?) -> Bool {
            guard let time else { return false }
            return started <= time && time <= ended
        }
    }

    /// Longest time between two points that counts as time in motion: 30 s. Source: Strava and
    /// OpenTracks, which exclude time without movement.
    static let longestMovingGapUs: Int64 = 30_000_000
    /// Lowest speed that counts as movement: 0.5 m/s.
    static let slowestMovingMmPerS: Int64 = 500

    /// True if a distance was covered fast enough to count as movement.
    static func isMoving(_ stepMm: Int64, _ timeUs: Int64) -> Bool {
        Int128(stepMm) * 1_000_000 >= Int128(timeUs) * Int128(slowestMovingMmPerS)
    }
}

extension [Running.LocationsRecorded] {
    /// Returns the batches reduced to the places within a window; `nil` keeps all places. A place
    /// whose predecessor is cut off starts a segment with a step of 0. Sums and segment numbers are
    /// recomputed for the remaining places.
    package func kept(_ window: Running.TrackWindow?) -> [Running.LocationsRecorded] {
        guard let window else { return self }
        var cut = Running.TrackCut(window: window)
        for batch in self { cut.add(batch) }
        return cut.batches
    }
}

extension Running {
    /// Cuts a track to a window, batch by batch.
    struct TrackCut {
        /// Time span to keep.
        let window: TrackWindow
        /// Batches of the places within the window.
        private(set) var batches: [LocationsRecorded] = []
        /// Batch that is being filled.
        private var batch = LocationsRecorded()
        /// Segment number that the newest place had before the cut.
        private var recordedSegment: Int64?
        /// Last place of the segment within the window; `nil` if a place after it was cut off.
        private var last: RunPoint?
        /// True if the last place of the previous segment, as recorded, lies within the window.
        private var isBridged = false
        /// Number of segments so far.
        private var segmentCount: Int64 = 0
        init(window: TrackWindow) { self.window = window }

        /// Adds the places of a recorded batch that lie within the window.
        mutating func add(_ source: LocationsRecorded) {
            if recordedSegment != source.segment {
                isBridged = last != nil
                last = nil
            }
            recordedSegment = source.segment
            openBatch(source)
            for point in source.points {
                guard window.contains(point.time) else {
                    last = nil
                    isBridged = false
                    continue
                }
                keep(point, source)
            }
            writeBatch()
        }

        /// Adds a place to the current batch, or to a new segment if the place before it was cut
        /// off.
        private mutating func keep(_ point: RunPoint, _ source: LocationsRecorded) {
            var point = point
            if let before = last?.time, let time = point.time {
                let timeUs = max(0, time.microseconds(since: before))
                batch.forwardUs &+= timeUs
                if timeUs <= longestMovingGapUs, isMoving(point.stepMm, timeUs) {
                    batch.movingUs &+= timeUs
                }
            } else {
                writeBatch()
                openBatch(source)
                segmentCount += 1
                batch.segment = segmentCount - 1
                point.stepMm = 0
                if isBridged { batch.bridgeMm = source.bridgeMm }
                isBridged = false
            }
            batch.addedMm &+= point.stepMm
            batch.points.append(point)
            last = point
        }

        /// Starts an empty batch.
        private mutating func openBatch(_ source: LocationsRecorded) {
            batch = LocationsRecorded(
                runId: source.runId, segment: max(0, segmentCount - 1),
                batch: Int64(batches.count), rules: source.rules)
        }

        /// Adds the current batch to the result, unless the batch is empty.
        private mutating func writeBatch() {
            if !batch.points.isEmpty { batches.append(batch) }
        }
    }
}
