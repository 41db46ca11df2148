/// An event as a fold needs it, shown in place and not copied: good only while it is shown.
public struct EventView: ~Escapable {
    public let envelope: Envelope
    public let kind: EventKind
    public let payload: RawSpan

    @inlinable
    @_lifetime(copy payload)
    public init(_ envelope: Envelope, _ kind: EventKind, _ payload: RawSpan) {
        self.envelope = envelope
        self.kind = kind
        self.payload = payload
    }

    public var position: Position { envelope.position }
}

extension RecordedEvent {
    public var view: EventView {
        @_lifetime(borrow self)
        get { unsafe EventView(envelope, kind, payload.contents.bytes) }
    }
}
