public import Daybook

extension Household {
    /// Progress of a device in registering its baby with the server.
    public enum OnboardingStatus: UInt8, StoredEnum {
        /// The baby has a server id, but no user is signed in with Google.
        case restored
        case needsOnboarding
        /// The baby has an `offline_…` id that the server does not know.
        case localOnly
        /// The device has asked the server for ids.
        case syncing
        case linked
    }

    /// The baby of a device, and the progress of its registration with the server.
    public enum DeviceOnboarding: Projection {
        public enum Event: DecidedEvents {
            case profileRestored(ProfileRestored)
            case onboarded(Onboarded)
            case syncStarted(SyncStarted)
            case syncFailed(SyncFailed)
            case onboardingSynced(OnboardingSynced)

            public static let kinds = [
                StoredKind(profileRestored), StoredKind(onboarded), StoredKind(syncStarted),
                StoredKind(syncFailed), StoredKind(onboardingSynced),
            ]
        }

        /// The kinds that only this projection folds.
        static let ownKinds = Event.kinds.filter { $0.kind != Onboarded.kind }

        public struct State: Record {
            public var status = OnboardingStatus.restored
            /// The baby that the app shows now.
            public var babyId: String?
            public var householdId: String?
            /// Number of requests for ids since the last success.
            public var attempts: Int64 = 0
            public var lastFailure: SyncFailure?
            public var lastHttpStatus: Int64?
            public var synced: Instant?
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("status", &status, "babyId", &babyId, "householdId", &householdId)
                try field("attempts", &attempts, "lastFailure", &lastFailure)
                try field("lastHttpStatus", &lastHttpStatus, "synced", &synced)
            }
        }

        public static let lifecycle = Lifecycle<OnboardingStatus>(
            "onboarding", field: "status",
            [
                .step(
                    ProfileRestored.self,
                    from: nil, .restored, .needsOnboarding, .localOnly, .syncing, .linked,
                    to: .restored, .needsOnboarding, .localOnly, .linked),
                .step(
                    Onboarded.self, from: nil, .restored, .needsOnboarding,
                    to: .localOnly, .linked),
                .stays(Onboarded.self, in: .localOnly, .syncing, .linked),
                .step(SyncStarted.self, from: .localOnly, to: .syncing),
                .step(SyncFailed.self, from: .syncing, to: .localOnly),
                .step(OnboardingSynced.self, from: .syncing, to: .linked),
            ])

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .profileRestored(let restored):
                state.status = restored.status
                state.babyId = restored.babyId
                state.householdId = restored.householdId
            case .onboarded(let onboarded):
                switch state.status {
                case .restored, .needsOnboarding:
                    state.status = isOffline(onboarded.babyId) ? .localOnly : .linked
                case .localOnly, .syncing, .linked: break
                }
                state.babyId = onboarded.babyId
                state.householdId = onboarded.householdId
            case .syncStarted:
                state.status = .syncing
                state.attempts += 1
            case .syncFailed(let failed):
                state.status = .localOnly
                state.lastFailure = failed.failure
                state.lastHttpStatus = failed.httpStatus
            case .onboardingSynced(let synced):
                state.status = .linked
                if state.babyId == synced.localBabyId { state.babyId = synced.babyId }
                if state.householdId == synced.localHouseholdId {
                    state.householdId = synced.householdId
                }
                state.attempts = 0
                state.lastFailure = nil
                state.lastHttpStatus = nil
                state.synced = envelope.occurredAt
            }
        }
    }

    /// Everything that the registration of a device's baby depends on.
    ///
    /// The onboarding, the user signed in with Google, and the replaced ids.
    public enum Linking: Projection {
        public enum Event: DecidedEvents {
            case onboarding(DeviceOnboarding.Event)
            case idReplaced(IdReplaced)
            case signedIn(Session.SignedIn)
            case tokensCleared(Session.TokensCleared)
            case signedOut(Session.SignedOut)

            public static let kinds: [StoredKind<Event>] =
                DeviceOnboarding.Event.kinds.map { $0.widened(onboarding) } + [
                    StoredKind(idReplaced), StoredKind(signedIn), StoredKind(tokensCleared),
                    StoredKind(signedOut),
                ]

            public var payload: any EventPayload {
                switch self {
                case .onboarding(let event): event.payload
                case .idReplaced(let event): event
                case .signedIn(let event): event
                case .tokensCleared(let event): event
                case .signedOut(let event): event
                }
            }
        }

        public struct State: Record {
            public var onboarding = DeviceOnboarding.State()
            /// The ids that are being synced.
            public var syncing: SyncStarted?
            /// The user who is signed in with Google; `nil` if there is none.
            public var googleUser: String?
            /// Newest ids by the tags of the ids they replaced: `profile:offline_b` → `b`.
            public var replaced: [String: String] = [:]
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("onboarding", &onboarding, "syncing", &syncing)
                try field("googleUser", &googleUser, "replaced", &replaced)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .onboarding(let event):
                DeviceOnboarding.evolve(&state.onboarding, with: event, envelope)
                switch event {
                case .syncStarted(let started): state.syncing = started
                case .profileRestored, .syncFailed, .onboardingSynced: state.syncing = nil
                case .onboarded: break
                }
            case .idReplaced(let ids):
                let former = IdReplaced.tag(ids.kind, ids.localId).text
                if state.replaced[former] == nil { state.replaced[former] = ids.remoteId }
            case .signedIn(let signedIn):
                state.googleUser = signedIn.provider == .google ? signedIn.userId : nil
            case .tokensCleared, .signedOut: state.googleUser = nil
            }
        }
    }
}
