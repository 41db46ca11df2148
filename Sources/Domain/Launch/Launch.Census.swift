public import EventSourcing

extension Launch {
    /// Which versions of the app were ever launched, and which devices run them now.
    public enum Census: Projection {
        public enum Event: EventSet {
            case appLaunched(AppLaunched)

            public static let kinds: [StoredKind<Event>] = [StoredKind(Event.appLaunched)]
        }

        public struct State: Record {
            /// Launches by version.
            public var launches: [String: Int64] = [:]
            /// The version of each device's last launch.
            public var versionOfDevice: [String: String] = [:]

            public init() {}

            public static func fields<Visitor: FieldVisitor>(
                _ visitor: inout Visitor, _ value: inout State
            ) throws(Visitor.Failure) {
                try visitor.field("launches", &value.launches)
                try visitor.field("versionOfDevice", &value.versionOfDevice)
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
