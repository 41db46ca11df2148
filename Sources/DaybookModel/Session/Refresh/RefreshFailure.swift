package import Daybook

extension Session {
    /// The reason why a token refresh returned no tokens.
    package enum RefreshFailure: UInt8, StoredEnum {
        case expired
        /// The server does not accept the refresh token.
        case invalidGrant
        /// The refresh token had already been replaced by a rotation.
        case reuse
        /// The server could not be reached.
        case network
        /// No answer came in time.
        case timeout
        /// The server answered with any other error.
        case server
        /// The process that waited for the answer ended, because the app was launched again.
        case abandoned

        /// Returns the reason to clear the tokens after an answer with a status; `nil` if the
        /// status does not reject them. The status takes precedence over every reported kind of
        /// failure except `reuse`.
        static func clearReason(forStatus httpStatus: Int64?) -> ClearReason? {
            switch httpStatus {
            case 418: .refresh418
            case 401: .unauthorized
            case 403: .forbidden
            default: nil
            }
        }
    }

    /// A token refresh returned no tokens; the requests and launches that waited for it failed too.
    package struct TokenRefreshFailed: EventPayload, PlainRecord {
        package static let kind: EventKind = "session.token-refresh-failed.v1"
        var refreshId = ""
        package var kind = RefreshFailure.expired
        /// HTTP status of the answer; `nil` if no answer came.
        var httpStatus: Int64?
        /// Name of the error in the answer, such as `invalid_grant`.
        package var error: String?
        /// Error message in the answer.
        package var message: SealableText?
        /// True if the tokens are cleared because of this failure.
        var clearsTokens = false
        /// Rule set that decided whether to clear the tokens.
        package var rules = Rules.standard
        var family = ""
        package var device = ""
        package var tags: [Tag] {
            [Tag("refresh", refreshId), familyTag(family), deviceTag(device)]
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId, "kind", &kind)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("error", &error, "message", &message, "tokensCleared", &clearsTokens)
            try field("rules", &rules, "family", &family, "device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            let cause =
                switch kind {
                case .expired: "the refresh token has expired"
                case .invalidGrant: "the refresh token is not accepted"
                case .reuse: "the refresh token was already replaced"
                case .network: "the server was not reached"
                case .timeout: "no answer in time"
                case .server: "an error of the server"
                case .abandoned: "the app was launched again"
                }
            return wording.list(
                after: "\(httpStatus.answer)refresh of \(family) failed", cause, error,
                wording.quoted(message), clearsTokens ? "tokens cleared" : nil)
        }
    }

    /// Records that a token refresh returned no tokens or got no answer.
    struct RecordRefreshFailure: DeviceCommand {
        static let name = "session.record-refresh-failure"
        var device = ""
        var refreshId = ""
        var kind = RefreshFailure.expired
        var httpStatus: Int64?
        var error: String?
        /// Error message in the answer.
        var message: PersonalText?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "refreshId", &refreshId, "kind", &kind)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("error", &error, "message", &message, "rules", &rules)
        }

        func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            try session.requireRefresh(refreshId)
            let reason = clearReason
            let failed = TokenRefreshFailed(
                refreshId: refreshId, kind: kind, httpStatus: httpStatus, error: error,
                message: message?.text.map { SealableText($0) }, clearsTokens: reason != nil,
                rules: rules, family: session.family, device: session.device)
            return [.tokenRefreshFailed(failed)]
                + (reason.map(session.clearing)
                    ?? session.finishingLoginChecks(with: .tokenRefreshFailed))
        }

        /// Reason to clear the tokens after the failure; `nil` if the tokens are kept.
        ///
        /// The rule set `source` clears the tokens at any failure except `abandoned`. The standard
        /// rules keep the tokens unless the server has rejected them, because a user who is offline
        /// should not have to sign in again.
        private var clearReason: ClearReason? {
            if kind == .reuse { return .reuse }
            return RefreshFailure.clearReason(forStatus: httpStatus) ?? kindReason
        }

        /// Reason to clear the tokens that follows from the kind of failure; used if the HTTP status
        /// gives none.
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
