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

        public init() {}

        public init(
            runId: String, userId: String, startedUs: Int64? = nil, endedUs: Int64? = nil,
            distanceMm: Int64, position: Int64
        ) {
            self.runId = runId
            self.userId = userId
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.distanceMm = distanceMm
            self.position = position
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ScoredRun
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("userId", &value.userId)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("distanceMm", &value.distanceMm)
            try visitor.field("position", &value.position)
        }
    }

    /// Whether a run counts from a position on.
    public struct Revision: Record {
        public var position: Int64 = 0
        public var counts = false

        public init() {}

        public init(
            position: Int64, counts: Bool
        ) {
            self.position = position
            self.counts = counts
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Revision
        ) throws(Visitor.Failure) {
            try visitor.field("position", &value.position)
            try visitor.field("counts", &value.counts)
        }
    }

    /// A closing, and where it stands in the log.
    public struct Closing: Record {
        public var position: Int64 = 0
        public var recordedUs: Int64 = 0
        public var closed = RankingWeekClosed()

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Closing
        ) throws(Visitor.Failure) {
            try visitor.field("position", &value.position)
            try visitor.field("recordedUs", &value.recordedUs)
            try visitor.field("closed", &value.closed)
        }
    }
}
