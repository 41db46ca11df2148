import CivilTime
public import EventSourcing

extension Household {
    /// A household and its babies.
    public struct State: Record {
        public var householdId = ""
        /// Roles by user; who left is not in it.
        public var members: [String: Role] = [:]
        /// Babies in the order they came in, by their newest ids.
        public var babies: [String] = []
        /// What is known of each, by its newest id.
        public var profiles: [String: Profile] = [:]
        /// Newest ids by the ids they replaced.
        public var replaced: [String: String] = [:]
        /// Consents by user and kind: `u1/terms`.
        public var consents: [String: Consented] = [:]

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("householdId", &householdId)
            try field("members", &members)
            try field("babies", &babies)
            try field("profiles", &profiles)
            try field("replaced", &replaced)
            try field("consents", &consents)
        }

        /// What is known of a baby, by any id it has had.
        func profile(_ babyId: String) -> Profile {
            profiles[replaced.newest(babyId)] ?? Profile()
        }
    }

    /// One answer to a consent.
    public struct Consented: Record {
        public var granted = false
        public var version = ""
        public var changedUs: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("granted", &granted)
            try field("version", &version)
            try field("changedUs", &changedUs)
        }
    }

    public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .onboarded(let onboarded):
            state.householdId = onboarded.householdId
            state.babies.append(onboarded.babyId)
            state.profiles[onboarded.babyId, default: Profile()].take(onboarded)
        case .idReplaced(let ids):
            guard state.replaced.replace(ids.localId, by: ids.remoteId) else { break }
            switch ids.kind {
            case .baby:
                state.babies = state.babies.map { $0 == ids.localId ? ids.remoteId : $0 }
                var profile = state.profiles.removeValue(forKey: ids.localId) ?? Profile()
                profile.take(ids)
                state.profiles[ids.remoteId] = profile
            case .household where state.householdId == ids.localId:
                state.householdId = ids.remoteId
            default: break
            }
        case .consentChanged(let changed):
            var consent = Consented()
            consent.granted = changed.granted
            consent.version = changed.version
            consent.changedUs = envelope.occurredAt.microseconds
            state.consents["\(changed.userId)/\(changed.kind.name)"] = consent
        case .memberRoleChanged(let changed):
            state.members.take(changed)
        case .babyProfileChanged(let changed):
            let known = state.profile(changed.babyId).babyId
            state.profiles[known.isEmpty ? changed.babyId : known, default: Profile()]
                .take(changed)
        }
    }

    /// What is known of one baby.
    public enum BabyProfile: Projection {
        public enum Event: EventSet {
            case onboarded(Onboarded)
            case idReplaced(IdReplaced)
            case babyProfileChanged(BabyProfileChanged)

            public static let kinds: [StoredKind<Event>] = [
                StoredKind(Event.onboarded),
                StoredKind(Event.idReplaced),
                StoredKind(Event.babyProfileChanged),
            ]
        }

        public typealias State = Profile

        public static func evolve(_ state: inout Profile, with event: Event, _ envelope: Envelope) {
            switch event {
            case .onboarded(let onboarded): state.take(onboarded)
            case .idReplaced(let ids): state.take(ids)
            case .babyProfileChanged(let changed): state.take(changed)
            }
        }
    }

    /// What a user agreed to.
    public enum Consents: Projection {
        public enum Event: EventSet {
            case consentChanged(ConsentChanged)

            public static let kinds = [StoredKind(Event.consentChanged)]
        }

        public struct State: Record {
            /// By kind.
            public var consents: [String: Consented] = [:]

            public static var blank: Self { Self() }

            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("consents", &consents)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            guard case .consentChanged(let changed) = event else { return }
            var consent = Consented()
            consent.granted = changed.granted
            consent.version = changed.version
            consent.changedUs = envelope.occurredAt.microseconds
            state.consents[changed.kind.name] = consent
        }
    }
}
