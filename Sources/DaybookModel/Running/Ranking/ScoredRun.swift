public import Daybook

extension Running {
    /// The fields of a completed or cropped run that a ranking needs.
    public struct ScoredRun: Record {
        public var runId = ""
        public var userId = ""
        public var started: Instant?
        public var ended: Instant?
        public var distanceMm: Int64 = 0
        /// Log position of the event that recorded these figures.
        public var position: Int64 = 0

        public static var elementKey: String? { "runId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId)
            try field("startedUs", &started, .any)
            try field("endedUs", &ended, .any)
            try field("distanceMm", &distanceMm, "position", &position)
        }
    }

    /// A recorded event after which rankings include a run again, or no longer include the run.
    public struct Revision: Record {
        public var position: Int64 = 0
        /// True if rankings include the run from this event on.
        public var counts = false
        /// True for a cancellation: only restoring the run returns it to the rankings; a later
        /// completion does not.
        public var outlastsCompletions = false

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position, "counts", &counts)
            try field("outlastsCompletions", &outlastsCompletions)
        }
    }

    /// An event that made a week's ranking final, with its position in the log.
    public struct Closing: Record {
        public var position: Int64 = 0
        /// Recording time of the event.
        public var recorded = Instant.epoch
        /// The recorded event.
        public var closed = RankingWeekClosed()

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position)
            try field("recordedUs", &recorded, .any)
            try field("closed", &closed)
        }
    }
}

extension Running.Closing {
    init(_ closed: Running.RankingWeekClosed, _ envelope: Envelope) {
        self.init(
            position: Int64(envelope.position.rawValue),
            recorded: envelope.recordedAt, closed: closed)
    }
}
