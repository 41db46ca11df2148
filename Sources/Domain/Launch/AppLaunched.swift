public import CivilTime
public import EventSourcing

extension Launch {
    public enum Platform: UInt8, StoredEnum { case ios, android, linux }

    /// Starts the app.
    public struct AppLaunched: EventPayload, LaunchCommand {
        public static let kind: EventKind = "launch.app-launched.v1"
        public static let name = "launch.launch-app"
        public var launchId = ""
        /// As in the bundle; empty where it has none.
        public var appVersion = ""
        public var build: String?
        public var platform = Platform.ios
        public var osVersion: String?
        public var firstLaunch = false
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(launchId), deviceTag(device)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "appVersion", &appVersion, "build", &build)
            try field("platform", &platform, "osVersion", &osVersion, "firstLaunch", &firstLaunch)
            try field("device", &device)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard let known = state.launch else { return [.appLaunched(self)] }
            guard known == self else {
                throw Refusal(
                    "launchIdTaken", "there was another launch with the id '\(launchId)'")
            }
            return []
        }
    }
}
