public import EventSourcing

extension Running {
    /// The server has the run.
    public struct RunSaved: EventPayload {
        public static let kind: EventKind = "running.run-saved.v1"

        public var runId = ""
        public var userId = ""
        public var remoteId: String?

        public init() {}

        public init(
            runId: String, userId: String, remoteId: String? = nil
        ) {
            self.runId = runId
            self.userId = userId
            self.remoteId = remoteId
        }

        public var tags: [Tag] {
            [Running.tag(runId), Running.userTag(userId)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunSaved
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("userId", &value.userId)
            try visitor.field("remoteId", &value.remoteId)
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

        public static let limits: [String: Limit] = ["attempt": .count]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunSaveFailed
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("userId", &value.userId)
            try visitor.field("attempt", &value.attempt)
            try visitor.field("kind", &value.kind)
            try visitor.field("detail", &value.detail)
        }
    }

    /// The run was thrown away before it was saved.
    public struct RunDiscarded: EventPayload {
        public static let kind: EventKind = "running.run-discarded.v1"

        public var runId = ""
        public var userId = ""
        public var startedUs: Int64?
        public var reason = DiscardReason.reset

        public init() {}

        public init(
            runId: String, userId: String, startedUs: Int64? = nil,
            reason: DiscardReason = DiscardReason.reset
        ) {
            self.runId = runId
            self.userId = userId
            self.startedUs = startedUs
            self.reason = reason
        }

        public var tags: [Tag] {
            [Running.tag(runId), Running.userTag(userId), Running.slotTag(userId)]
                + Running.weekTags(startedUs)
        }

        public static let limits: [String: Limit] = ["startedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunDiscarded
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("userId", &value.userId)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("reason", &value.reason)
        }
    }

    /// A completed run was taken out of the history.
    public struct RunCancelled: EventPayload {
        public static let kind: EventKind = "running.run-cancelled.v1"

        public var runId = ""
        public var userId = ""
        public var startedUs: Int64?
        public var reason: SealableText?

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

        public static let limits: [String: Limit] = ["startedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunCancelled
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("userId", &value.userId)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("reason", &value.reason)
        }
    }

    /// A cancelled run counts again.
    public struct RunRestored: EventPayload {
        public static let kind: EventKind = "running.run-restored.v1"

        public var runId = ""
        public var userId = ""
        public var startedUs: Int64?
        public var reason: SealableText?

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

        public static let limits: [String: Limit] = ["startedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunRestored
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("userId", &value.userId)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("reason", &value.reason)
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

        public init() {}

        public init(
            userId: String, name: PersonalText? = nil, imageUrl: PersonalText? = nil,
            weightG: Int64? = nil, zone: String? = nil
        ) {
            self.userId = userId
            self.name = name
            self.imageUrl = imageUrl
            self.weightG = weightG
            self.zone = zone
        }

        public var tags: [Tag] {
            [Running.userTag(userId)]
        }

        public static let limits: [String: Limit] = ["weightG": .values(Running.weightsG)]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunnerProfileChanged
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("name", &value.name)
            try visitor.field("imageUrl", &value.imageUrl)
            try visitor.field("weightG", &value.weightG)
            try visitor.field("zone", &value.zone)
        }
    }
}
