package import Daybook

extension Launch {
    /// The user accepted an update, and the app store was opened.
    package struct UpdateAccepted: EventPayload, PlainRecord {
        package static let kind: EventKind = "launch.update-accepted.v1"
        var launchId = ""
        package var kind = UpdateKind.force
        /// Link to the update; `nil` if the config has no usable one.
        var url: String?
        package var tags: [Tag] { [tag(launchId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "kind", &kind, "url", &url)
        }

        package func sentence(_ wording: Wording) -> String {
            kind == .force ? "forced update accepted" : "optional update accepted"
        }
    }

    /// Accepts an update whose prompt was shown, and opens the app store.
    struct AcceptUpdate: LaunchCommand, PlainRecord {
        static let name = "launch.accept-update"
        var launchId = ""
        var kind = UpdateKind.force
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "kind", &kind)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.runningLaunch(launchId)
            guard let check = state.check, check.asks(for: kind),
                kind == .force || state.skip == nil
            else { throw .notPending(launchId) }
            guard state.shownPromptKinds.contains(kind) else { throw .notShown(launchId) }
            guard !state.acceptedUpdateKinds.contains(kind) else { return [] }
            return [.updateAccepted(UpdateAccepted(launchId: launchId, kind: kind, url: check.url))]
        }
    }
}
