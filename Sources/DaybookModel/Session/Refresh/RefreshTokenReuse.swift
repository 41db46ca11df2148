package import Daybook

extension Session {
    /// A refresh token was presented again after a rotation had replaced it.
    package struct RefreshTokenReuseDetected: EventPayload, PlainRecord {
        package static let kind: EventKind = "session.refresh-token-reuse-detected.v1"
        var family = ""
        /// Generation (number of rotations) of the presented token.
        var presentedGeneration: Int64 = 0
        /// Generation of the token that is valid at this time.
        var currentGeneration: Int64 = 0
        /// True if the answer to the rotation may have been lost, so that nothing is revoked.
        var isWithinGrace = false
        package var device = ""
        package var tags: [Tag] { [familyTag(family), deviceTag(device)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("family", &family)
            try field("presentedGeneration", &presentedGeneration, .count)
            try field("currentGeneration", &currentGeneration, .count)
            try field("withinGrace", &isWithinGrace, "device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            "old refresh token \(family)-g\(presentedGeneration) presented, "
                + "g\(currentGeneration) is valid: "
                + (isWithinGrace ? "nothing revoked" : "\(family) revoked")
        }
    }

    /// Presents a refresh token to the server, which replaces the tokens (rotation) or detects that
    /// the token was already replaced (reuse).
    ///
    /// Source: RFC 9700 4.14.2, with a grace period for the previous generation only.
    struct PresentRefreshToken: SessionCommand {
        static let name = "session.present-refresh-token"
        var family = ""
        /// Generation (number of rotations) of the presented token.
        var generation: Int64 = 0
        /// Hash of the new access token. This field and the next two are required if the presented
        /// token is the current one.
        var accessHash: Digest?
        var refreshHash: Digest?
        /// Lifetime of the new access token in seconds.
        var expiresInS: Int64?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("family", &family)
            try field("generation", &generation, .count)
            try field("accessHash", &accessHash, "refreshHash", &refreshHash)
            try field("expiresInS", &expiresInS, .lifetimeS)
        }

        var query: Query { events(of: familyTag(family)) }

        func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            try session.require(TokenRefreshed.self)
            if generation == session.generation { return try rotating(session, now) }
            let detected = RefreshTokenReuseDetected(
                family: session.family, presentedGeneration: generation,
                currentGeneration: session.generation, isWithinGrace: isWithinGrace(session, now),
                device: session.device)
            return [.refreshTokenReuseDetected(detected)]
                + (detected.isWithinGrace ? [] : session.clearing(.reuse))
        }

        /// Seconds after a rotation during which presenting the previous token does not count as
        /// reuse, because the answer with the new tokens may have been lost. Source: Connect2id, 5
        /// s.
        private static let graceS: Int64 = 5

        /// True if the last rotation was so recent that its answer may have been lost.
        private func isWithinGrace(_ session: State, _ now: Instant) -> Bool {
            guard let rotated = session.lastRotation, generation == session.generation - 1 else {
                return false
            }
            return now <= rotated.advanced(bySeconds: Self.graceS)
        }

        /// Returns the events that replace the tokens; throws if the new tokens are missing.
        private func rotating(_ session: State, _ now: Instant) throws(Refusal) -> [Event] {
            guard let accessHash, let refreshHash, let expiresInS else {
                throw Refusal(
                    "newTokensMissing",
                    "the server replaces the current refresh token when the token is presented; "
                        + "give accessHash, refreshHash and expiresInS of the new tokens")
            }
            var session = session
            var events: [Event] = []
            if session.refresh == nil {
                // The server does not see why the device refreshes.
                events = session.refreshing(.proactive, now, .source)
                session.refresh = Refresh(refreshId: session.nextRefreshId)
            }
            let answer = RecordRefresh(
                device: session.device, refreshId: session.refresh?.refreshId ?? "",
                accessHash: accessHash, refreshHash: refreshHash, expiresInS: expiresInS)
            return events + (try answer.decide(session, now: now))
        }
    }
}
