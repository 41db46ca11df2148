import Daybook

extension Permission {
    /// The system asked the user for a permission; the command records it.
    ///
    /// The system asks only if the permission has no answer yet.
    struct Asked: EventPayload, PermissionCommand {
        static let kind: EventKind = "permission.asked.v1"
        static let name = "permission.ask"
        var deviceId = ""
        var capability = Capability.location
        /// Key in `Info.plist` that explains the purpose; `nil` if the app has no such key.
        var usageKey: String?
        var tags: [Tag] { [tag(deviceId), tag(deviceId, capability)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("deviceId", &deviceId, "part", &capability, "usageKey", &usageKey)
        }

        func sentence(_ wording: Wording) -> String {
            "asked for \(wording.words(capability))"
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard usageKey == capability.usageKey else {
                throw Refusal(
                    "usageKeyMissing",
                    "Info.plist has no \(capability.usageKey); the system ends an app that asks for "
                        + "\(capability.name) without it")
            }
            return state[capability].status == .notDetermined ? [.asked(self)] : []
        }
    }
}
