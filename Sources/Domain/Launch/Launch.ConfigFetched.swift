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

        public init() {}

        public init(
            launchId: String,
            device: String,
            configDigest: Digest,
            source: ConfigSource,
            latencyMs: Int64,
            config: Config
        ) {
            self.launchId = launchId
            self.device = device
            self.configDigest = configDigest
            self.source = source
            self.latencyMs = latencyMs
            self.config = config
        }

        public var tags: [Tag] {
            [
                Launch.tag(launchId), Tag("config", configDigest.description),
                Launch.deviceTag(device),
            ]
        }

        public static let limits: [String: Limit] =
            Config.limits.merging(["latencyMs": .spanMs]) { _, own in own }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RemoteConfigFetched
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("device", &value.device)
            try visitor.field("configDigest", &value.configDigest)
            try visitor.field("source", &value.source)
            try visitor.field("latencyMs", &value.latencyMs)
            try Config.fields(&visitor, &value.config)
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

        public init() {}

        public init(
            launchId: String,
            kind: FetchFailure,
            httpStatus: Int64? = nil,
            detail: String,
            latencyMs: Int64
        ) {
            self.launchId = launchId
            self.kind = kind
            self.httpStatus = httpStatus
            self.detail = detail
            self.latencyMs = latencyMs
        }

        public var tags: [Tag] {
            [Launch.tag(launchId)]
        }

        public static let limits: [String: Limit] = [
            "httpStatus": .httpStatus, "latencyMs": .spanMs,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RemoteConfigFetchFailed
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("kind", &value.kind)
            try visitor.field("httpStatus", &value.httpStatus)
            try visitor.field("detail", &value.detail)
            try visitor.field("latencyMs", &value.latencyMs)
        }
    }
}
