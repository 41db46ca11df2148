import Daybook

/// The area of a phone's permissions: location, microphone, speech recognition, photos and Siri.
///
/// The system asks once for each permission, and only if the app's `Info.plist` explains the
/// purpose; the system terminates an app that asks without an explanation. Afterwards the answer
/// changes only in the system's settings. Speech input needs both the microphone and speech
/// recognition.
///
/// Source: S4 (assistant, speech input, photos), S1 (location of a run).
enum Permission: Area, Projection {
    static let name = "permission"

    enum Event: DecidedEvents {
        case asked(Asked), answered(Answered), speechInputStarted(SpeechInputStarted)
        case speechInputEnded(SpeechInputEnded)

        static let kinds = [
            StoredKind(asked), StoredKind(answered), StoredKind(speechInputStarted),
            StoredKind(speechInputEnded),
        ]
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

    static let commands = [
        CommandDescription(Asked.self), CommandDescription(Answered.self),
        CommandDescription(StartSpeechInput.self), CommandDescription(SpeechInputEnded.self),
    ]

    static let projections = [
        ProjectionDescription(
            "permissions", noun: "device", "The permissions of a device, by capability",
            Permission.self),
        ProjectionDescription(
            "permission", noun: "permission", "One permission of a device: `phone-1/microphone`",
            Single.self),
    ]

    static let machines = [lifecycle.machine]
    static let audits = [PermissionAudit.description]

    /// A capability of a phone that needs a permission.
    enum Capability: UInt8, StoredEnum {
        case location, microphone, speech, photos, siri

        /// Key in `Info.plist` that explains why the app needs the permission. Source: S4 lists the
        /// keys of photos and Siri; the keys of microphone and speech are missing there.
        var usageKey: String {
            switch self {
            case .location: "NSLocationWhenInUseUsageDescription"
            case .microphone: "NSMicrophoneUsageDescription"
            case .speech: "NSSpeechRecognitionUsageDescription"
            case .photos: "NSPhotoLibraryUsageDescription"
            case .siri: "NSSiriUsageDescription"
            }
        }
    }

    /// The user's answer to the system's question, or the setting in the system's settings.
    enum Answer: UInt8, StoredEnum {
        /// Never asked, or reset in the system's settings.
        case notDetermined
        case granted, denied
        /// Denied by the phone's owner or employer; the person cannot change it.
        case restricted
    }

    static func tag(_ deviceId: String) -> Tag { Tag("device", deviceId) }

    /// Returns the tag of a permission of a device, such as `permission:phone-1/microphone`.
    static func tag(_ deviceId: String, _ capability: Capability) -> Tag {
        Tag("permission", deviceId, capability.name)
    }
}

/// A command on the permissions of one device.
protocol PermissionCommand: Command, PlainRecord where Model == Permission {
    var deviceId: String { get }
}

extension PermissionCommand {
    var query: Query { .any(of: Permission.kinds, Permission.tag(deviceId)) }
}
