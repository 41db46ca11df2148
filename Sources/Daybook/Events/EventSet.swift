/// The events of one area, or those of several that a projection reads: an enum over payloads.
public protocol EventSet: Hashable, Sendable {
    /// Readers that turn each stored kind into a case, in the order of the catalogue.
    static var kinds: [StoredKind<Self>] { get }
}

/// The payload of one kind of event.
public protocol EventPayload: Record {
    /// The kind that the payload is stored under.
    static var kind: EventKind { get }

    /// Entities that the event is about; queries find the event by them.
    var tags: [Tag] { get }

    /// The nouns whose entities it may give other ids, with the noun of the tags that its events are
    /// found by: a baby's may be those of its profile. None by default.
    static var renames: [String: String] { get }

    /// The entities that it gives other ids.
    var renamings: [Renaming] { get }
}

extension EventPayload {
    public static var renames: [String: String] { [:] }
    public var renamings: [Renaming] { [] }
}

/// One kind of a set of events: how it is read, and its description for tools.
///
/// `StoredKind(copyBorrowed)`, made from the case of the enum, is all of its registration.
public struct StoredKind<Event>: Sendable {
    /// The kind of the case.
    public let kind: EventKind
    /// Reads an event of the set from a payload.
    public let read: @Sendable (RawSpan) throws(CorruptPayload) -> Event
    /// Reads an event with its personal texts, by the number of their field among the personal
    /// ones.
    @usableFromInline let readFilled:
        @Sendable (RawSpan, (UInt32) -> String?) throws(CorruptPayload) -> Event
    /// The kind as tools see it.
    public var description: EventDescription { describe() }
    @usableFromInline let describe: @Sendable () -> EventDescription

    // Inlined, so that the closure is compiled for the case that it makes.
    @inlinable @inline(__always)
    public init<Payload: EventPayload>(_ make: @escaping @Sendable (Payload) -> Event) {
        kind = Payload.kind
        read = { (bytes) throws(CorruptPayload) in make(try BinaryReader.read(from: bytes)) }
        readFilled = { (bytes, text) throws(CorruptPayload) in
            let payload: Payload = try BinaryReader.read(from: bytes)
            return make(payload.filled(text))
        }
        describe = { EventDescription(Payload.self) }
    }
}

extension StoredKind {
    /// The same kind in a set that holds the events of this one as one of its cases.
    public func widened<Wider>(
        _ wrap: @escaping @Sendable (Event) -> Wider
    ) -> StoredKind<Wider> {
        StoredKind<Wider>(
            kind: kind,
            read: { [read] (bytes) throws(CorruptPayload) in wrap(try read(bytes)) },
            readFilled: { [readFilled] (bytes, text) throws(CorruptPayload) in
                wrap(try readFilled(bytes, text))
            }, describe: describe)
    }

    private init(
        kind: EventKind,
        read: @escaping @Sendable (RawSpan) throws(CorruptPayload) -> Event,
        readFilled:
            @escaping @Sendable (RawSpan, (UInt32) -> String?) throws(CorruptPayload) -> Event,
        describe: @escaping @Sendable () -> EventDescription
    ) {
        self.kind = kind
        self.read = read
        self.readFilled = readFilled
        self.describe = describe
    }
}

extension Record {
    /// The record with the texts that `text` gives for each personal field, counted from 0.
    @usableFromInline
    func filled(_ text: (UInt32) -> String?) -> Self { PersonalFiller.fill(self, text) }
}

/// A fold over events: where the state starts and how one event changes it.
///
/// `evolve` holds no rule. It never refuses, never reads a clock and never does I/O, so that
/// replaying the same events always gives the same state.
public protocol Projection: SendableMetatype {
    /// The events that it folds.
    associatedtype Event: EventSet
    /// The state that it folds them into.
    associatedtype State: Record

    /// Applies one event to the state, without rules, clocks or chance.
    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope)
}

extension Projection {
    /// The kinds it reads.
    public static var kinds: Set<EventKind> { Set(Event.kinds.map(\.kind)) }
}

/// Events that can be written: an enum each of whose cases holds one payload.
public protocol DecidedEvents: EventSet {
    /// The payload of the case.
    var payload: any EventPayload { get }
}

extension DecidedEvents {
    /// Reads the payload out of the case by reflection, in about a microsecond.
    ///
    /// Only decisions ask for it, so that reading and folding never do. A set whose cases hold
    /// anything else is refused by `Catalogue`.
    public var payload: any EventPayload {
        guard let payload = Mirror(reflecting: self).children.first?.value as? any EventPayload
        else { preconditionFailure("\(self) is not a case that holds one payload") }
        return payload
    }
}

extension NewEvent {
    /// The event as it will be stored.
    public init(
        _ payload: some EventPayload, occurredAt: Instant, zone: String = "", offsetS: Int32 = 0
    ) {
        var writer = BinaryWriter()
        var payload = payload
        writer.record(&payload)
        self.init(
            kind: type(of: payload).kind, tags: payload.tags, occurredAt: occurredAt, zone: zone,
            offsetS: offsetS, payload: writer.bytes, personal: writer.personal,
            parts: writer.parts)
    }
}
