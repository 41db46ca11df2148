public import Daybook

extension Session {
    /// Reason why a refresh returned no tokens.
    public enum RefreshFailure: UInt8, StoredEnum {
        /// The refresh token has expired.
        case expired
        /// The server does not accept the token.
        case invalidGrant
        /// The refresh token had already been replaced by a rotation.
        case reuse
        case network
        case timeout
        /// Any other answer of the server.
        case server
        /// The process that waited for the answer ended, because the app was launched again.
        case abandoned

        /// Returns the reason to clear the tokens for a status; `nil` if the status does not reject
        /// them.
        ///
        /// The status decides, regardless of the reported kind of failure.
        static func refusal(_ httpStatus: Int64?) -> ClearReason? {
            switch httpStatus {
            case 418: .refresh418
            case 401: .unauthorized
            case 403: .forbidden
            default: nil
            }
        }
    }

    /// The refresh returned no tokens; the requests and launches that waited for it failed too.
    public struct TokenRefreshFailed: EventPayload {
        public static let kind: EventKind = "session.token-refresh-failed.v1"
        public var refreshId = ""
        public var kind = RefreshFailure.expired
        public var httpStatus: Int64?
        public var error: String?
        public var message: SealableText?
        public var tokensCleared = false
        /// The rules that decided whether the tokens were cleared.
        public var rules = Rules.standard
        public var family = ""
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [Tag("refresh", refreshId), familyTag(family), deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId, "kind", &kind)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("error", &error, "message", &message, "tokensCleared", &tokensCleared)
            try field("rules", &rules, "family", &family, "device", &device)
        }
    }

    /// Records that the refresh was answered without tokens, or not at all.
    public struct RecordRefreshFailure: DeviceCommand {
        public static let name = "session.record-refresh-failure"
        public var device = ""
        public var refreshId = ""
        public var kind = RefreshFailure.expired
        public var httpStatus: Int64?
        public var error: String?
        public var message: PersonalText?
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "refreshId", &refreshId, "kind", &kind)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("error", &error, "message", &message, "rules", &rules)
        }

        public func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            try session.requireRefresh(refreshId)
            let reason = clearReason
            let failed = TokenRefreshFailed(
                refreshId: refreshId, kind: kind, httpStatus: httpStatus, error: error,
                message: message?.text.map { SealableText($0) }, tokensCleared: reason != nil,
                rules: rules, family: session.family, device: session.device)
            return [.tokenRefreshFailed(failed)]
                + (reason.map(session.clearing)
                    ?? session.waitingLaunches(found: .tokenRefreshFailed))
        }

        /// Reason to clear the tokens after the failure; `nil` if the tokens are kept.
        ///
        /// The source documents clear the tokens at any failure. The standard rules keep the tokens
        /// unless the server has rejected them, because a user who is offline should not have to
        /// sign in again.
        private var clearReason: ClearReason? {
            if kind == .reuse { return .reuse }
            return RefreshFailure.refusal(httpStatus) ?? kindReason
        }

        /// Reason by the kind of the failure, for an answer whose status does not decide.
        private var kindReason: ClearReason? {
            switch kind {
            case .expired: .expired
            case .invalidGrant: .unauthorized
            case .reuse: .reuse
            case .network, .timeout, .server: rules == .source ? .seedCompat : nil
            // Not an answer: the stored token is still valid.
            case .abandoned: nil
            }
        }
    }
}
