import Daybook

extension Launch {
    /// The fold of a device's last launch, its last version check, and its skipped updates.
    enum VersionCheck: Projection {
        enum Event: EventSet {
            case appLaunched(AppLaunched), appVersionChecked(AppVersionChecked)
            case optionalUpdateSkipped(OptionalUpdateSkipped)

            static let kinds = [
                StoredKind(appLaunched), StoredKind(appVersionChecked),
                StoredKind(optionalUpdateSkipped),
            ]
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
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
    enum SourceVersionCheck: Projection {
        static func evolve(
            _ state: inout VersionCheck.State, with event: VersionCheck.Event, _ envelope: Envelope
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
    struct State: PlainRecord {
        var device = ""
        var lastLaunchId = ""
        var launchCount: Int64 = 0
        var appVersion = ""
        /// Operating system at the last launch.
        var platform: Launch.Platform?
        /// Number of launches with a lower version than at the previous launch.
        var downgradeCount: Int64 = 0
        /// Version that was checked last; a later launch may not have been checked yet.
        var checkedVersion: String?
        var result: Launch.VersionResult?
        /// Reason for the result of the last check, if the version may not run or could not be
        /// checked.
        var reason: Launch.VersionReason?
        /// Status of the last check in the terms of source S2.
        var launchStatus: Launch.LaunchStatus?
        /// Lowest version that was allowed to run at the last check.
        var minVersion: String?
        /// True if the last check used an earlier config, because the fetch failed.
        var fromCache = false
        /// Versions of optional updates that are not to be offered again.
        var skipped: [String] = []

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

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
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
