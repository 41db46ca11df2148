public import EventSourcing

extension Running {
    /// The server has the run.
    public struct RunSaved: EventPayload {
        public static let kind: EventKind = "running.run-saved.v1"

        public var runId = ""
        public var userId = ""
        public var remoteId: String?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Running.tag(runId), Running.userTag(userId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("userId", &userId)
            try field("remoteId", &remoteId)
        }
    }

    /// The server did not take the run; the log has it all the same.
    public struct RunSaveFailed: EventPayload {
        public static let kind: EventKind = "running.run-save-failed.v1"

        public var runId = ""
        public var userId = ""
        /// From 1.
        public var attempt: Int64 = 0
        public var kind = SaveFailure.network
        public var detail = SealableText("")

        public static var blank: Self { Self() }

        public init() {}

        public init(
            runId: String, userId: String, attempt: Int64, kind: SaveFailure, detail: String
        ) {
            self.runId = runId
            self.userId = userId
            self.attempt = attempt
            self.kind = kind
            self.detail = SealableText(detail)
        }

        public var tags: [Tag] {
            [Running.tag(runId), Running.userTag(userId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("userId", &userId)
            try field("attempt", &attempt, .count)
            try field("kind", &kind)
            try field("detail", &detail)
        }
    }

    /// The run was thrown away before it was saved.
    public struct RunDiscarded: EventPayload {
        public static let kind: EventKind = "running.run-discarded.v1"

        public var runId = ""
        public var userId = ""
        public var startedUs: Int64?
        public var reason = DiscardReason.reset

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Running.tag(runId), Running.userTag(userId), Running.slotTag(userId)]
                + Running.weekTags(startedUs)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("userId", &userId)
            try field("startedUs", &startedUs, .moment)
            try field("reason", &reason)
        }
    }

    /// A completed run was taken out of the history.
    public struct RunCancelled: EventPayload {
        public static let kind: EventKind = "running.run-cancelled.v1"

        public var runId = ""
        public var userId = ""
        public var startedUs: Int64?
        public var reason: SealableText?

        public static var blank: Self { Self() }

        public init() {}

        public init(
            runId: String, userId: String, startedUs: Int64? = nil, reason: String? = nil
        ) {
            self.runId = runId
            self.userId = userId
            self.startedUs = startedUs
            self.reason = reason.map { SealableText($0) }
        }

        public var tags: [Tag] {
            [Running.tag(runId), Running.userTag(userId)] + Running.weekTags(startedUs)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("userId", &userId)
            try field("startedUs", &startedUs, .moment)
            try field("reason", &reason)
        }
    }

    /// A cancelled run counts again.
    public struct RunRestored: EventPayload {
        public static let kind: EventKind = "running.run-restored.v1"

        public var runId = ""
        public var userId = ""
        public var startedUs: Int64?
        public var reason: SealableText?

        public static var blank: Self { Self() }

        public init() {}

        public init(
            runId: String, userId: String, startedUs: Int64? = nil, reason: String? = nil
        ) {
            self.runId = runId
            self.userId = userId
            self.startedUs = startedUs
            self.reason = reason.map { SealableText($0) }
        }

        public var tags: [Tag] {
            [Running.tag(runId), Running.userTag(userId)] + Running.weekTags(startedUs)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("userId", &userId)
            try field("startedUs", &startedUs, .moment)
            try field("reason", &reason)
        }
    }

    /// What is known of a runner changed; fields left out stay as they were.
    public struct RunnerProfileChanged: EventPayload {
        public static let kind: EventKind = "running.runner-profile-changed.v1"

        public var userId = ""
        public var name: PersonalText?
        public var imageUrl: PersonalText?
        public var weightG: Int64?
        /// IANA name of the zone the runner's weeks are counted in.
        public var zone: String?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Running.userTag(userId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId)
            try field("name", &name)
            try field("imageUrl", &imageUrl)
            try field("weightG", &weightG, .values(Running.weightsG))
            try field("zone", &zone)
        }
    }
}
