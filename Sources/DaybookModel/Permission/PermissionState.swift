import Daybook

extension Permission {
    /// The status of a permission.
    enum Status: UInt8, StoredEnum {
        /// The system has not asked yet, or the answer was reset.
        case notDetermined
        /// The system's question is on the screen.
        case asked
        case granted, denied
        /// Denied by the phone's owner or employer; the user cannot change it.
        case restricted

        init(_ answer: Answer) {
            switch answer {
            case .notDetermined: self = .notDetermined
            case .granted: self = .granted
            case .denied: self = .denied
            case .restricted: self = .restricted
            }
        }
    }

    /// One permission of a device: its status and its last change.
    struct PermissionState: PlainRecord {
        var status = Status.notDetermined
        /// True once the system has asked; false again after a reset.
        var wasAsked = false
        /// Time of the last change of the permission; `nil` before the first change.
        var changed: Instant?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("status", &status, "wasAsked", &wasAsked, "changedUs", &changed)
        }

        mutating func apply(_ event: Permission.Event, _ envelope: Envelope) {
            switch event {
            case .asked:
                status = .asked
                wasAsked = true
            case .answered(let answered):
                status = Status(answered.answer)
                // After a reset the system asks again.
                if answered.answer == .notDetermined { wasAsked = false }
            case .speechInputStarted, .speechInputEnded: return
            }
            changed = envelope.occurredAt
        }
    }

    /// All permissions of a device.
    struct State: PlainRecord {
        /// Permissions by name of the capability, such as `microphone`; only those with events.
        var permissions: [String: PermissionState] = [:]
        /// True while speech input is active.
        var isListening = false
        /// True if speech input is allowed: microphone and speech recognition are granted.
        var maySpeak = false
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("permissions", &permissions)
            try field("isListening", &isListening, "maySpeak", &maySpeak)
        }

        /// Returns the permission of a capability; its status is `notDetermined` without events.
        subscript(capability: Capability) -> PermissionState {
            permissions[capability.name] ?? .blank
        }

        /// Capabilities that speech input needs and that are not granted.
        var missingForSpeechInput: [Capability] {
            [Capability.microphone, .speech].filter { self[$0].status != .granted }
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .asked(let asked):
            state.permissions[asked.capability.name, default: .blank].apply(event, envelope)
        case .answered(let answered):
            state.permissions[answered.capability.name, default: .blank].apply(event, envelope)
            state.maySpeak = state.missingForSpeechInput.isEmpty
            // The system cuts off an app that has lost a permission.
            if !state.maySpeak { state.isListening = false }
        case .speechInputStarted: state.isListening = true
        case .speechInputEnded: state.isListening = false
        }
    }

    /// The projection of one permission of a device.
    enum Single: Projection {
        enum Event: EventSet {
            case asked(Asked), answered(Answered)
            static let kinds = [StoredKind(asked), StoredKind(answered)]
        }

        static func evolve(
            _ state: inout PermissionState, with event: Event, _ envelope: Envelope
        ) {
            switch event {
            case .asked(let asked): state.apply(.asked(asked), envelope)
            case .answered(let answered): state.apply(.answered(answered), envelope)
            }
        }
    }
}
