/// The position and the times of an event.
public struct Envelope: Hashable, Sendable {
    /// The position of the event in the log.
    public var position: Position
    /// The time at which the event happened, by the device's clock (valid time).
    public var occurredAt: Instant
    /// The time, never decreasing, at which the event was appended, by the log's clock.
    public var recordedAt: Instant
    /// The device's offset from UTC at `occurredAt` in seconds, positive in the east.
    public var offsetS: Int32

    @inlinable
    public init(position: Position, occurredAt: Instant, recordedAt: Instant, offsetS: Int32 = 0) {
        self.position = position
        self.occurredAt = occurredAt
        self.recordedAt = recordedAt
        self.offsetS = offsetS
    }
}

/// An event that is decided but not yet in a log.
public struct NewEvent: Hashable, Sendable {
    /// The event kind of the payload.
    public var kind: EventKind
    /// Tags by which queries find the event.
    public var tags: [Tag]
    /// The time at which the event happened, by the device's clock.
    public var occurredAt: Instant
    /// IANA name of the device's time zone; empty if unknown.
    public var zone: String
    /// The device's offset from UTC at `occurredAt` in seconds, positive in the east.
    public var offsetS: Int32
    /// The payload in canonical binary form.
    ///
    /// For each personal text it has a seal (a salted hash), which is all zeros until a log appends
    /// the event.
    public var payload: [UInt8]
    /// The personal texts of the payload, in the order of their fields.
    package var personal: [PayloadText]
    /// The users' names and personal integers in the payload, in order; a log stores them apart.
    package var parts: [PayloadPart]

    @usableFromInline package init(
        kind: EventKind, tags: [Tag], occurredAt: Instant, zone: String = "", offsetS: Int32 = 0,
        payload: [UInt8], personal: [PayloadText] = [], parts: [PayloadPart] = []
    ) {
        self.kind = kind
        self.tags = tags
        self.occurredAt = occurredAt
        self.zone = zone
        self.offsetS = offsetS
        self.payload = payload
        self.personal = personal
        self.parts = parts
    }
}

/// An event copied out of the log.
public struct RecordedEvent: Hashable, Sendable {
    /// The position and the times of the event.
    public var envelope: Envelope
    /// The event kind under which the event was recorded, or to which it was upcast.
    public var kind: EventKind
    /// Tags by which queries find the event.
    public var tags: [Tag]
    /// IANA name of the device's time zone; empty if unknown.
    public var zone: String
    /// The payload in canonical binary form.
    public var payload: [UInt8]

    public init(envelope: Envelope, kind: EventKind, tags: [Tag], zone: String, payload: [UInt8]) {
        self.envelope = envelope
        self.kind = kind
        self.tags = tags
        self.zone = zone
        self.payload = payload
    }

    /// The position of the event in the log.
    public var position: Position { envelope.position }
}

/// The origin of a commit: its actor, its device, its flow and the event that caused it.
public struct CommitMetadata: Hashable, Sendable {
    /// Id of the user who made the commit, or `system`; empty if unknown.
    public var actor: String
    /// Id of the device that sent the commit; empty if unknown.
    public var device: String
    /// Id of the flow that the commit belongs to, such as a launch or a run; empty if unknown.
    public var correlation: String
    /// Position of the event that caused the commit; `nil` if unknown.
    public var causation: Position?

    public init(
        actor: String = "", device: String = "", correlation: String = "",
        causation: Position? = nil
    ) {
        self.actor = actor
        self.device = device
        self.correlation = correlation
        self.causation = causation
    }
}
