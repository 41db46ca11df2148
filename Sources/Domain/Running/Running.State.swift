public import EventSourcing

extension Running {
    /// What a decision about a run knows.
    public struct State: Record {
        public var runs: [String: Run] = [:]
        public var runners: [String: Runner] = [:]

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout State
        ) throws(Visitor.Failure) {
            try visitor.field("runs", &value.runs)
            try visitor.field("runners", &value.runners)
        }

        /// The run that a user has under way.
        func activeRun(of userId: String) -> Run? {
            runs.values.filter { $0.userId == userId && $0.state.isActive }
                .min { $0.runId < $1.runId }
        }
    }

    /// What is known of a runner.
    public struct Runner: Record {
        /// Whether a profile was ever recorded.
        public var isKnown = false
        public var weightG: Int64?
        public var zone: String?

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Runner
        ) throws(Visitor.Failure) {
            try visitor.field("isKnown", &value.isKnown)
            try visitor.field("weightG", &value.weightG)
            try visitor.field("zone", &value.zone)
        }

        mutating func take(_ changed: RunnerProfileChanged) {
            isKnown = true
            weightG = changed.weightG ?? weightG
            zone = changed.zone ?? zone
        }
    }
}
