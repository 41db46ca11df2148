public import CivilTime
public import EventSourcing

extension Running {
    /// A stretch of a run without a pause.
    public struct SegmentReport: Record {
        /// Number of the segment, from 0.
        public var segment: Int64 = 0
        /// Time of the first point that has one.
        public var started: Instant?
        public var ended: Instant?
        public var points: Int64 = 0
        public var distanceMm: Int64 = 0
        /// Time from point to point.
        public var forwardUs: Int64 = 0
        /// The straight line over the pause before it, which is not counted.
        public var bridgeMm: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("segment", &segment)
            try field("startedUs", &started, .any)
            try field("endedUs", &ended, .any)
            try field("points", &points, "distanceMm", &distanceMm, "forwardUs", &forwardUs)
            try field("bridgeMm", &bridgeMm)
        }
    }

    /// A place that was left out.
    public struct LeftOut: Record {
        /// Position of the event.
        public var position: Int64 = 0
        /// Index among the points of the command or file, from 0.
        public var index: Int64 = 0
        public var reason = RejectReason.latLon
        public var time: Instant?
        public var latE9: Int64?
        public var lonE9: Int64?
        public var accMm: Int64?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position, "index", &index, "reason", &reason)
            try field("tUs", &time, .any)
            try field("latE9", &latE9, "lonE9", &lonE9, "accMm", &accMm)
        }
    }

    /// The parts of a run's length: its segments, its pauses, and the places left out.
    public struct TrackReport: Record {
        public var runId = ""
        public var position: Int64 = 0
        public var known = Instant.epoch
        public var state = RunState.idle
        /// Distance by the standard rules.
        public var distanceMm: Int64 = 0
        /// Distance with the straight lines over the pauses.
        public var sourceMm: Int64 = 0
        /// The limits of the run.
        public var maxSpeedMmPerS: Int64?
        public var maxAccuracyMm: Int64?
        public var segments: [SegmentReport] = []
        public var leftOut: [LeftOut] = []

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "position", &position)
            try field("knownUs", &known, .any)
            try field("state", &state)
            try field("distanceMm", &distanceMm, "sourceMm", &sourceMm)
            try field("maxSpeedMmPerS", &maxSpeedMmPerS, "maxAccuracyMm", &maxAccuracyMm)
            try field("segments", &segments, "leftOut", &leftOut)
        }
    }

    /// The arguments of the report.
    struct TrackArguments: Record {
        var run = ""

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("run", &run)
        }
    }

    static let trackReport = ReportDescription(
        "track", "Why a run has the length it has: segments, pauses, places left out",
        TrackReport.self
    ) { (arguments: TrackArguments, events, context) throws(ReportError) in
        do throws(FoldError) {
            return try TrackReport(
                of: arguments.run, events.filter { $0.tags.contains(tag(arguments.run)) }, context)
        } catch {
            throw .fold(error)
        }
    }
}

extension Running.TrackReport {
    /// - Parameter events: those of the run, in order and in their newest layouts.
    public init(
        of runId: String, _ events: [RecordedEvent], _ context: ReportContext
    ) throws(FoldError) {
        self.init(
            runId: runId, position: Int64(context.position.rawValue),
            known: context.knownAt)
        let reader = KindReader<Running.Event>()
        var run = Running.Run()
        for event in events {
            guard let known = try reader.read(event) else { continue }
            Running.RunView.evolve(&run, with: known, event.envelope)
            if case .locationsRecorded(let batch) = known { add(batch, at: event.position) }
        }
        state = run.state
        distanceMm = run.distanceMm
        sourceMm = run.tracking.walkedMm &+ run.tracking.bridgeMm
        maxSpeedMmPerS = run.maxSpeedMmPerS
        maxAccuracyMm = run.maxAccuracyMm
    }

    private mutating func add(_ batch: Running.LocationsRecorded, at position: Position) {
        if segments.last?.segment != batch.segment {
            segments.append(Running.SegmentReport(segment: batch.segment))
        }
        let times = batch.points.compactMap(\.time)
        let last = segments.count - 1
        segments[last].started = segments[last].started ?? times.first
        segments[last].ended = times.last ?? segments[last].ended
        segments[last].points &+= Int64(batch.points.count)
        segments[last].distanceMm &+= batch.addedMm
        segments[last].forwardUs &+= batch.forwardUs
        segments[last].bridgeMm &+= batch.bridgeMm
        for point in batch.rejected {
            leftOut.append(
                Running.LeftOut(
                    position: Int64(position.rawValue), index: point.index, reason: point.reason,
                    time: point.time, latE9: point.latE9?.value, lonE9: point.lonE9?.value,
                    accMm: point.accMm))
        }
    }
}
