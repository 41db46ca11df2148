public import Daybook

extension Launch {
    /// The operating system of a device.
    public enum Platform: UInt8, StoredEnum { case ios, android, linux }

    /// The app was launched on a device.
    ///
    /// The command that records it also ends the device's previous app process, its splash and its
    /// pending token refresh.
    public struct AppLaunched: EventPayload {
        public static let kind: EventKind = "launch.app-launched.v1"
        public var launchId = ""
        /// Version in the app's bundle; empty if the bundle has none.
        public var appVersion = ""
        public var build: String?
        public var platform = Platform.ios
        public var osVersion: String?
        /// True for the first launch after the app was installed.
        public var firstLaunch = false
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(launchId), deviceTag(device)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "appVersion", &appVersion, "build", &build)
            try field("platform", &platform, "osVersion", &osVersion, "firstLaunch", &firstLaunch)
            try field("device", &device)
        }
    }
}
