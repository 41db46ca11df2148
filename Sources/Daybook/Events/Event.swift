/// The fields that every event carries beside its payload.
public struct Envelope: Hashable, Sendable {
    /// The event's place in the log.
    public var position: Position
    /// When it happened, by the device's clock: valid time.
    public var occurredAt: Instant
    /// When it was appended, by the log's clock: knowledge time. Never decreases along the log.
    public var recordedAt: Instant
    /// Seconds east of UTC on the device at `occurredAt`.
    public var offsetS: Int32

    @inlinable
    public init(
        position: Position, occurredAt: Instant, recordedAt: Instant, offsetS: Int32 = 0
    ) {
        self.position = position
        self.occurredAt = occurredAt
        self.recordedAt = recordedAt
        self.offsetS = offsetS
    }
}

/// An event that is decided but not yet in a log.
public struct NewEvent: Hashable, Sendable {
    /// The event's kind.
    public var kind: EventKind
    /// Tags that the event can be found by.
    public var tags: [Tag]
    /// The moment at which it happened, by the device's clock.
    public var occurredAt: Instant
    /// IANA name of the device's zone, or empty where it is not known.
    public var zone: String
    /// Seconds east of UTC on the device at `occurredAt`.
    public var offsetS: Int32
    /// The canonical binary form, in which personal texts are zero bytes until they are sealed.
    public var payload: [UInt8]
    /// The personal texts, in the order of their fields.
    public var personal: [PayloadText]

    /// Parts of the payload that a log stores separately, in order; if there are none, the log
    /// stores the payload unchanged.
    public var parts: [PayloadPart]

    public init(
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
    /// Position and times.
    public var envelope: Envelope
    /// The kind under which it was recorded.
    public var kind: EventKind
    /// Tags that the event can be found by.
    public var tags: [Tag]
    /// IANA name of the device's zone, or empty where it is not known.
    public var zone: String
    /// The canonical binary form of the payload.
    public var payload: [UInt8]

    public init(
        envelope: Envelope, kind: EventKind, tags: [Tag], zone: String, payload: [UInt8]
    ) {
        self.envelope = envelope
        self.kind = kind
        self.tags = tags
        self.zone = zone
        self.payload = payload
    }

    /// The event's place in the log.
    public var position: Position { envelope.position }
}

/// The author of a commit, and the reason for it.
public struct CommitMetadata: Hashable, Sendable {
    /// A user id, or `system`.
    public var actor: String
    /// The device that sent the commit; empty if unknown.
    public var device: String
    /// The flow this commit belongs to: a launch, a refresh, a run.
    public var correlation: String
    /// The event that caused it.
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
