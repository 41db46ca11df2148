public import EventSourcing

extension Household {
    /// A baby was added, on a device alone or at the server.
    public struct Onboarded: EventPayload {
        public static let kind: EventKind = "household.onboarded.v1"

        /// May be an `offline_…` id, replaced later.
        public var babyId = ""
        public var householdId = ""
        public var name: PersonalText?
        /// Of the civil calendar: `2026-02-01`.
        public var birthDate: String?
        public var sex: Sex?
        public var birthWeightG: Int64?
        public var feedingMethod: FeedingMethod?
        /// IANA name.
        public var zone: String?
        /// The user who did it: the first owner of a new household.
        public var by: Author?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Household.profileTag(babyId), Household.tag(householdId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId)
            try field("householdId", &householdId)
            try field("name", &name)
            try field("birthDate", &birthDate)
            try field("sex", &sex)
            try field("birthWeightG", &birthWeightG, .values(Household.birthWeightsG))
            try field("feedingMethod", &feedingMethod)
            try field("zone", &zone)
            try field("by", &by)
        }
    }

    /// The server gave a thing that was made offline its own id.
    public struct IdReplaced: RenamingPayload {
        public static let kind: EventKind = "household.id-replaced.v1"

        public var kind = Replaced.baby
        public var localId = ""
        public var remoteId = ""

        public static var blank: Self { Self() }

        public var tags: [Tag] { [Self.tag(kind, localId), Self.tag(kind, remoteId)] }

        /// What its events are found by.
        static func tag(_ kind: Replaced, _ id: String) -> Tag {
            switch kind {
            case .baby: Household.profileTag(id)
            case .household: Household.tag(id)
            case .album: Tag("album", id)
            case .careEntry: Tag("entry", id)
            }
        }

        /// Care is written under a baby's id, and its replacement under the profile's.
        public static let renames = [
            "profile": "profile", "baby": "profile", "household": "household", "album": "album",
            "entry": "entry",
        ]

        public var renamings: [Renaming] {
            let nouns =
                switch kind {
                case .baby: ["profile", "baby"]
                case .household: ["household"]
                case .album: ["album"]
                case .careEntry: ["entry"]
                }
            return nouns.map { Renaming(noun: $0, from: localId, to: remoteId) }
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind)
            try field("localId", &localId)
            try field("remoteId", &remoteId)
        }
    }
}
