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
        /// Distance of the run, by its own rules or those of the question.
        public var distanceMm: Int64 = 0
        /// Distance with the straight lines over the pauses.
        public var sourceMm: Int64 = 0
        /// The limits of the run.
        public var maxSpeedMmPerS: Int64?
        public var maxAccuracyMm: Int64?
        public var segments: [SegmentReport] = []
        public var leftOut: [LeftOut] = []
        /// True where the straight lines over the pauses count, as they do in the source.
        public var countsPauses = false

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "position", &position)
            try field("knownUs", &known, .any)
            try field("state", &state)
            try field("distanceMm", &distanceMm, "sourceMm", &sourceMm)
            try field("maxSpeedMmPerS", &maxSpeedMmPerS, "maxAccuracyMm", &maxAccuracyMm)
            try field("segments", &segments, "leftOut", &leftOut, "countsPauses", &countsPauses)
        }
    }

    /// The question why a run has the length it has.
    public struct RunTrack: Report {
        public typealias Answer = TrackReport
        public static let name = "track"
        public static let summary =
            "Why a run has the length it has: segments, pauses, places left out"
        public static let basisFields = Running.basisFields
        public var run = ""

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("run", &run)
        }

        public var query: Query { .any(of: Model.kinds, tag(run)) }

        public func unknown(_ track: Model.State) -> String? {
            track == .blank ? "no event of run '\(run)' is known" : nil
        }

        public func answer(
            _ track: Model.State, _ context: ReportContext
        ) throws(ReportError) -> TrackReport {
            var report = track.report
            var run = track.run
            if context.rules == .source { run.figureAsSource() }
            report.runId = self.run
            report.position = Int64(context.position.rawValue)
            report.known = context.knownAt
            report.state = run.state
            report.distanceMm = run.distanceMm
            report.sourceMm = run.tracking.walkedMm &+ run.tracking.bridgeMm
            report.countsPauses = context.rules == .source || run.rules == .source
            report.maxSpeedMmPerS = run.maxSpeedMmPerS
            report.maxAccuracyMm = run.maxAccuracyMm
            return report
        }
    }
}

extension Running.RunTrack {
    /// The fold of a run and of its track, segment by segment.
    public enum Model: Projection {
        public typealias Event = Running.Event

        public struct State: Record {
            var run = Running.Run()
            /// The segments and the places left out so far.
            var report = Running.TrackReport()

            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("run", &run, "report", &report)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            Running.RunView.evolve(&state.run, with: event, envelope)
            guard case .locationsRecorded(let batch) = event else { return }
            state.report.add(batch, at: envelope.position)
        }
    }
}

extension Running.TrackReport {
    fileprivate mutating func add(_ batch: Running.LocationsRecorded, at position: Position) {
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
