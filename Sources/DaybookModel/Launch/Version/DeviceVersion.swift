public import Daybook

extension Launch {
    /// The fold of a device's last launch, its last version check, and its skipped updates.
    public enum VersionCheck: Projection {
        public enum Event: EventSet {
            case appLaunched(AppLaunched), appVersionChecked(AppVersionChecked)
            case optionalUpdateSkipped(OptionalUpdateSkipped)

            public static let kinds = [
                StoredKind(appLaunched), StoredKind(appVersionChecked),
                StoredKind(optionalUpdateSkipped),
            ]
        }

        public static func evolve(
            _ state: inout State, with event: Event, _ envelope: Envelope
        ) {
            switch event {
            case .appLaunched(let launch): state.launch(launch, rules: .standard)
            case .appVersionChecked(let check): state.check(check)
            case .optionalUpdateSkipped(let skip):
                if skip.remember, !state.skipped.contains(skip.targetVersion) {
                    state.skipped.append(skip.targetVersion)
                }
            }
        }
    }
}

extension Launch {
    /// The fold of a device's last launch and version check under the rule set `source`.
    ///
    /// Versions are ordered as in source S0, skips are not remembered, and only checks made under
    /// this rule set count, because other checks do not show how the original app would have
    /// decided.
    public enum SourceVersionCheck: Projection {
        public static func evolve(
            _ state: inout VersionCheck.State, with event: VersionCheck.Event,
            _ envelope: Envelope
        ) {
            switch event {
            case .appLaunched(let launch): state.launch(launch, rules: .source)
            case .appVersionChecked(let check):
                state.clearCheck()
                if check.rules == .source { state.check(check) }
            case .optionalUpdateSkipped: break
            }
        }
    }
}

extension Launch.VersionCheck {
    /// A device's last launch, its last version check, and the updates that it skips.
    public struct State: Record {
        public var device = ""
        /// Id of the last launch.
        public var lastLaunchId = ""
        /// Number of launches.
        public var launchCount: Int64 = 0
        /// The version of the last launch.
        public var appVersion = ""
        /// Operating system at the last launch.
        public var platform: Launch.Platform?
        /// Number of launches with a lower version than at the previous launch.
        public var downgradeCount: Int64 = 0
        /// Version that was checked last; a later launch may not have been checked yet.
        public var checkedVersion: String?
        /// Result of the last check.
        public var result: Launch.VersionResult?
        /// Reason for the result of the last check, if the version may not run or could not be
        /// checked.
        public var reason: Launch.VersionReason?
        /// Status of the last check in the terms of source S2.
        public var launchStatus: Launch.LaunchStatus?
        /// Lowest version that was allowed to run at the last check.
        public var minVersion: String?
        /// True if the last check used an earlier config, because the fetch failed.
        public var fromCache = false
        /// Versions of optional updates that are not to be offered again.
        public var skipped: [String] = []
        public static var blank: Self { Self() }

        /// Copies the fields of a version check.
        fileprivate mutating func check(_ check: Launch.AppVersionChecked) {
            checkedVersion = check.currentVersion
            result = check.result
            reason = check.reason
            launchStatus = check.launchStatus
            minVersion = check.minVersion
            fromCache = check.fromCache
        }

        /// Clears the fields of the last check.
        fileprivate mutating func clearCheck() {
            checkedVersion = nil
            result = nil
            reason = nil
            launchStatus = nil
            minVersion = nil
            fromCache = false
        }

        /// Updates the fields of the last launch; counts a downgrade if its version is lower, by
        /// the given rules, than the previous launch's.
        fileprivate mutating func launch(_ launch: Launch.AppLaunched, rules: Rules) {
            if launchCount > 0, let before = AppVersion.read(appVersion, rules: rules),
                let now = AppVersion.read(launch.appVersion, rules: rules), now < before
            {
                downgradeCount += 1
            }
            device = launch.device
            lastLaunchId = launch.launchId
            launchCount += 1
            appVersion = launch.appVersion
            platform = launch.platform
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field.unlessBlank("device", &device)
            try field.unlessBlank("lastLaunchId", &lastLaunchId)
            try field("launches", &launchCount)
            try field.unlessBlank("appVersion", &appVersion)
            try field("platform", &platform)
            try field("downgrades", &downgradeCount, "checkedVersion", &checkedVersion)
            try field("result", &result, "reason", &reason, "primary", &launchStatus)
            try field("minVersion", &minVersion, "fromCache", &fromCache, "skipped", &skipped)
        }
    }
}
