package import Daybook

extension Launch {
    /// The replacement for a config that could not be fetched: none, or the device's last config.
    enum Fallback: UInt8, StoredEnum { case none, cached }

    /// The app's version was checked against the config, once per launch.
    package struct AppVersionChecked: EventPayload, PlainRecord {
        package static let kind: EventKind = "launch.app-version-checked.v1"
        var launchId = ""
        package var device = ""
        var currentVersion = ""
        /// Hash that identifies the config used; `nil` without a config.
        var configDigest: Digest?
        /// True if the fetch failed and the device's last config was used.
        var fromCache = false
        /// Result in the terms of source S0.
        package var result = VersionResult.upToDate
        /// Reason why the version may not run or could not be checked; otherwise `nil`.
        package var reason: VersionReason?
        /// Status in the terms of source S2, by the first rule that matched.
        var launchStatus = LaunchStatus.valid
        /// Lowest version that may run; `nil` for none.  By the standard rules it is the higher of
        /// the minimum and the forced version.
        var minVersion: String?
        /// Latest version; information only.
        package var latestVersion: String?
        /// Message of the update prompt, or of maintenance or an error.
        package var message: String?
        /// Prompts and notices that the splash shows before it continues, in order.
        package var pending: [PendingStep] = []
        /// Version to update to; `nil` for no update, or if the config names no newer version.
        var targetVersion: String?
        var url: String?
        /// Hash that identifies the pending notice; `nil` for none.
        var noticeDigest: Digest?
        /// True if the app ends when the user closes the pending notice.
        var noticeEndsApp = false
        package var rules = Rules.standard
        /// Title of the update prompt.
        package var title: String?
        package var tags: [Tag] {
            [tag(launchId), versionTag(currentVersion), deviceTag(device)].compactMap(\.self)
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "device", &device, "currentVersion", &currentVersion)
            try field("configDigest", &configDigest, "fromCache", &fromCache, "result", &result)
            try field("reason", &reason, "primary", &launchStatus, "minVersion", &minVersion)
            try field("latestVersion", &latestVersion, "message", &message, "pending", &pending)
            try field("targetVersion", &targetVersion, "url", &url, "noticeDigest", &noticeDigest)
            try field("noticeTerminates", &noticeEndsApp, "rules", &rules)
            try field.addedField("title", &title)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                outcome(wording),
                pending.contains(.optional)
                    ? targetVersion.map { "update to \($0) offered" } ?? "update offered" : nil,
                pending.contains(.notice) ? "notice to show" : nil,
                fromCache ? "by the last config" : nil)
        }

        /// True if the check requires (`force`) or offers (`optional`) this kind of update.
        func asks(for kind: UpdateKind) -> Bool {
            switch kind {
            case .force: result == .needsUpdate
            case .optional: pending.contains(.optional)
            }
        }
    }

    /// Checks the app's version against the recorded config of the launch.
    struct CheckVersion: LaunchCommand, PlainRecord {
        static let name = "launch.check-version"
        var launchId = ""
        var device = ""
        var rules = Rules.standard
        /// Replacement for a config that could not be fetched; `nil` means none.
        var fallback: Fallback?
        var latestAsOptional: Bool?
        var namedErrors: Bool?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "device", &device, "rules", &rules)
            try field("fallback", &fallback, "latestAsOptional", &latestAsOptional)
            try field("namedErrors", &namedErrors)
        }

        /// Query for the launch, and for the versions that the user skipped on the device. Earlier
        /// configs of the device are included only if `fallback` is `cached`.
        var query: Query {
            var deviceKinds: Set<EventKind> = [OptionalUpdateSkipped.kind]
            if fallback == .cached { deviceKinds.insert(RemoteConfigFetched.kind) }
            return events(of: tag(launchId)).union(.any(of: deviceKinds, deviceTag(device)))
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let launch = try state.runningLaunch(launchId, on: device)
            guard state.check == nil else {
                throw Refusal(
                    "alreadyChecked", "the version was checked already in launch '\(launchId)'")
            }
            let (input, digest) = try config(state)
            let decision = LaunchDecision.decide(
                config: input, appVersion: launch.appVersion, now: state.launchedAt, rules: rules,
                skipped: state.skippedVersions,
                options: LaunchDecision.Options(
                    latestAsOptional: latestAsOptional ?? false, namedErrors: namedErrors ?? false
                ))
            let checked = AppVersionChecked(
                launchId: launchId, device: device, currentVersion: launch.appVersion,
                configDigest: digest, fromCache: decision.fromCache,
                result: decision.result, reason: decision.reason,
                launchStatus: decision.status, minVersion: decision.minVersion,
                latestVersion: decision.latestVersion, message: decision.message,
                pending: decision.pending, targetVersion: decision.targetVersion,
                url: decision.url, noticeDigest: decision.notice?.digest,
                noticeEndsApp: decision.notice?.endsApp ?? false, rules: rules,
                title: decision.title)
            return [.appVersionChecked(checked)]
        }

        /// Returns the config to check against with its digest, or the failure to fetch it.
        private func config(_ state: State) throws(Refusal) -> (LaunchDecision.Input, Digest?) {
            if let fetched = state.config {
                return (.fetched(fetched.config), fetched.configDigest)
            }
            guard let failure = state.failure else {
                throw Refusal(
                    "configNotRecorded",
                    "launch '\(launchId)' cannot check the version: neither a config nor a failure "
                        + "to fetch it is recorded")
            }
            if fallback == .cached, let cached = state.earlierConfig {
                return (.cached(cached.config), cached.configDigest)
            }
            return (.failed(failure.kind, detail: failure.detail), nil)
        }
    }
}
