import Daybook

extension Household {
    /// A device asked the server for ids that replace those of a baby added offline.
    struct SyncStarted: EventPayload, PlainRecord {
        static let kind: EventKind = "household.sync-started.v1"
        var device = ""
        var babyId = ""
        var householdId = ""
        /// Id of the user who is signed in with Google.
        var userId = ""
        var tags: [Tag] {
            [deviceTag(device), profileTag(babyId), tag(householdId), Tag("user", userId)]
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "babyId", &babyId, "householdId", &householdId)
            try field("userId", &userId)
        }

        func sentence(_ wording: Wording) -> String {
            "sync of the baby with the server started"
        }
    }

    /// The reason why a request to the server for ids failed.
    enum SyncFailure: UInt8, StoredEnum { case network, timeout, server }

    /// The server returned no ids; the baby keeps the id from its device.
    struct SyncFailed: EventPayload, PlainRecord {
        static let kind: EventKind = "household.sync-failed.v1"
        var device = ""
        /// Reason why the server returned no ids.
        var failure = SyncFailure.network
        /// Status of the HTTP response; `nil` if there was no response.
        var httpStatus: Int64?
        var tags: [Tag] { [deviceTag(device)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "failure", &failure)
            try field("httpStatus", &httpStatus, .httpStatus)
        }

        func sentence(_ wording: Wording) -> String {
            let reason =
                switch failure {
                case .network: "the server was not reached"
                case .timeout: "no answer in time"
                case .server: "the server gave no ids"
                }
            return "\(httpStatus.answer)sync of the baby failed: \(reason)"
        }
    }

    /// The server assigned ids to a baby, its household and its albums.
    struct OnboardingSynced: EventPayload, PlainRecord {
        static let kind: EventKind = "household.onboarding-synced.v1"
        var device = ""
        /// Former id of the baby, from the device.
        var localBabyId = ""
        var babyId = ""
        /// Former id of the household, from the device.
        var localHouseholdId = ""
        var householdId = ""
        /// Album ids from the server, by the album ids from the device.
        var albumIds: [String: String] = [:]
        var tags: [Tag] {
            [
                deviceTag(device), profileTag(localBabyId), profileTag(babyId),
                tag(localHouseholdId), tag(householdId),
            ]
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "localBabyId", &localBabyId, "babyId", &babyId)
            try field("localHouseholdId", &localHouseholdId, "householdId", &householdId)
            try field("albumIds", &albumIds, .elements(10_000))
        }

        func sentence(_ wording: Wording) -> String {
            "baby and household linked to the server"
                + (albumIds.isEmpty ? "" : ", with " + albumIds.count.counted("album"))
        }
    }

    /// Starts a request to the server for ids; refused if no user is signed in with Google.
    ///
    /// Does nothing if the baby already has server ids or a request is under way.
    struct StartSync: Command, PlainRecord {
        typealias Model = Linking
        static let name = "household.start-sync"
        var device = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
        }

        var query: Query { events(of: deviceTag(device)) }

        /// Returns the query, extended by the events that replaced the baby's id on any device.
        func query(knowing state: Linking.State) -> Query {
            guard let babyId = state.onboarding.babyId else { return query }
            return query.union(.any(of: [IdReplaced.kind], IdReplaced.tag(.baby, babyId)))
        }

        func decide(_ state: Linking.State, now: Instant) throws(Refusal) -> [Linking.Event] {
            let onboarding = state.onboarding
            guard DeviceOnboarding.lifecycle.allows(SyncStarted.self, in: onboarding.status),
                let babyId = onboarding.babyId, let householdId = onboarding.householdId
            else { return [] }
            guard let userId = state.googleUserId else {
                throw Refusal(
                    "notLinked",
                    "no user is signed in with Google on the device '\(device)'; sign in first")
            }
            if let newest = state.newerIds[IdReplaced.tag(.baby, babyId).text] {
                throw Refusal(
                    "idReplacedBefore",
                    "the baby's id '\(babyId)' was already replaced by '\(newest)'; give the device the new "
                        + "id with household.restore-profile")
            }
            let started = SyncStarted(
                device: device, babyId: babyId, householdId: householdId, userId: userId)
            return [.onboarding(.syncStarted(started))]
        }
    }

    /// Records the ids from the server; they replace the ids from the device in the same commit.
    struct RecordSync: Command, PlainRecord {
        typealias Model = Linking
        static let name = "household.record-sync"
        var device = ""
        var babyId = ""
        var householdId = ""
        var albumIds: [String: String] = [:]
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "babyId", &babyId, "householdId", &householdId)
            try field("albumIds", &albumIds, .elements(10_000))
        }

        var query: Query { events(of: deviceTag(device)) }

        /// Returns the query, extended by events that already replaced any of the ids to replace.
        func query(knowing state: Linking.State) -> Query {
            guard let syncing = state.syncing else { return query }
            return query.union(
                .any(of: [IdReplaced.kind], replacements(of: syncing).map(\.formerTag)))
        }

        func decide(_ state: Linking.State, now: Instant) throws(Refusal) -> [Linking.Event] {
            guard let syncing = state.syncing else {
                throw Refusal(
                    "noSync",
                    "no request of the device '\(device)' for ids is under way; use "
                        + "household.start-sync first")
            }
            guard !babyId.isEmpty, !householdId.isEmpty, !isOffline(babyId) else {
                throw Refusal(
                    "idMissing",
                    "the command must give ids from the server; it gives '\(babyId)' for the baby and "
                        + "'\(householdId)' for the household")
            }
            let replacements = replacements(of: syncing)
            for ids in replacements {
                guard let other = state.newerIds[ids.formerTag.text], other != ids.remoteId else {
                    continue
                }
                throw Refusal(
                    "idReplacedBefore",
                    "the id '\(ids.localId)' was already replaced by '\(other)', not by "
                        + "'\(ids.remoteId)'")
            }
            let synced = OnboardingSynced(
                device: device, localBabyId: syncing.babyId, babyId: babyId,
                localHouseholdId: syncing.householdId, householdId: householdId, albumIds: albumIds)
            let isNew = { (ids: IdReplaced) in state.newerIds[ids.formerTag.text] == nil }
            return [.onboarding(.onboardingSynced(synced))]
                + replacements.filter(isNew).map { .idReplaced($0) }
        }

        /// Returns the replacements of the device's ids by different ids from the server.
        private func replacements(of syncing: SyncStarted) -> [IdReplaced] {
            let ids =
                [
                    IdReplaced(kind: .baby, localId: syncing.babyId, remoteId: babyId),
                    IdReplaced(
                        kind: .household, localId: syncing.householdId, remoteId: householdId),
                ]
                + albumIds.sorted { $0.key < $1.key }.map {
                    IdReplaced(kind: .album, localId: $0.key, remoteId: $0.value)
                }
            return ids.filter { $0.localId != $0.remoteId }
        }
    }

    /// Records that a request to the server for ids failed.
    struct RecordSyncFailure: Command, PlainRecord {
        typealias Model = Linking
        static let name = "household.record-sync-failure"
        var device = ""
        var failure = SyncFailure.network
        var httpStatus: Int64?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "failure", &failure)
            try field("httpStatus", &httpStatus, .httpStatus)
        }

        var query: Query { events(of: deviceTag(device)) }

        func decide(_ state: Linking.State, now: Instant) -> [Linking.Event] {
            guard DeviceOnboarding.lifecycle.allows(SyncFailed.self, in: state.onboarding.status)
            else { return [] }
            let failed = SyncFailed(device: device, failure: failure, httpStatus: httpStatus)
            return [.onboarding(.syncFailed(failed))]
        }
    }
}

extension Household.IdReplaced {
    /// Tag of the entity with its replaced id, such as `profile:offline_7`.
    var formerTag: Tag { Self.tag(kind, localId) }
}
