public import Daybook

extension Running {
    /// The profile of a runner was changed; fields that are `nil` stay unchanged. The command
    /// records the change.
    ///
    /// The first change creates the profile.
    public struct RunnerProfileChanged: EventPayload, Command {
        public typealias Model = Running
        public static let kind: EventKind = "running.runner-profile-changed.v1"
        public static let name = "running.change-profile"
        public var userId = ""
        public var name: PersonalText?
        public var imageUrl: PersonalText?
        /// Body weight in grams.
        public var weightG: Int64?
        /// IANA name of the time zone in which the runner's weeks start.
        public var zone: String?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [userTag(userId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "name", &name, "imageUrl", &imageUrl)
            try field("weightG", &weightG, .values(acceptedWeightsG))
            try field("zone", &zone, .zone)
        }

        public var query: Query { profileQuery(userId) }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let isEmpty = self == RunnerProfileChanged(userId: userId)
            if isEmpty, state.runners[userId]?.isKnown == true {
                throw Refusal(
                    "nothingToUpdate",
                    "the change of the profile has no field; give name, imageUrl, weightG or zone")
            }
            try check(weightG, "weightG", acceptedWeightsG)
            try checkZone(zone)
            return [.runnerProfileChanged(self)]
        }
    }

    /// Accepted body weights of runners, in grams.
    private static let acceptedWeightsG: ClosedRange<Int64> = 20_000...500_000
}
