public import Daybook

extension Launch {
    public enum ConfigSource: UInt8, StoredEnum {
        case network, cache, `default`
    }

    public enum FetchFailure: UInt8, StoredEnum { case network, timeout, http, decode, invalidKey }

    /// Records a fetched config and its content.
    public struct RemoteConfigFetched: EventPayload, LaunchCommand {
        public static let kind: EventKind = "launch.remote-config-fetched.v1"
        public static let name = "launch.record-config"
        public var launchId = ""
        public var device = ""
        public var configDigest = Digest.blank
        public var source = ConfigSource.network
        public var latencyMs: Int64 = 0
        /// Content of the config; its fields are stored directly in the event.
        public var config = Config()
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [tag(launchId), Tag("config", configDigest.description), deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "device", &device, "configDigest", &configDigest)
            try field("source", &source)
            try field("latencyMs", &latencyMs, .spanMs)
            try config.fields(&field)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.running(launchId, on: device)
            guard state.config != self else { return [] }
            try state.requireNoFetch(launchId)
            return [.remoteConfigFetched(self)]
        }
    }

    /// Records that the config could not be fetched, and the reason.
    public struct RemoteConfigFetchFailed: EventPayload, LaunchCommand {
        public static let kind: EventKind = "launch.remote-config-fetch-failed.v1"
        public static let name = "launch.record-config-failure"
        public var launchId = ""
        public var kind = FetchFailure.network
        public var httpStatus: Int64?
        public var detail = ""
        public var latencyMs: Int64 = 0
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(launchId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "kind", &kind)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("detail", &detail)
            try field("latencyMs", &latencyMs, .spanMs)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.running(launchId)
            guard state.failure != self else { return [] }
            try state.requireNoFetch(launchId)
            return [.remoteConfigFetchFailed(self)]
        }
    }
}

extension Launch.State {
    /// Refuses a second result of the same fetch.
    fileprivate func requireNoFetch(_ launchId: String) throws(Refusal) {
        guard config == nil, failure == nil else {
            throw Refusal(
                "configAlreadyRecorded",
                "launch '\(launchId)' already has a recorded config or fetch failure")
        }
    }
}
