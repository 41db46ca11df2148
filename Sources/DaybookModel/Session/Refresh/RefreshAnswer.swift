package import Daybook

extension Session {
    /// A token refresh returned new tokens, which replace the tokens of the same token family.
    package struct TokenRefreshed: EventPayload, PlainRecord {
        package static let kind: EventKind = "session.token-refreshed.v1"
        var refreshId = ""
        /// Generation (number of rotations) of the new tokens.
        var toGeneration: Int64 = 0
        /// Hash of the new access token.
        var accessHash = Digest.blank
        /// Hash of the new refresh token.
        var refreshHash = Digest.blank
        /// Lifetime of the access token in seconds.
        var expiresInS: Int64 = 0
        var accessExpires = Instant.epoch
        /// Time from the request to the answer.
        var latencyMs: Int64 = 0
        /// Name of the token family, which all tokens of one sign-in share.
        var family = ""
        package var device = ""
        package var tags: [Tag] {
            [Tag("refresh", refreshId), familyTag(family), deviceTag(device)]
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId)
            try field("toGeneration", &toGeneration, .count)
            try field("accessHash", &accessHash, "refreshHash", &refreshHash)
            try field("expiresInS", &expiresInS, .lifetimeS)
            try field("accessExpiresUs", &accessExpires)
            try field("latencyMs", &latencyMs, .spanMs)
            try field("family", &family, "device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            "refresh to \(family)-g\(toGeneration) done in "
                + FieldUnit.milliseconds.text(latencyMs)
        }
    }

    /// Records that a token refresh returned new tokens.
    struct RecordRefresh: DeviceCommand {
        static let name = "session.record-refresh"
        var device = ""
        var refreshId = ""
        var accessHash = Digest.blank
        /// Hash of the new refresh token; `nil` if the server keeps the old refresh token.
        var refreshHash: Digest?
        var expiresInS: Int64 = 0
        var latencyMs: Int64 = 0
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "refreshId", &refreshId, "accessHash", &accessHash)
            try field("refreshHash", &refreshHash)
            try field("expiresInS", &expiresInS, .lifetimeS)
            try field("latencyMs", &latencyMs, .spanMs)
        }

        func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            if session.refresh?.refreshId != refreshId, session.lastRefreshId == refreshId {
                return []
            }
            try session.requireRefresh(refreshId)
            let refreshed = TokenRefreshed(
                refreshId: refreshId, toGeneration: session.generation + 1,
                accessHash: accessHash, refreshHash: refreshHash ?? session.refreshHash,
                expiresInS: expiresInS, accessExpires: now.advanced(bySeconds: expiresInS),
                latencyMs: latencyMs, family: session.family, device: session.device)
            return [.tokenRefreshed(refreshed)] + session.finishingLoginChecks(with: .loggedIn)
        }
    }
}
