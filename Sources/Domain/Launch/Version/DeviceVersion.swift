public import EventSourcing

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
            case .appLaunched(let launch): state.launch(launch)
            case .appVersionChecked(let check):
                state.checkedVersion = check.currentVersion
                state.result = check.result
                state.reason = check.reason
                state.primary = check.primary
                state.minVersion = check.minVersion
                state.fromCache = check.fromCache
            case .optionalUpdateSkipped(let skip):
                if skip.remember, !state.skipped.contains(skip.targetVersion) {
                    state.skipped.append(skip.targetVersion)
                }
            }
        }
    }
}

extension Launch.VersionCheck {
    public struct State: Record {
        public var device = ""
        public var lastLaunchId = ""
        public var launches: Int64 = 0
        /// The version of the last launch.
        public var appVersion = ""
        public var platform: Launch.Platform?
        /// Launches of a lower version than the one before, as the standard rules order them.
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

        fileprivate mutating func launch(_ launch: Launch.AppLaunched) {
            if let before = AppVersion(appVersion), let now = AppVersion(launch.appVersion),
                now < before
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
