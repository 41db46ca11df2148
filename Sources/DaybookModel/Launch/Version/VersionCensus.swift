public import Daybook

extension Launch {
    /// All launched versions of the app, and the version that each device runs now.
    public enum Census: Projection {
        public enum Event: EventSet {
            case appLaunched(AppLaunched)
            case optionalUpdateSkipped(OptionalUpdateSkipped)

            public static let kinds = [StoredKind(appLaunched), StoredKind(optionalUpdateSkipped)]
        }

        public struct State: Record {
            /// Launches by version.
            public var launches: [String: Int64] = [:]
            public var devices: [String: CountedDevice] = [:]
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("launches", &launches, "devices", &devices)
            }
        }

        public static func evolve(
            _ state: inout State, with event: Event, _ envelope: Envelope
        ) {
            switch event {
            case .appLaunched(let launch):
                state.launches[launch.appVersion, default: 0] += 1
                state.devices[launch.device, default: CountedDevice()].launch(launch)
            case .optionalUpdateSkipped(let skip):
                guard skip.remember else { break }
                state.devices[skip.device, default: CountedDevice()].skip(skip.targetVersion)
            }
        }
    }

    /// Data of a device at its last launch, and the optional versions it skips.
    public struct CountedDevice: Record {
        /// Version of the last launch; `nil` if no launch is recorded.
        public var appVersion: String?
        public var platform = Platform.ios
        public var osVersion: String?
        public var skipped: [String] = []
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("appVersion", &appVersion, "platform", &platform, "osVersion", &osVersion)
            try field("skipped", &skipped)
        }

        fileprivate mutating func launch(_ launch: AppLaunched) {
            appVersion = launch.appVersion
            platform = launch.platform
            osVersion = launch.osVersion
        }

        fileprivate mutating func skip(_ version: String) {
            if !skipped.contains(version) { skipped.append(version) }
        }
    }
}
