package import Daybook

extension Running {
    /// The fields of a completed or cropped run that a ranking needs.
    package struct ScoredRun: PlainRecord {
        package var runId = ""
        package var userId = ""
        package var started: Instant?
        package var ended: Instant?
        package var distanceMm: Int64 = 0
        /// Log position of the event that recorded these figures.
        package var position: Int64 = 0
        package static var elementKey: String? { "runId" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId)
            try field("startedUs", &started, .any)
            try field("endedUs", &ended, .any)
            try field("distanceMm", &distanceMm, "position", &position)
        }
    }

    /// A recorded event after which rankings include a run again, or no longer include the run.
    package struct Revision: PlainRecord {
        package var position: Int64 = 0
        /// True if rankings include the run from this event on.
        package var counts = false
        /// True for a cancellation: only restoring the run returns it to the rankings; a later
        /// completion does not.
        var outlastsCompletions = false
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position, "counts", &counts)
            try field("outlastsCompletions", &outlastsCompletions)
        }
    }

    /// An event that made a week's ranking final, with its position in the log.
    package struct Closing: PlainRecord {
        package var position: Int64 = 0
        package var recorded = Instant.epoch
        package var closed = RankingWeekClosed()
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
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
