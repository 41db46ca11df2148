public import Daybook

extension Launch {
    /// Replacement for a config that could not be fetched.
    public enum Fallback: UInt8, StoredEnum { case none, cached }

    /// The version was checked against the config, once per launch.
    public struct AppVersionChecked: EventPayload {
        public static let kind: EventKind = "launch.app-version-checked.v1"
        public var launchId = ""
        public var device = ""
        public var currentVersion = ""
        /// Digest of the config that the version was checked against; `nil` without a config.
        public var configDigest: Digest?
        /// True if the fetch failed and an earlier config replaced its result.
        public var fromCache = false
        public var result = VersionResult.upToDate
        public var reason: VersionReason?
        /// Status by the source document S2: the first rule that matched.
        public var primary = LaunchStatus.valid
        /// Lowest version that may run, by the minimum or the force version.
        public var minVersion: String?
        /// Latest version; information only.
        public var latestVersion: String?
        public var message: String?
        /// The steps that the splash shows before it continues, in order.
        public var pending: [PendingStep] = []
        /// The version the update leads to.
        public var targetVersion: String?
        /// Address of the update.
        public var url: String?
        public var noticeDigest: Digest?
        public var noticeTerminates = false
        public var rules = Rules.standard
        /// Title of the update's alert.
        public var title: String?
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [tag(launchId), versionTag(currentVersion), deviceTag(device)].compactMap(\.self)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "device", &device, "currentVersion", &currentVersion)
            try field("configDigest", &configDigest, "fromCache", &fromCache, "result", &result)
            try field("reason", &reason, "primary", &primary, "minVersion", &minVersion)
            try field("latestVersion", &latestVersion, "message", &message, "pending", &pending)
            try field("targetVersion", &targetVersion, "url", &url, "noticeDigest", &noticeDigest)
            try field("noticeTerminates", &noticeTerminates, "rules", &rules)
            try field.addedField("title", &title)
        }

        /// True if the check led to this kind of update.
        func asks(for kind: UpdateKind) -> Bool {
            switch kind {
            case .force: result == .needsUpdate
            case .optional: pending.contains(.optional)
            }
        }
    }

    /// Checks the version against the recorded config.
    public struct CheckVersion: LaunchCommand {
        public static let name = "launch.check-version"
        public var launchId = ""
        public var device = ""
        public var rules = Rules.standard
        /// Replacement for a config that could not be fetched; none by default.
        public var fallback: Fallback?
        /// True to offer `latestVersion` if the config names no optional version; false by default.
        public var latestAsOptional: Bool?
        /// True to treat a config fault that S2 names as an error; false by default.
        public var namedErrors: Bool?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "device", &device, "rules", &rules)
            try field("fallback", &fallback, "latestAsOptional", &latestAsOptional)
            try field("namedErrors", &namedErrors)
        }

        /// Query for the launch, the versions that the device skips, and its fallback configs.
        ///
        /// Earlier configs of the device are included only if `fallback` is `cached`.
        public var query: Query {
            var deviceKinds: Set<EventKind> = [OptionalUpdateSkipped.kind]
            if fallback == .cached { deviceKinds.insert(RemoteConfigFetched.kind) }
            return events(of: tag(launchId)).union(.any(of: deviceKinds, deviceTag(device)))
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let launch = try state.running(launchId, on: device)
            guard state.check == nil else {
                throw Refusal(
                    "alreadyChecked", "the version was checked already in launch '\(launchId)'")
            }
            let (input, digest) = try config(state)
            let decision = LaunchDecision.decide(
                config: input, appVersion: launch.appVersion, now: state.launchedAt, rules: rules,
                skipped: state.remembered,
                options: LaunchDecision.Options(
                    latestAsOptional: latestAsOptional ?? false, namedErrors: namedErrors ?? false
                ))
            return [
                .appVersionChecked(
                    AppVersionChecked(
                        launchId: launchId, device: device, currentVersion: launch.appVersion,
                        configDigest: digest, fromCache: decision.fromCache,
                        result: decision.result, reason: decision.reason,
                        primary: decision.status, minVersion: decision.minVersion,
                        latestVersion: decision.latestVersion, message: decision.message,
                        pending: decision.pending, targetVersion: decision.targetVersion,
                        url: decision.url, noticeDigest: decision.notice?.digest,
                        noticeTerminates: decision.notice?.terminate ?? false, rules: rules,
                        title: decision.title))
            ]
        }

        /// Returns the result of fetching the config, and the digest of the config that applies.
        private func config(_ state: State) throws(Refusal) -> (LaunchDecision.Input, Digest?) {
            if let fetched = state.config {
                return (.fetched(fetched.config), fetched.configDigest)
            }
            guard let failure = state.failure else {
                throw Refusal(
                    "configNotRecorded",
                    "launch '\(launchId)' has neither a recorded config nor a recorded fetch "
                        + "failure")
            }
            if fallback == .cached, let cached = state.cached {
                return (.cached(cached.config), cached.configDigest)
            }
            return (.failed(failure.kind, detail: failure.detail), nil)
        }
    }
}
