import Daybook

extension Household {
    /// The app started and read the ids of the baby and the household from its device.
    struct ProfileRestored: EventPayload, Command, PlainRecord {
        typealias Model = Linking
        static let kind: EventKind = "household.profile-restored.v1"
        static let name = "household.restore-profile"
        var device = ""
        var babyId: String?
        var householdId: String?
        /// Provider with which the user was signed in when the ids were stored; `nil` if none was.
        var provider: Session.Provider?
        var tags: [Tag] {
            [deviceTag(device)] + (babyId.map { [profileTag($0)] } ?? [])
                + (householdId.map { [tag($0)] } ?? [])
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "babyId", &babyId, "householdId", &householdId)
            try field("provider", &provider)
        }

        func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "profile read from the device", babyId == nil ? "no baby" : "a baby",
                provider.map { "signed in with \(wording.words($0))" })
        }

        var query: Query { events(of: deviceTag(device)) }

        /// Progress of the baby's registration with the server, as the stored ids show it.
        var status: OnboardingStatus {
            guard let babyId, !babyId.isEmpty else { return .needsOnboarding }
            if isOffline(babyId) { return .localOnly }
            return provider == .google ? .linked : .restored
        }

        func decide(_ state: Linking.State, now: Instant) -> [Linking.Event] {
            var restored = self
            if restored.babyId?.isEmpty == true { restored.babyId = nil }
            if restored.householdId?.isEmpty == true { restored.householdId = nil }
            return [.onboarding(.profileRestored(restored))]
        }
    }
}
