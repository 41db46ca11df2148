public import Daybook

extension Launch {
    /// The fold that counts launches by app version, and tracks the version of each device.
    public enum Census: Projection {
        public enum Event: EventSet {
            case appLaunched(AppLaunched), optionalUpdateSkipped(OptionalUpdateSkipped)

            public static let kinds = [StoredKind(appLaunched), StoredKind(optionalUpdateSkipped)]
        }

        /// The launches by version, and the devices.
        public struct State: Record {
            /// Number of launches, by app version.
            public var launchCounts: [String: Int64] = [:]
            /// Devices, by device id.
            public var devices: [String: CountedDevice] = [:]
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("launches", &launchCounts, "devices", &devices)
            }
        }

        public static func evolve(
            _ state: inout State, with event: Event, _ envelope: Envelope
        ) {
            switch event {
            case .appLaunched(let launch):
                state.launchCounts[launch.appVersion, default: 0] += 1
                state.devices[launch.device, default: CountedDevice()].launch(launch)
            case .optionalUpdateSkipped(let skip):
                guard skip.remember else { break }
                state.devices[skip.device, default: CountedDevice()].skip(skip.targetVersion)
            }
        }
    }

    /// A device as of its last launch, with the updates that the user skipped for good.
    public struct CountedDevice: Record {
        /// Version of the last launch; `nil` if no launch is recorded.
        public var appVersion: String?
        public var platform = Platform.ios
        public var osVersion: String?
        /// Versions of optional updates that are not to be offered again.
        public var skipped: [String] = []
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("appVersion", &appVersion, "platform", &platform, "osVersion", &osVersion)
            try field("skipped", &skipped)
        }

        /// Copies the app version, platform and OS version of a launch.
        fileprivate mutating func launch(_ launch: AppLaunched) {
            appVersion = launch.appVersion
            platform = launch.platform
            osVersion = launch.osVersion
        }

        /// Adds a version that is not to be offered again.
        fileprivate mutating func skip(_ version: String) {
            if !skipped.contains(version) { skipped.append(version) }
        }
    }
}
