import CivilTime
public import EventSourcing

extension Launch {
    /// What decisions about one launch depend on.
    public struct State: Record {
        public var launch: AppLaunched?
        /// By the device's clock; the notice's window is held against it.
        public var launchedAtUs: Int64 = 0
        public var config: RemoteConfigFetched?
        public var failure: RemoteConfigFetchFailed?
        /// The last config that came to this device in another launch.
        public var cached: RemoteConfigFetched?
        public var check: AppVersionChecked?
        public var shown: [UpdateKind] = []
        public var accepted: [UpdateKind] = []
        public var skip: OptionalUpdateSkipped?
        public var noticeShown = false
        public var noticeDismissed = false
        public var terminated = false
        /// Optional versions this device does not want to be offered again.
        public var remembered: [String] = []

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launch", &launch)
            try field("launchedAtUs", &launchedAtUs)
            try field("config", &config)
            try field("failure", &failure)
            try field("cached", &cached)
            try field("check", &check)
            try field("shown", &shown)
            try field("accepted", &accepted)
            try field("skip", &skip)
            try field("noticeShown", &noticeShown)
            try field("noticeDismissed", &noticeDismissed)
            try field("terminated", &terminated)
            try field("remembered", &remembered)
        }
    }

    public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .appLaunched(let launch):
            state.launch = launch
            state.launchedAtUs = envelope.occurredAt.microseconds
        case .remoteConfigFetched(let config):
            if config.launchId == state.launch?.launchId {
                state.config = config
            } else {
                state.cached = config
            }
        case .remoteConfigFetchFailed(let failure): state.failure = failure
        case .appVersionChecked(let check): state.check = check
        case .updatePromptShown(let prompt): state.shown.append(prompt.kind)
        case .updateAccepted(let update): state.accepted.append(update.kind)
        case .optionalUpdateSkipped(let skip):
            if skip.launchId == state.launch?.launchId { state.skip = skip }
            if skip.remember { state.remembered.append(skip.targetVersion) }
        case .noticeShown: state.noticeShown = true
        case .noticeDismissed: state.noticeDismissed = true
        case .appTerminated: state.terminated = true
        }
    }
}
