package import Daybook

extension Launch {
    /// The kind of update that a prompt offers.
    package enum UpdateKind: UInt8, StoredEnum { case force, optional }

    /// The prompt to update the app was shown.
    package struct UpdatePromptShown: EventPayload, PlainRecord {
        package static let kind: EventKind = "launch.update-prompt-shown.v1"
        var launchId = ""
        package var kind = UpdateKind.force
        /// Version to update to; `nil` if a blacklisted version has no newer forced version.
        var targetVersion: String?
        var url: String?
        package var title: String?
        package var tags: [Tag] { [tag(launchId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "kind", &kind, "targetVersion", &targetVersion)
            try field("url", &url)
            try field.addedField("title", &title)
        }

        package func sentence(_ wording: Wording) -> String {
            let update = kind == .force ? "forced update" : "optional update"
            return wording.list(
                update + (targetVersion.map { " to \($0)" } ?? "") + " shown", wording.quoted(title)
            )
        }
    }

    /// Shows the prompt to update the app, once per launch and kind.
    struct ShowPrompt: LaunchCommand, PlainRecord {
        static let name = "launch.show-prompt"
        var launchId = ""
        var kind = UpdateKind.force
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "kind", &kind)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.runningLaunch(launchId)
            guard let check = state.check, check.asks(for: kind) else {
                throw .notPending(launchId)
            }
            guard !state.shownPromptKinds.contains(kind) else { return [] }
            let shown = UpdatePromptShown(
                launchId: launchId, kind: kind, targetVersion: check.targetVersion,
                url: check.url, title: check.title)
            return [.updatePromptShown(shown)]
        }
    }
}

extension Refusal {
    static func notPending(_ launchId: String) -> Refusal {
        Refusal(
            "notPending",
            "launch '\(launchId)' has no pending update or notice to which the command applies")
    }

    static func notShown(_ launchId: String) -> Refusal {
        Refusal(
            "notShown",
            "launch '\(launchId)' has not shown the update or notice that the command answers")
    }
}
