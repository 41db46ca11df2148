public import CivilTime
public import EventSourcing

extension Launch {
    public enum Platform: UInt8, StoredEnum { case ios, android, linux }

    /// Starts the app, and with it ends the launch before it, if that came to no end, and the
    /// refresh that an earlier process of the device waited for.
    public struct AppLaunched: EventPayload, Command {
        public typealias Model = Device
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

        /// Also the refreshes and the launches of the device. More of what the launches did counts
        /// only of the last one, and where a refresh is under way, so that a device that has had
        /// many is launched as fast as any.
        public var query: Query {
            events(of: tag(launchId))
                .union(.any(of: Session.refreshKinds.union([Self.kind]), deviceTag(device)))
        }

        public func query(knowing state: Device.State) -> Query {
            let known = query.widened(toLaunches: [state.current].compactMap(\.self))
            guard let refresh = state.session.refresh else { return known }
            return known.union(events(of: deviceTag(device)))
                .widened(toLaunches: state.launches(waitingFor: refresh))
        }

        public func decide(_ state: Device.State, now: Instant) throws(Refusal) -> [Device.Event] {
            guard let known = state.launches[launchId]?.launch else {
                return state.endingProcess(at: now) + [.launch(.appLaunched(self))]
            }
            guard known == self else {
                throw Refusal(
                    "launchIdTaken", "there was another launch with the id '\(launchId)'")
            }
            return []
        }
    }
}
