import CivilTime
public import EventSourcing

extension Session {
    public enum Status: UInt8, StoredEnum {
        /// No stored token.
        case signedOut
        case signedIn
        /// A rotated refresh token was presented again: the family is worth nothing any more.
        case revoked
    }

    /// The one refresh under way.
    public struct Refresh: Record {
        public var refreshId = ""
        public var fromGeneration: Int64 = 0
        public var startedUs: Int64 = 0
        /// Requests that go on when it succeeds and fail when it fails.
        public var waiters: [String] = []
        /// Launches whose login check hangs on it.
        public var launches: [String] = []

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId)
            try field("fromGeneration", &fromGeneration)
            try field("startedUs", &startedUs)
            try field("waiters", &waiters)
            try field("launches", &launches)
        }
    }

    /// A retry that is due or on its way.
    public struct Retry: Record {
        public var refreshId: String?
        public var generation: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId)
            try field("generation", &generation)
        }
    }

    /// What is stored on a device, and what goes on.
    public struct State: Record {
        public var status = Status.signedOut
        public var userId = ""
        public var device = ""
        /// The last family; still named after its tokens were cleared.
        public var family = ""
        public var generation: Int64 = 0
        public var accessExpiresUs: Int64 = 0
        public var refreshHash = Digest.blank
        /// When the family was last rotated.
        public var rotatedUs: Int64?
        public var refresh: Refresh?
        /// How many refreshes were started from this generation.
        public var attempts: Int64 = 0
        /// The last refresh that gave tokens.
        public var lastRefreshId: String?
        /// Requests that met a 419 and may be sent once more, by id.
        public var retriesDue: [String: Retry] = [:]
        /// The last launch whose login was checked.
        public var launchId: String?
        /// Every family there has been.
        public var families: [String] = []

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("status", &status)
            try field("userId", &userId)
            try field("device", &device)
            try field("family", &family)
            try field("generation", &generation)
            try field("accessExpiresUs", &accessExpiresUs)
            try field("refreshHash", &refreshHash)
            try field("rotatedUs", &rotatedUs)
            try field("refresh", &refresh)
            try field("attempts", &attempts)
            try field("lastRefreshId", &lastRefreshId)
            try field("retriesDue", &retriesDue)
            try field("launchId", &launchId)
            try field("families", &families)
        }
    }

    public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .signedIn(let signedIn):
            state.signIn(signedIn)
        case .loginStatusChecked(let checked):
            state.launchId = checked.launchId
        case .tokenExpiryObserved(let observed):
            guard observed.status == 419 else { break }
            state.retriesDue[observed.requestId] = Retry(
                refreshId: nil, generation: state.generation)
        case .tokenRefreshStarted(let started):
            var refresh = Refresh()
            refresh.refreshId = started.refreshId
            refresh.fromGeneration = started.fromGeneration
            refresh.startedUs = envelope.occurredAt.microseconds
            state.refresh = refresh
            state.attempts += 1
            state.wait(started.requestId, started.launchId)
        case .tokenRefreshJoined(let joined):
            state.wait(joined.requestId, joined.launchId)
        case .tokenRefreshed(let refreshed):
            state.rotate(refreshed, envelope)
        case .tokenRefreshFailed(let failed):
            if state.refresh?.refreshId == failed.refreshId { state.refresh = nil }
        case .refreshTokenReuseDetected:
            break
        case .tokensCleared(let cleared):
            state.clear()
            state.status = cleared.reason == .reuse ? .revoked : .signedOut
        case .requestRetried(let retried):
            state.retriesDue[retried.requestId] = nil
        case .signedOut:
            state.clear()
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
        accessExpiresUs = signedIn.accessExpiresUs
        refreshHash = signedIn.refreshHash
        rotatedUs = nil
        attempts = 0
        lastRefreshId = nil
    }

    fileprivate mutating func wait(_ requestId: String?, _ launchId: String?) {
        if let requestId {
            retriesDue[requestId] = nil
            refresh?.waiters.append(requestId)
        }
        if let launchId { refresh?.launches.append(launchId) }
    }

    fileprivate mutating func rotate(
        _ refreshed: Session.TokenRefreshed, _ envelope: Envelope
    ) {
        generation = refreshed.toGeneration
        accessExpiresUs = refreshed.accessExpiresUs
        refreshHash = refreshed.refreshHash
        rotatedUs = envelope.occurredAt.microseconds
        attempts = 0
        lastRefreshId = refreshed.refreshId
        for requestId in refresh?.waiters ?? [] {
            retriesDue[requestId] = Session.Retry(
                refreshId: refreshed.refreshId, generation: generation)
        }
        refresh = nil
    }

    fileprivate mutating func clear() {
        if status == .signedIn { status = .signedOut }
        accessExpiresUs = 0
        refreshHash = .blank
        refresh = nil
        retriesDue = [:]
    }
}
