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

        public init() {}

        public init(
            babyId: String, householdId: String, name: PersonalText? = nil,
            birthDate: String? = nil, sex: Sex? = nil, birthWeightG: Int64? = nil,
            feedingMethod: FeedingMethod? = nil, zone: String? = nil, by: Author? = nil
        ) {
            self.babyId = babyId
            self.householdId = householdId
            self.name = name
            self.birthDate = birthDate
            self.sex = sex
            self.birthWeightG = birthWeightG
            self.feedingMethod = feedingMethod
            self.zone = zone
            self.by = by
        }

        public var tags: [Tag] {
            [Household.profileTag(babyId), Household.tag(householdId)]
        }

        public static let limits: [String: Limit] = [
            "birthWeightG": .values(Household.birthWeightsG)
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Onboarded
        ) throws(Visitor.Failure) {
            try visitor.field("babyId", &value.babyId)
            try visitor.field("householdId", &value.householdId)
            try visitor.field("name", &value.name)
            try visitor.field("birthDate", &value.birthDate)
            try visitor.field("sex", &value.sex)
            try visitor.field("birthWeightG", &value.birthWeightG)
            try visitor.field("feedingMethod", &value.feedingMethod)
            try visitor.field("zone", &value.zone)
            try visitor.field("by", &value.by)
        }
    }

    /// The server gave a thing that was made offline its own id.
    public struct IdReplaced: RenamingPayload {
        public static let kind: EventKind = "household.id-replaced.v1"

        public var kind = Replaced.baby
        public var localId = ""
        public var remoteId = ""

        public init() {}

        public init(
            kind: Replaced, localId: String, remoteId: String
        ) {
            self.kind = kind
            self.localId = localId
            self.remoteId = remoteId
        }

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

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout IdReplaced
        ) throws(Visitor.Failure) {
            try visitor.field("kind", &value.kind)
            try visitor.field("localId", &value.localId)
            try visitor.field("remoteId", &value.remoteId)
        }
    }
}
