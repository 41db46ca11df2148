package import Daybook

extension Session {
    /// The sign-in state of a device: its tokens, token refresh, and requests to send again.
    package struct State: PlainRecord {
        package var status = Status.signedOut
        package var userId = ""
        package var device = ""
        /// Name of the last token family, which all tokens of one sign-in share; kept after
        /// sign-out.
        var family = ""
        var generation: Int64 = 0
        /// Time at which the access token expires; blank without tokens.
        var accessExpires = Instant.epoch
        /// Hash of the refresh token; blank without tokens.
        var refreshHash = Digest.blank
        /// Time of the token family's last rotation; `nil` before the first rotation.
        var lastRotation: Instant?
        /// Token refresh whose answer is awaited; `nil` for none.
        var refresh: Refresh?
        /// Number of token refreshes that were started since the last rotation.
        var refreshAttemptCount: Int64 = 0
        /// Id of the last token refresh that returned new tokens since the sign-in; `nil` for none.
        var lastRefreshId: String?
        /// Requests that were answered with 419 and may be sent once more, by request id.
        var retriesDue: [String: Retry] = [:]
        /// Id of the last launch whose login was checked; `nil` for none.
        var launchId: String?
        /// Names of the token families of all sign-ins so far.
        var families: Series<String> = []
        /// Ids of the token refreshes since the last rotation that ended without new tokens.
        var endedRefreshIds: [String] = []
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("status", &status)
            try field.unlessBlank("userId", &userId)
            try field.unlessBlank("device", &device)
            try field.unlessBlank("family", &family)
            try field("generation", &generation)
            try field.unlessBlank("accessExpiresUs", &accessExpires)
            try field.unlessBlank("refreshHash", &refreshHash)
            try field("rotatedUs", &lastRotation, .any)
            try field("refresh", &refresh, "attempts", &refreshAttemptCount)
            try field("lastRefreshId", &lastRefreshId, "retriesDue", &retriesDue)
            try field("launchId", &launchId, "families", &families)
            try field.internalField("endedRefreshes", &endedRefreshIds)
        }
    }

    package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .signedIn(let signedIn): state.signIn(signedIn)
        case .loginStatusChecked(let checked): state.launchId = checked.launchId
        case .tokenExpiryObserved(let observed):
            guard observed.status == 419 else { break }
            state.retriesDue[observed.requestId] = Retry(generation: state.generation)
        case .tokenRefreshStarted(let started): state.start(started, at: envelope.occurredAt)
        case .tokenRefreshJoined(let joined): state.wait(joined.requestId, joined.launchId)
        case .tokenRefreshed(let refreshed): state.rotate(refreshed, at: envelope.occurredAt)
        case .tokenRefreshFailed(let failed):
            if state.refresh?.refreshId == failed.refreshId { state.refresh = nil }
            state.end(failed.refreshId)
        case .refreshTokenReuseDetected: break
        case .tokensCleared(let cleared):
            state.clear()
            state.status = cleared.reason == .reuse ? .revoked : .signedOut
        case .requestRetried(let retried): state.retriesDue[retried.requestId] = nil
        case .signedOut: state.clear()
        }
    }
}

extension Session.State {
    /// Replaces the session by that of a new sign-in.
    fileprivate mutating func signIn(_ signedIn: Session.SignedIn) {
        clear()
        status = .signedIn
        userId = signedIn.userId
        device = signedIn.device
        family = signedIn.family
        families.append(signedIn.family)
        generation = signedIn.generation
        accessExpires = signedIn.accessExpires
        refreshHash = signedIn.refreshHash
        lastRotation = nil
        refreshAttemptCount = 0
        endedRefreshIds = []
        lastRefreshId = nil
    }

    fileprivate mutating func start(_ started: Session.TokenRefreshStarted, at time: Instant) {
        refresh = Session.Refresh(
            refreshId: started.refreshId, fromGeneration: started.fromGeneration, started: time)
        refreshAttemptCount += 1
        wait(started.requestId, started.launchId)
    }

    /// Adds a request or a launch to those that wait for the current token refresh.
    fileprivate mutating func wait(_ requestId: String?, _ launchId: String?) {
        if let requestId {
            retriesDue[requestId] = nil
            refresh?.waitingRequestIds.append(requestId)
        }
        if let launchId { refresh?.waitingLaunchIds.append(launchId) }
    }

    /// Records that a token refresh ended without new tokens.
    fileprivate mutating func end(_ refreshId: String) {
        if !endedRefreshIds.contains(refreshId) { endedRefreshIds.append(refreshId) }
    }

    /// True if the device stores the tokens that a refresh returned. It stores the tokens of the
    /// current refresh, and newer tokens of its family whose refresh was not recorded as started. A
    /// late answer to an ended refresh is ignored, because nothing waits for it any more.
    func adopts(_ refreshed: Session.TokenRefreshed) -> Bool {
        if refresh?.refreshId == refreshed.refreshId || family.isEmpty { return true }
        return status == .signedIn && refreshed.family == family
            && refreshed.toGeneration > generation
            && !endedRefreshIds.contains(refreshed.refreshId)
    }

    /// Stores the tokens that a refresh returned, unless the device does not adopt them.
    fileprivate mutating func rotate(_ refreshed: Session.TokenRefreshed, at time: Instant) {
        guard adopts(refreshed) else { return }
        if refreshed.toGeneration > generation {
            refreshAttemptCount = 0
            endedRefreshIds = []
        }
        generation = max(generation, refreshed.toGeneration)
        accessExpires = refreshed.accessExpires
        refreshHash = refreshed.refreshHash
        lastRotation = time
        lastRefreshId = refreshed.refreshId
        for requestId in refresh?.waitingRequestIds ?? [] {
            retriesDue[requestId] = Session.Retry(
                refreshId: refreshed.refreshId, generation: generation)
        }
        refresh = nil
    }

    /// Removes the tokens, the current token refresh and the retries that are due.
    fileprivate mutating func clear() {
        if status == .signedIn { status = .signedOut }
        accessExpires = .epoch
        refreshHash = .blank
        if let refresh { end(refresh.refreshId) }
        refresh = nil
        retriesDue = [:]
    }

    /// Throws a refusal if the session's status does not allow this kind of event.
    func require(_ payload: (some EventPayload).Type) throws(Refusal) {
        guard !Session.lifecycle.allows(payload, in: status) else { return }
        guard status == .revoked else {
            throw Refusal("notSignedIn", "the device has no stored token; sign in first")
        }
        throw Refusal("familyRevoked", "the token family \(family) is revoked; sign in again")
    }
}

extension Instant {
    /// Returns the time `seconds` later, clamped to the range of `Instant`.
    func advanced(bySeconds seconds: Int64) -> Instant {
        advanced(byMicroseconds: seconds * 1_000_000)
    }
}
