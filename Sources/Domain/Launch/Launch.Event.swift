public import EventSourcing

extension Launch {
    /// What can happen in a launch.
    public enum Event: DecidedEvents {
        case appLaunched(AppLaunched)
        case remoteConfigFetched(RemoteConfigFetched)
        case remoteConfigFetchFailed(RemoteConfigFetchFailed)
        case appVersionChecked(AppVersionChecked)
        case updatePromptShown(UpdatePromptShown)
        case updateAccepted(UpdateAccepted)
        case optionalUpdateSkipped(OptionalUpdateSkipped)
        case noticeShown(NoticeShown)
        case noticeDismissed(NoticeDismissed)
        case appTerminated(AppTerminated)

        public static let kinds: [StoredKind<Event>] = [
            StoredKind(Event.appLaunched),
            StoredKind(Event.remoteConfigFetched),
            StoredKind(Event.remoteConfigFetchFailed),
            StoredKind(Event.appVersionChecked),
            StoredKind(Event.updatePromptShown),
            StoredKind(Event.updateAccepted),
            StoredKind(Event.optionalUpdateSkipped),
            StoredKind(Event.noticeShown),
            StoredKind(Event.noticeDismissed),
            StoredKind(Event.appTerminated),
        ]

        public var payload: any EventPayload {
            switch self {
            case .appLaunched(let payload): payload
            case .remoteConfigFetched(let payload): payload
            case .remoteConfigFetchFailed(let payload): payload
            case .appVersionChecked(let payload): payload
            case .updatePromptShown(let payload): payload
            case .updateAccepted(let payload): payload
            case .optionalUpdateSkipped(let payload): payload
            case .noticeShown(let payload): payload
            case .noticeDismissed(let payload): payload
            case .appTerminated(let payload): payload
            }
        }
    }

    public enum Platform: UInt8, StoredEnum {
        case ios, android, linux
    }

    public enum ConfigSource: UInt8, StoredEnum {
        case network, cache, `default`

        public static let names = ["network", "cache", "default"]
    }

    public enum FetchFailure: UInt8, StoredEnum {
        case network, timeout, http, decode, invalidKey
    }

    /// Which update a prompt is about.
    public enum UpdateKind: UInt8, StoredEnum {
        case force, optional
    }

    public enum NoticeAction: UInt8, StoredEnum {
        case close, openLink
    }

    public enum TerminationCause: UInt8, StoredEnum {
        case notice, force, user, crash
    }

    static func tag(_ launchId: String) -> Tag { Tag("launch", launchId) }
    static func deviceTag(_ device: String) -> Tag { Tag("device", device) }
    static func noticeTag(_ digest: Digest) -> Tag { Tag("notice", digest.description) }
}
