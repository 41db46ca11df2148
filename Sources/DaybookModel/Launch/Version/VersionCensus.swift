package import Daybook

extension Launch {
    /// The fold that counts launches by app version, and tracks the version of each device.
    package enum Census: Projection {
        package enum Event: EventSet {
            case appLaunched(AppLaunched), optionalUpdateSkipped(OptionalUpdateSkipped)
            package static let kinds = [StoredKind(appLaunched), StoredKind(optionalUpdateSkipped)]
        }

        package struct State: PlainRecord {
            package var launchCounts: [String: Int64] = [:]
            package var devices: [String: CountedDevice] = [:]
            package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("launches", &launchCounts, "devices", &devices)
            }
        }

        package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
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
    package struct CountedDevice: PlainRecord {
        /// Version of the last launch; `nil` if no launch is recorded.
        package var appVersion: String?
        package var platform = Platform.ios
        package var osVersion: String?
        package var skipped: [String] = []
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
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
