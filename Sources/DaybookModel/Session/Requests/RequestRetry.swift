public import Daybook

extension Session {
    /// A retry that is due or on its way.
    public struct Retry: Record {
        public var refreshId: String?
        public var generation: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId, "generation", &generation)
        }
    }

    /// A request that had met a 419 was sent again, once, with the current token.
    public struct RequestRetried: EventPayload {
        public static let kind: EventKind = "session.request-retried.v1"
        public var requestId = ""
        /// Refresh that the request waited for; `nil` if the stored token was already newer.
        public var refreshId: String?
        /// The generation of the token that the retry carried.
        public var generation: Int64 = 0
        /// Status of the answer; `nil` if no answer came.
        public var outcomeStatus: Int64?
        public var family = ""
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [Tag("request", requestId), familyTag(family), deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId, "refreshId", &refreshId)
            try field("generation", &generation, .count)
            try field("outcomeStatus", &outcomeStatus, .httpStatus)
            try field("family", &family, "device", &device)
        }
    }

    /// Records the outcome of a request that was sent again.
    public struct RecordRetry: DeviceCommand {
        public static let name = "session.record-retry"
        public var device = ""
        public var requestId = ""
        /// Status of the answer; `nil` if no answer came.
        public var outcomeStatus: Int64?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "requestId", &requestId)
            try field("outcomeStatus", &outcomeStatus, .httpStatus)
        }

        public func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            guard let retry = session.retriesDue[requestId] else {
                throw Refusal(
                    "noRetryDue",
                    "the request \(requestId) has no retry due: it met no 419, was retried, or "
                        + "failed")
            }
            let retried = RequestRetried(
                requestId: requestId, refreshId: retry.refreshId, generation: retry.generation,
                outcomeStatus: outcomeStatus, family: session.family, device: session.device)
            return [.requestRetried(retried)]
        }
    }
}
