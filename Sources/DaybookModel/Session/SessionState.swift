public import Daybook

extension Session {
    /// The stored tokens of a device, and the refresh and retries under way.
    public struct State: Record {
        public var status = Status.signedOut
        public var userId = ""
        public var device = ""
        /// The last token family; kept after its tokens are cleared.
        public var family = ""
        public var generation: Int64 = 0
        public var accessExpires = Instant.epoch
        public var refreshHash = Digest.blank
        /// Moment of the family's last rotation; `nil` before the first.
        public var rotated: Instant?
        public var refresh: Refresh?
        /// Number of refreshes started from this generation.
        public var attempts: Int64 = 0
        /// Id of the last refresh that returned tokens.
        public var lastRefreshId: String?
        /// Requests that met a 419 and may be sent once more, by id.
        public var retriesDue: [String: Retry] = [:]
        /// Id of the last launch whose login was checked.
        public var launchId: String?
        /// All token families of the sign-ins so far.
        public var families: Series<String> = []
        /// Refreshes from this generation that ended without tokens; later events about them are
        /// ignored.
        var endedRefreshes: [String] = []
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("status", &status, "userId", &userId, "device", &device, "family", &family)
            try field("generation", &generation)
            try field("accessExpiresUs", &accessExpires, .any)
            try field("refreshHash", &refreshHash)
            try field("rotatedUs", &rotated, .any)
            try field("refresh", &refresh, "attempts", &attempts, "lastRefreshId", &lastRefreshId)
            try field("retriesDue", &retriesDue, "launchId", &launchId, "families", &families)
            try field.internalField("endedRefreshes", &endedRefreshes)
        }
    }

    public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
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
        rotated = nil
        attempts = 0
        endedRefreshes = []
        lastRefreshId = nil
    }

    /// Begins a refresh.
    fileprivate mutating func start(_ started: Session.TokenRefreshStarted, at moment: Instant) {
        refresh = Session.Refresh(
            refreshId: started.refreshId, fromGeneration: started.fromGeneration, started: moment)
        attempts += 1
        wait(started.requestId, started.launchId)
    }

    /// Adds a request or a launch to those that wait for the refresh under way.
    fileprivate mutating func wait(_ requestId: String?, _ launchId: String?) {
        if let requestId {
            retriesDue[requestId] = nil
            refresh?.waiters.append(requestId)
        }
        if let launchId { refresh?.launches.append(launchId) }
    }

    /// Records that a refresh ended without tokens.
    fileprivate mutating func end(_ refreshId: String) {
        if !endedRefreshes.contains(refreshId) { endedRefreshes.append(refreshId) }
    }

    /// True if the device adopts the tokens of a refresh.
    ///
    /// The device adopts the tokens of the refresh under way, and newer tokens of its family whose
    /// refresh was not recorded as started. A late answer to an ended refresh is ignored, because
    /// the process that waited for the answer no longer existed.
    func adopts(_ refreshed: Session.TokenRefreshed) -> Bool {
        if refresh?.refreshId == refreshed.refreshId || family.isEmpty { return true }
        return status == .signedIn && refreshed.family == family
            && refreshed.toGeneration > generation
            && !endedRefreshes.contains(refreshed.refreshId)
    }

    /// Adopts the tokens of a refresh; ignores tokens that the device does not adopt.
    fileprivate mutating func rotate(_ refreshed: Session.TokenRefreshed, at moment: Instant) {
        guard adopts(refreshed) else { return }
        if refreshed.toGeneration > generation {
            attempts = 0
            endedRefreshes = []
        }
        generation = max(generation, refreshed.toGeneration)
        accessExpires = refreshed.accessExpires
        refreshHash = refreshed.refreshHash
        rotated = moment
        lastRefreshId = refreshed.refreshId
        for requestId in refresh?.waiters ?? [] {
            retriesDue[requestId] = Session.Retry(
                refreshId: refreshed.refreshId, generation: generation)
        }
        refresh = nil
    }

    /// Removes the tokens, the refresh under way and the retries that are due.
    fileprivate mutating func clear() {
        if status == .signedIn { status = .signedOut }
        accessExpires = .epoch
        refreshHash = .blank
        if let refresh { end(refresh.refreshId) }
        refresh = nil
        retriesDue = [:]
    }

    /// Refuses an event that the session's status does not allow.
    func require(_ payload: (some EventPayload).Type) throws(Refusal) {
        guard !Session.lifecycle.allows(payload, in: status) else { return }
        guard status == .revoked else {
            throw Refusal("notSignedIn", "there is no stored token; sign in first")
        }
        throw Refusal("familyRevoked", "the token family \(family) is revoked; sign in again")
    }
}

extension Instant {
    /// Returns the moment `seconds` later, clamped to the range of `Instant`.
    func advanced(bySeconds seconds: Int64) -> Instant {
        advanced(byMicroseconds: seconds * 1_000_000)
    }
}
