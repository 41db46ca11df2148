public import EventSourcing

extension Running {
    /// Change what is known of a runner; the first change makes the runner known.
    public struct ChangeProfile: Record {
        public var userId = ""
        public var name: PersonalText?
        public var imageUrl: PersonalText?
        public var weightG: Int64?
        public var zone: String?

        public init() {}

        public init(
            userId: String, name: PersonalText? = nil, imageUrl: PersonalText? = nil,
            weightG: Int64? = nil, zone: String? = nil
        ) {
            self.userId = userId
            self.name = name
            self.imageUrl = imageUrl
            self.weightG = weightG
            self.zone = zone
        }

        public static let limits: [String: Limit] = ["weightG": .values(Running.weightsG)]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ChangeProfile
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("name", &value.name)
            try visitor.field("imageUrl", &value.imageUrl)
            try visitor.field("weightG", &value.weightG)
            try visitor.field("zone", &value.zone)
        }
    }

    /// Make the ranking of a week final.
    public struct CloseWeek: Record {
        /// ISO 8601: `2026-W08`.
        public var week = ""
        /// IANA name of the zone whose Monday begins it.
        public var zone = ""
        public var tzdata = ""
        /// Monday 00:00 there.
        public var startUs: Int64 = 0
        /// The Monday after.
        public var endUs: Int64 = 0
        /// Close it once more, over what came late.
        public var again: Bool?

        public init() {}

        public init(
            week: String, zone: String, tzdata: String, startUs: Int64, endUs: Int64,
            again: Bool? = nil
        ) {
            self.week = week
            self.zone = zone
            self.tzdata = tzdata
            self.startUs = startUs
            self.endUs = endUs
            self.again = again
        }

        public static let limits: [String: Limit] = ["startUs": .moment, "endUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout CloseWeek
        ) throws(Visitor.Failure) {
            try visitor.field("week", &value.week)
            try visitor.field("zone", &value.zone)
            try visitor.field("tzdata", &value.tzdata)
            try visitor.field("startUs", &value.startUs)
            try visitor.field("endUs", &value.endUs)
            try visitor.field("again", &value.again)
        }
    }
}
