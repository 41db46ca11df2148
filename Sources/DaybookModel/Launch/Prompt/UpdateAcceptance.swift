public import Daybook

extension Launch {
    /// The user accepted an update, and the app store was opened.
    public struct UpdateAccepted: EventPayload {
        public static let kind: EventKind = "launch.update-accepted.v1"
        public var launchId = ""
        public var kind = UpdateKind.force
        /// Link to the update; `nil` if the config has no usable one.
        public var url: String?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(launchId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "kind", &kind, "url", &url)
        }
    }

    /// Accepts an update whose prompt was shown, and opens the app store.
    public struct AcceptUpdate: LaunchCommand {
        public static let name = "launch.accept-update"
        public var launchId = ""
        public var kind = UpdateKind.force
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "kind", &kind)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.runningLaunch(launchId)
            guard let check = state.check, check.asks(for: kind),
                kind == .force || state.skip == nil
            else { throw .notPending(launchId) }
            guard state.shownPromptKinds.contains(kind) else { throw .notShown(launchId) }
            guard !state.acceptedUpdateKinds.contains(kind) else { return [] }
            return [
                .updateAccepted(UpdateAccepted(launchId: launchId, kind: kind, url: check.url))
            ]
        }
    }
}
