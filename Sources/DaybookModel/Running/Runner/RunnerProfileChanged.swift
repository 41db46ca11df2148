package import Daybook

extension Running {
    /// The profile of a runner was changed; fields that are `nil` stay unchanged. The command
    /// records the change.
    ///
    /// The first change creates the profile.
    package struct RunnerProfileChanged: EventPayload, Command, PlainRecord {
        package typealias Model = Running
        package static let kind: EventKind = "running.runner-profile-changed.v1"
        package static let name = "running.change-profile"
        package var userId = ""
        package var name: PersonalText?
        package var imageUrl: PersonalText?
        /// Body weight in grams.
        package var weightG: Int64?
        /// IANA name of the time zone in which the runner's weeks start.
        package var zone: String?
        package var tags: [Tag] { [userTag(userId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "name", &name, "imageUrl", &imageUrl)
            try field("weightG", &weightG, .values(acceptedWeightsG))
            try field("zone", &zone, .zone)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "runner's profile changed", wording.name(name),
                imageUrl == nil ? nil : "picture", weightG.map { FieldUnit.grams.text($0) }, zone)
        }

        package var query: Query { profileQuery(userId) }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
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
