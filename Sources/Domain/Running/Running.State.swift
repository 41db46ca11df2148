public import EventSourcing

extension Running {
    /// What a decision about a run knows.
    public struct State: Record {
        public var runs: [String: Run] = [:]
        public var runners: [String: Runner] = [:]

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runs", &runs)
            try field("runners", &runners)
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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("isKnown", &isKnown)
            try field("weightG", &weightG)
            try field("zone", &zone)
        }

        mutating func take(_ changed: RunnerProfileChanged) {
            isKnown = true
            weightG = changed.weightG ?? weightG
            zone = changed.zone ?? zone
        }
    }
}
