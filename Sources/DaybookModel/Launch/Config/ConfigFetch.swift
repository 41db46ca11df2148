package import Daybook

extension Launch {
    /// The source from which the app read a config.
    package enum ConfigSource: UInt8, StoredEnum { case network, cache, `default` }

    /// The reason why a config could not be fetched.
    package enum FetchFailure: UInt8, StoredEnum { case network, timeout, http, decode, invalidKey }

    /// A config was fetched, or read from another source; the command records it with its content.
    package struct RemoteConfigFetched: EventPayload, LaunchCommand, PlainRecord {
        package static let kind: EventKind = "launch.remote-config-fetched.v1"
        package static let name = "launch.record-config"
        package var launchId = ""
        package var device = ""
        /// Hash of the content, which identifies the config.
        var configDigest = Digest.blank
        package var source = ConfigSource.network
        /// Time from the request to the answer.
        var latencyMs: Int64 = 0
        /// Content of the config; its fields are stored as fields of the event.
        package var config = Config()
        package var tags: [Tag] {
            [tag(launchId), Tag("config", configDigest.description), deviceTag(device)]
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "device", &device, "configDigest", &configDigest)
            try field("source", &source)
            try field("latencyMs", &latencyMs, .spanMs)
            try config.fields(&field)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                after: source == .default
                    ? "built-in config used" : "config read from the \(source.name)",
                FieldUnit.milliseconds.text(latencyMs),
                config.maintenance.isOn ? "maintenance" : nil,
                config.problems.isEmpty ? nil : config.problems.count.counted("mistake"))
        }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.runningLaunch(launchId, on: device)
            guard state.config != self else { return [] }
            try state.requireNoFetch(launchId)
            return [.remoteConfigFetched(self)]
        }
    }

    /// The config could not be fetched; the command records the failure.
    package struct RemoteConfigFetchFailed: EventPayload, LaunchCommand, PlainRecord {
        package static let kind: EventKind = "launch.remote-config-fetch-failed.v1"
        package static let name = "launch.record-config-failure"
        package var launchId = ""
        /// Reason why the fetch failed.
        package var kind = FetchFailure.network
        /// HTTP status of the server's response; `nil` without a response.
        var httpStatus: Int64?
        /// Message of the error that made the fetch fail.
        package var detail = ""
        /// Time from the request to the failure.
        var latencyMs: Int64 = 0
        package var tags: [Tag] { [tag(launchId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "kind", &kind)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("detail", &detail)
            try field("latencyMs", &latencyMs, .spanMs)
        }

        package func sentence(_ wording: Wording) -> String {
            let cause =
                switch kind {
                case .network: "the server was not reached"
                case .timeout: "no answer in time"
                case .http: "an error of the server"
                case .decode: "unreadable"
                case .invalidKey: "invalid key"
                }
            return wording.list(
                after: "\(httpStatus.answer)config not read", cause,
                FieldUnit.milliseconds.text(latencyMs),
                wording.quoted(detail))
        }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.runningLaunch(launchId)
            guard state.failure != self else { return [] }
            try state.requireNoFetch(launchId)
            return [.remoteConfigFetchFailed(self)]
        }
    }
}

extension Launch.State {
    /// Throws if the launch already has a recorded config or fetch failure.
    fileprivate func requireNoFetch(_ launchId: String) throws(Refusal) {
        guard config == nil, failure == nil else {
            throw Refusal(
                "configAlreadyRecorded",
                "the config of launch '\(launchId)', or a failure to fetch it, is already recorded")
        }
    }
}
