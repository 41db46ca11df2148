public import EventSourcing

extension Launch {
    /// A config came, and this is what it said.
    public struct RemoteConfigFetched: EventPayload {
        public static let kind: EventKind = "launch.remote-config-fetched.v1"

        public var launchId: String = ""
        public var device: String = ""
        public var configDigest: Digest = .blank
        public var source: ConfigSource = .network
        public var latencyMs: Int64 = 0
        /// Its fields lie beside the others.
        public var config: Config = Config()

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [
                Launch.tag(launchId), Tag("config", configDigest.description),
                Launch.deviceTag(device),
            ]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("device", &device)
            try field("configDigest", &configDigest)
            try field("source", &source)
            try field("latencyMs", &latencyMs, .spanMs)
            try config.fields(&field)
        }
    }

    /// No config came.
    public struct RemoteConfigFetchFailed: EventPayload {
        public static let kind: EventKind = "launch.remote-config-fetch-failed.v1"

        public var launchId: String = ""
        public var kind: FetchFailure = .network
        public var httpStatus: Int64?
        public var detail: String = ""
        public var latencyMs: Int64 = 0

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Launch.tag(launchId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("kind", &kind)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("detail", &detail)
            try field("latencyMs", &latencyMs, .spanMs)
        }
    }
}
