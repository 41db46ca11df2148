/// A view of an event for folds, which reads the payload in place instead of copying it.
///
/// The view is valid only as long as the memory that contains the payload.
public struct EventView: ~Escapable {
    /// The position and the times of the event.
    public let envelope: Envelope
    /// The event kind under which the event was recorded, or to which it was upcast.
    public let kind: EventKind
    /// The payload in canonical binary form, valid as long as the view.
    public let payload: RawSpan

    /// Creates a view of an event whose payload is in memory.
    @inlinable
    @_lifetime(copy payload)
    public init(_ envelope: Envelope, _ kind: EventKind, _ payload: RawSpan) {
        self.envelope = envelope
        self.kind = kind
        self.payload = payload
    }

    /// The position of the event in the log.
    public var position: Position { envelope.position }
}

extension RecordedEvent {
    /// A view of the event, without a copy of its payload.
    public var view: EventView {
        @_lifetime(borrow self)
        get { unsafe EventView(envelope, kind, payload.contents.bytes) }
    }
}
