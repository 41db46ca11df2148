public import Daybook

/// Permissions of the app for location, microphone, speech recognition, photos and Siri.
///
/// The system asks once for each permission, and only if the app's `Info.plist` explains the
/// purpose; the system terminates an app that asks without an explanation. Afterwards the answer
/// changes only in the system's settings. Speech input listens and recognises speech, and needs
/// both permissions.
///
/// Source: S4 (assistant, speech input, photos), S1 (location of a run).
public enum Permission: Area, Projection {
    public static let name = "permission"

    public enum Event: DecidedEvents {
        case asked(Asked)
        case answered(Answered)
        case speechInputStarted(SpeechInputStarted)
        case speechInputEnded(SpeechInputEnded)

        public static let kinds = [
            StoredKind(asked), StoredKind(answered), StoredKind(speechInputStarted),
            StoredKind(speechInputEnded),
        ]
    }

    public static let commands = [
        CommandDescription(Asked.self), CommandDescription(Answered.self),
        CommandDescription(StartSpeechInput.self), CommandDescription(SpeechInputEnded.self),
    ]

    public static let projections = [
        ProjectionDescription(
            "permissions", noun: "device", "What a device lets the app use", Permission.self),
        ProjectionDescription(
            "permission", noun: "permission", "One permission of a device: `phone-1/microphone`",
            Single.self),
    ]

    public static let machines = [lifecycle.machine]
    public static let audits = [PermissionAudit.description]

    /// Capabilities of a phone that need a permission.
    public enum Part: UInt8, StoredEnum {
        case location, microphone, speech, photos, siri

        /// Key in `Info.plist` that explains why the app needs the permission.
        ///
        /// Source: S4 lists the keys of photos and Siri; the keys of microphone and speech are
        /// missing there.
        public var usageKey: String {
            switch self {
            case .location: "NSLocationWhenInUseUsageDescription"
            case .microphone: "NSMicrophoneUsageDescription"
            case .speech: "NSSpeechRecognitionUsageDescription"
            case .photos: "NSPhotoLibraryUsageDescription"
            case .siri: "NSSiriUsageDescription"
            }
        }
    }

    /// The person's answer.
    public enum Answer: UInt8, StoredEnum {
        /// Never asked, or reset in the system's settings.
        case notDetermined
        case granted
        case denied
        /// Denied by the phone's owner or employer; the person cannot change it.
        case restricted
    }

    static let lifecycle = Lifecycle<Status>(
        "permission", field: "status",
        [
            .step(Asked.self, from: nil, .notDetermined, to: .asked),
            .step(
                Answered.self, from: nil, .notDetermined, .asked, .granted, .denied,
                to: .restricted),
            .step(Answered.self, from: .asked, to: .notDetermined, .granted, .denied),
            .step(Answered.self, from: .granted, to: .notDetermined, .denied),
            .step(Answered.self, from: .denied, to: .notDetermined, .granted),
            .step(Answered.self, from: .restricted, to: .notDetermined, .granted, .denied),
        ])

    static func tag(_ deviceId: String) -> Tag { Tag("device", deviceId) }
    static func tag(_ deviceId: String, _ part: Part) -> Tag {
        Tag("permission", "\(deviceId)/\(part.name)")
    }
}

/// A command about the permissions of one device.
protocol PermissionCommand: Command where Model == Permission {
    var deviceId: String { get }
}

extension PermissionCommand {
    public var query: Query { .any(of: Permission.kinds, Permission.tag(deviceId)) }
}
