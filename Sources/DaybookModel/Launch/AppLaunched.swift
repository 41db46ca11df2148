public import Daybook

extension Launch {
    public enum Platform: UInt8, StoredEnum { case ios, android, linux }

    /// Starts the app, and with it ends the earlier process of the device: its splash, whichever
    /// screen it was killed at, and the refresh that it waited for.
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

        /// Also the refreshes of the device, and its launches; further events of other launches count
        /// only where one may still be under way.
        public var query: Query {
            events(of: tag(launchId)).union(.any(of: Session.refreshKinds, deviceTag(device)))
                .union(Query(launchesOfDevice))
        }

        private var launchesOfDevice: Query.Item {
            Query.Item(kinds: [Self.kind], tags: [deviceTag(device)])
        }

        /// The last launch of the device is enough, so that a device that has had many is launched as
        /// fast as any; those since an abandoned refresh are all looked at.
        public func newest(knowing state: Device.State) -> Set<Query.Item> {
            state.abandonedAt == nil ? [launchesOfDevice] : []
        }

        public func query(knowing state: Device.State) -> Query {
            var ids = Set(state.current.map { [$0] } ?? [])
            guard let refresh = state.session.refresh else {
                // Also the launches that were opened since the last refresh came to its end.
                if let since = state.abandonedAt {
                    ids.formUnion(state.launches(openedSince: since))
                }
                return query.widened(toLaunches: ids.sorted())
            }
            ids.formUnion(state.launches(waitingFor: refresh))
            return query.union(events(of: deviceTag(device))).widened(toLaunches: ids.sorted())
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
