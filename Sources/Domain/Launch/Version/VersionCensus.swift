public import EventSourcing

extension Launch {
    /// The versions of the app that were ever launched, and the devices that run them now.
    public enum Census: Projection {
        public enum Event: EventSet {
            case appLaunched(AppLaunched)

            public static let kinds = [StoredKind(appLaunched)]
        }

        public struct State: Record {
            /// Launches by version.
            public var launches: [String: Int64] = [:]
            /// The version of each device's last launch.
            public var versionOfDevice: [String: String] = [:]
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("launches", &launches, "versionOfDevice", &versionOfDevice)
            }
        }

        public static func evolve(
            _ state: inout State, with event: Event, _ envelope: Envelope
        ) {
            switch event {
            case .appLaunched(let launch):
                state.launches[launch.appVersion, default: 0] += 1
                state.versionOfDevice[launch.device] = launch.appVersion
            }
        }
    }
}
