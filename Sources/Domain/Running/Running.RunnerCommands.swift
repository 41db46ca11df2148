public import EventSourcing

extension Running {
    /// Change what is known of a runner; the first change makes the runner known.
    public struct ChangeProfile: Record {
        public var userId = ""
        public var name: PersonalText?
        public var imageUrl: PersonalText?
        public var weightG: Int64?
        public var zone: String?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId)
            try field("name", &name)
            try field("imageUrl", &imageUrl)
            try field("weightG", &weightG, .values(Running.weightsG))
            try field("zone", &zone)
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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week)
            try field("zone", &zone)
            try field("tzdata", &tzdata)
            try field("startUs", &startUs, .moment)
            try field("endUs", &endUs, .moment)
            try field("again", &again)
        }
    }
}
