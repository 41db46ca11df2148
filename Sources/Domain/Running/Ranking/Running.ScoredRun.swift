public import EventSourcing

extension Running {
    /// What a ranking knows of a completion.
    public struct ScoredRun: Record {
        public var runId = ""
        public var userId = ""
        public var startedUs: Int64?
        public var endedUs: Int64?
        public var distanceMm: Int64 = 0
        public var position: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("userId", &userId)
            try field("startedUs", &startedUs)
            try field("endedUs", &endedUs)
            try field("distanceMm", &distanceMm)
            try field("position", &position)
        }
    }

    /// Whether a run counts from a position on.
    public struct Revision: Record {
        public var position: Int64 = 0
        public var counts = false

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position)
            try field("counts", &counts)
        }
    }

    /// A closing, and where it stands in the log.
    public struct Closing: Record {
        public var position: Int64 = 0
        public var recordedUs: Int64 = 0
        public var closed = RankingWeekClosed()

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position)
            try field("recordedUs", &recordedUs)
            try field("closed", &closed)
        }
    }
}
