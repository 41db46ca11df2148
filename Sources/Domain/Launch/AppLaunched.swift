public import CivilTime
public import EventSourcing

extension Launch {
    public enum Platform: UInt8, StoredEnum { case ios, android, linux }

    /// Starts the app, and with it ends the refresh that an earlier process of the device waited
    /// for.
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

        /// Also the refreshes of the device. Other launches count only where one is under way, so
        /// that a device that has had many is launched as fast as any.
        public var query: Query {
            events(of: tag(launchId)).union(.any(of: Session.refreshKinds, deviceTag(device)))
        }

        public func query(knowing state: Device.State) -> Query {
            guard let refresh = state.session.refresh else {
                guard let since = state.abandonedAt else { return query }
                // Also the launches that were opened since that refresh came to its end.
                return query.union(.any(of: [Self.kind], deviceTag(device)))
                    .widened(toLaunches: state.launches(openedSince: since))
            }
            return query.union(events(of: deviceTag(device)))
                .widened(toLaunches: state.launches(waitingFor: refresh))
        }

        public func decide(_ state: Device.State, now: Instant) throws(Refusal) -> [Device.Event] {
            guard let known = state.launches[launchId]?.launch else {
                return state.endingProcesses(at: now) + [.launch(.appLaunched(self))]
            }
            guard known == self else {
                throw Refusal(
                    "launchIdTaken", "there was another launch with the id '\(launchId)'")
            }
            return []
        }
    }
}
