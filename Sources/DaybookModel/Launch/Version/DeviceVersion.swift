public import Daybook

extension Launch {
    /// The last launch of a device, the result of its check, and the updates it skips.
    public enum VersionCheck: Projection {
        public enum Event: EventSet {
            case appLaunched(AppLaunched)
            case appVersionChecked(AppVersionChecked)
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
    /// The last launch of a device under `rules: source`.
    ///
    /// Versions are ordered as in S0, skips are not remembered, and only checks under
    /// `rules: source` count, because other checks do not show how the source would have decided.
    public enum SourceVersionCheck: Projection {
        public static func evolve(
            _ state: inout VersionCheck.State, with event: VersionCheck.Event,
            _ envelope: Envelope
        ) {
            switch event {
            case .appLaunched(let launch): state.launch(launch, rules: .source)
            case .appVersionChecked(let check):
                state.forget()
                if check.rules == .source { state.check(check) }
            case .optionalUpdateSkipped: break
            }
        }
    }
}

extension Launch.VersionCheck {
    public struct State: Record {
        public var device = ""
        public var lastLaunchId = ""
        /// Number of launches.
        public var launches: Int64 = 0
        /// The version of the last launch.
        public var appVersion = ""
        public var platform: Launch.Platform?
        /// Number of launches with a lower version than the launch before, by the rules' order.
        public var downgrades: Int64 = 0
        /// The version that was last checked; a later launch may be unchecked.
        public var checkedVersion: String?
        public var result: Launch.VersionResult?
        public var reason: Launch.VersionReason?
        public var primary: Launch.LaunchStatus?
        public var minVersion: String?
        public var fromCache = false
        /// Optional versions that are not to be offered again.
        public var skipped: [String] = []
        public static var blank: Self { Self() }

        fileprivate mutating func check(_ check: Launch.AppVersionChecked) {
            checkedVersion = check.currentVersion
            result = check.result
            reason = check.reason
            primary = check.primary
            minVersion = check.minVersion
            fromCache = check.fromCache
        }

        /// Forgets the last check.
        fileprivate mutating func forget() {
            checkedVersion = nil
            result = nil
            reason = nil
            primary = nil
            minVersion = nil
            fromCache = false
        }

        fileprivate mutating func launch(_ launch: Launch.AppLaunched, rules: Rules) {
            if launches > 0, let before = AppVersion.read(appVersion, rules: rules),
                let now = AppVersion.read(launch.appVersion, rules: rules), now < before
            {
                downgrades += 1
            }
            device = launch.device
            lastLaunchId = launch.launchId
            launches += 1
            appVersion = launch.appVersion
            platform = launch.platform
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "lastLaunchId", &lastLaunchId, "launches", &launches)
            try field("appVersion", &appVersion, "platform", &platform, "downgrades", &downgrades)
            try field("checkedVersion", &checkedVersion, "result", &result, "reason", &reason)
            try field("primary", &primary, "minVersion", &minVersion, "fromCache", &fromCache)
            try field("skipped", &skipped)
        }
    }
}
