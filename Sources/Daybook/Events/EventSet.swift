/// A type whose values are events: an enum with a case for each event kind that a projection reads.
public protocol EventSet: Equatable, Sendable {
    /// The kinds of the set, each with a function that decodes a stored payload into its case.
    static var kinds: [StoredKind<Self>] { get }
}

/// The payload of one kind of event.
public protocol EventPayload: Record {
    /// The event kind under which the payload is stored.
    static var kind: EventKind { get }

    /// Tags of the entities that the event is about, by which queries find the event.
    var tags: [Tag] { get }

    /// Noun of the event's own tag, by the noun of the entities that the event may rename.
    ///
    /// A baby's renaming may have the tag of its profile: `["baby": "profile"]`. None by default.
    static var renames: [String: String] { get }

    /// Renamings of entities that the event makes; none by default.
    var renamings: [Renaming] { get }

    /// The meaning of the event, in a line for people: `copy borrowed until 2026-03-19 18:00`.
    ///
    /// It has no tags, no ids, and not the user in `by`, which are shown beside it. The default is
    /// made of the words of the kind's name and the values of the fields.
    func sentence(_ wording: Wording) -> String

    /// Returns an event with this payload, at a time in a time zone.
    ///
    /// The default is compiled for the type in the type's own module, which is why it can be called
    /// through the protocol without a call for each field.
    func event(occurredAt: Instant, zone: String, offsetS: Int32) -> NewEvent
}

extension EventPayload {
    public static var renames: [String: String] { [:] }
    public var renamings: [Renaming] { [] }

    @inlinable
    public func event(occurredAt: Instant, zone: String, offsetS: Int32) -> NewEvent {
        NewEvent(self, occurredAt: occurredAt, zone: zone, offsetS: offsetS)
    }
}

/// One event kind of an event set, with its decoder and its description for tools.
///
/// `StoredKind(copyBorrowed)`, created from the case of the enum, registers the kind completely.
public struct StoredKind<Event>: Sendable {
    /// The event kind of the case's payload.
    public let kind: EventKind
    /// Reads an event of the set from a payload.
    public let read: @Sendable (RawSpan) throws(CorruptPayload) -> Event
    /// Reads an event and fills in its personal texts, which the function returns by index from 0.
    @usableFromInline let readFilled:
        @Sendable (RawSpan, (UInt32) -> String?) throws(CorruptPayload) -> Event
    /// The description of the kind, for tools.
    public var description: EventDescription { describe() }
    @usableFromInline let describe: @Sendable () -> EventDescription
    /// The binary layout of payloads, by which they are read without their type.
    @usableFromInline let layout: LazyValue<PayloadLayout>
}

extension StoredKind {
    // Inlined, so that the closures are specialised for the case.
    /// Creates the kind of an event set from a case of the enum, a function from its payload.
    @inlinable @inline(__always)
    public init<Payload: EventPayload>(_ make: @escaping @Sendable (Payload) -> Event) {
        let layout = PayloadLayout.lazy(of: Payload.self)
        self.layout = layout
        kind = Payload.kind
        read = { (bytes) throws(CorruptPayload) in make(try BinaryReader.read(from: bytes)) }
        readFilled = { (bytes, text) throws(CorruptPayload) in
            let payload: Payload = try BinaryReader.read(from: bytes)
            return make(payload.filled(text))
        }
        describe = {
            EventDescription(Payload.self, layout) { (bytes) throws(CorruptPayload) in
                let payload: Payload = try BinaryReader.read(from: bytes)
                return payload.tags
            } sentence: { (bytes, text, wording) throws(CorruptPayload) in
                let payload: Payload = try BinaryReader.read(from: bytes)
                return payload.filled(text).spoken(wording)
            }
        }
    }

    /// Returns the kind as one of a wider event set, in whose case `wrap` puts this set's events.
    public func widened<Wider>(_ wrap: @escaping @Sendable (Event) -> Wider) -> StoredKind<Wider> {
        StoredKind<Wider>(
            kind: kind,
            read: { [read] (bytes) throws(CorruptPayload) in wrap(try read(bytes)) },
            readFilled: { [readFilled] (bytes, text) throws(CorruptPayload) in
                wrap(try readFilled(bytes, text))
            }, describe: describe, layout: layout)
    }
}

extension Record {
    /// Returns a copy with the personal texts that `text` returns by index from 0, `nil` if erased.
    @usableFromInline
    func filled(_ text: (UInt32) -> String?) -> Self { PersonalFiller.fill(self, text) }
}

/// A fold over events: the type of its state, and the change that each event makes.
///
/// `evolve` contains no business rules. It never refuses an event, never reads a clock and never
/// does I/O, so that replaying the same events always gives the same state.
public protocol Projection: SendableMetatype {
    /// The set of events that the projection folds.
    associatedtype Event: EventSet
    /// The type of the folded state, which is `blank` before the first event.
    associatedtype State: Record

    /// Applies one event to the state, without business rules, clocks or randomness.
    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope)
}

extension Projection {
    /// The event kinds that the projection reads.
    public static var kinds: Set<EventKind> { Set(Event.kinds.map { $0.kind }) }
}

/// An event set whose events can be appended: each case holds exactly one payload.
public protocol DecidedEvents: EventSet {
    /// The payload that the case holds.
    var payload: any EventPayload { get }
}

extension DecidedEvents {
    /// The payload, read by reflection in about a microsecond; traps if the case does not hold one.
    public var payload: any EventPayload {
        guard let payload = Mirror(reflecting: self).children.first?.value as? any EventPayload
        else { preconditionFailure("\(self) is not a case that holds one payload") }
        return payload
    }
}

extension NewEvent {
    /// Creates an event with a payload in its binary form, and with the payload's kind and tags.
    @inlinable
    public init(
        _ payload: some EventPayload, occurredAt: Instant, zone: String = "", offsetS: Int32 = 0
    ) {
        let writer = BinaryWriter(writing: payload)
        self.init(
            kind: type(of: payload).kind, tags: payload.tags, occurredAt: occurredAt, zone: zone,
            offsetS: offsetS, payload: writer.bytes, personal: writer.personal,
            parts: writer.parts)
    }
}
