/// An event as a fold needs it, shown in place and not copied: good only while it is shown.
public struct EventView: ~Escapable {
    /// Position and times.
    public let envelope: Envelope
    /// The kind under which it was recorded.
    public let kind: EventKind
    /// The payload in place, valid while the view is.
    public let payload: RawSpan

    @inlinable
    @_lifetime(copy payload)
    public init(_ envelope: Envelope, _ kind: EventKind, _ payload: RawSpan) {
        self.envelope = envelope
        self.kind = kind
        self.payload = payload
    }

    /// The event's place in the log.
    public var position: Position { envelope.position }
}

extension RecordedEvent {
    /// The event without a copy of its payload.
    public var view: EventView {
        @_lifetime(borrow self)
        get { unsafe EventView(envelope, kind, payload.contents.bytes) }
    }
}
