import Daybook

extension Session {
    /// An event that the state of a session does not allow.
    ///
    /// Commands never record such an event; events imported from elsewhere may be of this sort.
    struct UnexpectedEvent: Sendable, CustomStringConvertible {
        /// Id of the audit rule that forbids the event, such as `T1`.
        let rule: String
        /// Description of the error, such as "a refresh failed that was not under way".
        let sentence: String
        /// Code of the error in stored states; differs from `rule` if earlier versions used another
        /// code.
        private let code: String

        /// Creates an error; its code in stored states is `code`, or else the rule.
        private init(_ rule: String, _ sentence: String, storedAs code: String? = nil) {
            self.rule = rule
            self.sentence = sentence
            self.code = code ?? rule
        }

        /// Code and sentence, such as `T1: a refresh was started while another was under way`.
        var description: String { code.isEmpty ? sentence : "\(code): \(sentence)" }

        /// Describes the error of an event after a state; fails if the state allows the event.
        init?(_ event: Event, after state: State) {
            let running = state.refresh?.refreshId
            let isSignedIn = state.status == .signedIn
            switch event {
            case .tokenRefreshStarted where running != nil:
                self.init("T1", "a refresh was started while another was under way")
            case .tokenRefreshStarted where !isSignedIn:
                self.init("T6", "a refresh was started without a stored token")
            case .tokenRefreshJoined(let joined) where joined.refreshId != running:
                self.init("T2", "joined a refresh that was not under way")
            case .tokenRefreshed(let refreshed)
            where refreshed.refreshId != running
                && state.endedRefreshIds.contains(refreshed.refreshId):
                self.init("T2", "a refresh succeeded that had ended before")
            case .tokenRefreshed(let refreshed) where refreshed.refreshId != running:
                self.init("T2", "a refresh succeeded that was not under way")
            case .tokenRefreshed(let refreshed)
            where refreshed.toGeneration != state.generation + 1:
                self.init("T4", "the generation did not rise by one")
            case .tokenRefreshFailed(let failed) where failed.refreshId != running:
                self.init("T2", "a refresh failed that was not under way")
            case .requestRetried where !isSignedIn:
                self.init("T3", "a request was retried after the tokens were cleared")
            case .requestRetried(let retried) where state.retriesDue[retried.requestId] == nil:
                self.init("T3", "a request was retried that had no retry due", storedAs: "T5")
            case .signedIn where isSignedIn:
                self.init("T9", "signed in while signed in", storedAs: "")
            case .tokensCleared where !lifecycle.allows(TokensCleared.self, in: state.status):
                self.init("T9", "tokens were cleared that were not there")
            default:
                return nil
            }
        }
    }
}
