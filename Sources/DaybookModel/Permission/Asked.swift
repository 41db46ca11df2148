public import Daybook

extension Permission {
    /// The system asked the user for a permission; the command records it.
    ///
    /// The system asks only if the permission has no answer yet.
    public struct Asked: EventPayload, PermissionCommand {
        public static let kind: EventKind = "permission.asked.v1"
        public static let name = "permission.ask"
        public var deviceId = ""
        /// Capability that the permission is for.
        public var capability = Capability.location
        /// Key in `Info.plist` that explains the purpose; `nil` if the app has no such key.
        public var usageKey: String?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(deviceId), tag(deviceId, capability)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("deviceId", &deviceId, "part", &capability, "usageKey", &usageKey)
        }

        public func decide(
            _ state: State, now: Instant
        ) throws(Refusal) -> [Event] {
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
