import Daybook

extension Household {
    /// The progress of a device in registering its baby with the server.
    enum OnboardingStatus: UInt8, StoredEnum {
        /// The baby has a server id, but no user is signed in with Google.
        case restored
        /// The device stores no baby; the user must add one.
        case needsOnboarding
        /// The baby has an `offline_…` id that the server does not know.
        case localOnly
        /// The device has asked the server for ids and waits for the answer.
        case syncing
        /// The baby has a server id, and was added online or the sign-in was with Google.
        case linked
    }

    /// The projection of a device's baby, and of the baby's registration with the server.
    enum DeviceOnboarding: Projection {
        enum Event: DecidedEvents {
            case profileRestored(ProfileRestored), onboarded(Onboarded), syncStarted(SyncStarted)
            case syncFailed(SyncFailed), onboardingSynced(OnboardingSynced)

            static let kinds = [
                StoredKind(profileRestored), StoredKind(onboarded), StoredKind(syncStarted),
                StoredKind(syncFailed), StoredKind(onboardingSynced),
            ]
        }

        /// Kinds of this projection's events that the projection `Household` does not use.
        static let ownKinds = Event.kinds.filter { $0.kind != Onboarded.kind }

        struct State: PlainRecord {
            /// Progress of the baby's registration with the server.
            var status = OnboardingStatus.restored
            /// Id of the baby that the app shows now; `nil` if the device has none.
            var babyId: String?
            var householdId: String?
            /// Number of requests for ids since the last successful request.
            var attemptCount: Int64 = 0
            /// Reason why the last request for ids failed; `nil` if it succeeded.
            var lastFailure: SyncFailure?
            /// HTTP status of the last request for ids if it failed with a response; else `nil`.
            var lastHttpStatus: Int64?
            /// Time at which the server last assigned ids; `nil` if it never has.
            var synced: Instant?
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("status", &status, "babyId", &babyId, "householdId", &householdId)
                try field("attempts", &attemptCount, "lastFailure", &lastFailure)
                try field("lastHttpStatus", &lastHttpStatus, "synced", &synced)
            }
        }

        static let lifecycle = Lifecycle<OnboardingStatus>(
            "onboarding", field: "status",
            [
                .step(
                    ProfileRestored.self, from: nil, .restored, .needsOnboarding, .localOnly,
                    .syncing, .linked, to: .restored, .needsOnboarding, .localOnly, .linked),
                .step(
                    Onboarded.self, from: nil, .restored, .needsOnboarding,
                    to: .localOnly, .linked),
                .stays(Onboarded.self, in: .localOnly, .syncing, .linked),
                .step(SyncStarted.self, from: .localOnly, to: .syncing),
                .step(SyncFailed.self, from: .syncing, to: .localOnly),
                .step(OnboardingSynced.self, from: .syncing, to: .linked),
            ])

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
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
                state.attemptCount += 1
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
                state.attemptCount = 0
                state.lastFailure = nil
                state.lastHttpStatus = nil
                state.synced = envelope.occurredAt
            }
        }
    }

    /// The projection that commands use to decide about the registration of a device's baby.
    ///
    /// It contains the progress of the registration, the user who is signed in with Google, and the
    /// replaced ids.
    enum Linking: Projection {
        /// Events that the registration of a device's baby depends on.
        enum Event: DecidedEvents {
            case onboarding(DeviceOnboarding.Event), idReplaced(IdReplaced)
            case signedIn(Session.SignedIn), tokensCleared(Session.TokensCleared)
            case signedOut(Session.SignedOut)

            static let kinds: [StoredKind<Event>] =
                DeviceOnboarding.Event.kinds.map { $0.widened(onboarding) } + [
                    StoredKind(idReplaced), StoredKind(signedIn), StoredKind(tokensCleared),
                    StoredKind(signedOut),
                ]

            var payload: any EventPayload {
                switch self {
                case .onboarding(let event): event.payload
                case .idReplaced(let event): event
                case .signedIn(let event): event
                case .tokensCleared(let event): event
                case .signedOut(let event): event
                }
            }
        }

        struct State: PlainRecord {
            /// The baby of the device, and how far the baby's registration with the server has got.
            var onboarding = DeviceOnboarding.State()
            /// Request to the server that is under way, with the ids to replace; else `nil`.
            var syncing: SyncStarted?
            /// Id of the user who is signed in with Google; `nil` if there is none.
            var googleUserId: String?
            /// Newer ids by the tags of the replaced ids, such as `b` for `profile:offline_b`.
            var newerIds: [String: String] = [:]
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("onboarding", &onboarding, "syncing", &syncing)
                try field("googleUser", &googleUserId, "replaced", &newerIds)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
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
                if state.newerIds[former] == nil { state.newerIds[former] = ids.remoteId }
            case .signedIn(let signedIn):
                state.googleUserId = signedIn.provider == .google ? signedIn.userId : nil
            case .tokensCleared, .signedOut: state.googleUserId = nil
            }
        }
    }
}
