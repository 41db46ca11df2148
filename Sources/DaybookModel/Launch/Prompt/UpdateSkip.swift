package import Daybook

extension Launch {
    /// The user skipped the optional update.
    package struct OptionalUpdateSkipped: EventPayload, PlainRecord {
        package static let kind: EventKind = "launch.optional-update-skipped.v1"
        var launchId = ""
        var targetVersion = ""
        /// True if this version is not to be offered again on the device.
        var remember = false
        package var device = ""
        package var tags: [Tag] { [tag(launchId), deviceTag(device)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "targetVersion", &targetVersion, "remember", &remember)
            try field("device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            "update to \(targetVersion) skipped" + (remember ? " for good" : "")
        }
    }

    /// Skips the optional update that was offered.
    ///
    /// If the period of the pending notice ended while the prompt was shown, the notice expires.
    struct SkipOptionalUpdate: LaunchCommand, PlainRecord {
        static let name = "launch.skip-optional-update"
        var launchId = ""
        var remember = false
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "remember", &remember)
        }

        func query(knowing state: State) -> Query { state.withConfig(query) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let launch = try state.runningLaunch(launchId)
            guard let check = state.check, check.asks(for: .optional),
                let target = check.targetVersion
            else { throw .notPending(launchId) }
            guard state.shownPromptKinds.contains(.optional) else { throw .notShown(launchId) }
            let skip = OptionalUpdateSkipped(
                launchId: launchId, targetVersion: target, remember: remember,
                device: launch.device)
            guard state.skip != nil else {
                return [.optionalUpdateSkipped(skip)]
                    + [state.expiredNotice(launchId, at: now)].compactMap(\.self)
            }
            guard state.skip == skip else { throw .notPending(launchId) }
            return []
        }
    }
}
