package import Daybook

extension Session {
    /// The permission to send a request a second time, with the current access token.
    package struct Retry: PlainRecord {
        /// Id of the token refresh for which the request waited; `nil` if it waited for none.
        var refreshId: String?
        /// Generation (number of rotations) of the token with which the request is sent again.
        var generation: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId, "generation", &generation)
        }
    }

    /// A request that was answered with 419 was sent again, once, with the current token.
    package struct RequestRetried: EventPayload, PlainRecord {
        package static let kind: EventKind = "session.request-retried.v1"
        var requestId = ""
        /// Id of the token refresh for which the request waited; `nil` if the device already had a
        /// newer token.
        var refreshId: String?
        /// Generation (number of rotations) of the token in the repeated request.
        var generation: Int64 = 0
        /// HTTP status of the answer; `nil` if no answer came.
        var outcomeStatus: Int64?
        var family = ""
        package var device = ""
        package var tags: [Tag] {
            [Tag("request", requestId), familyTag(family), deviceTag(device)]
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId, "refreshId", &refreshId)
            try field("generation", &generation, .count)
            try field("outcomeStatus", &outcomeStatus, .httpStatus)
            try field("family", &family, "device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            let answer = outcomeStatus.map { "\($0): " } ?? "no answer: "
            return answer + "request repeated with token \(family)-g\(generation)"
        }
    }

    /// Records the answer to a request that was sent again.
    struct RecordRetry: DeviceCommand {
        static let name = "session.record-retry"
        var device = ""
        var requestId = ""
        var outcomeStatus: Int64?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "requestId", &requestId)
            try field("outcomeStatus", &outcomeStatus, .httpStatus)
        }

        func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            guard let retry = session.retriesDue[requestId] else {
                throw Refusal(
                    "noRetryDue",
                    "the request '\(requestId)' may not be sent again: it was not answered with "
                        + "419, still waits for a token refresh, was already sent again, or failed")
            }
            let retried = RequestRetried(
                requestId: requestId, refreshId: retry.refreshId, generation: retry.generation,
                outcomeStatus: outcomeStatus, family: session.family, device: session.device)
            return [.requestRetried(retried)]
        }
    }
}
