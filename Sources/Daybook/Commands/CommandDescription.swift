import Synchronization

/// The time and the time zone of a command, which its events inherit.
public struct CommandContext: Hashable, Sendable {
    /// The time of the command, by the device's clock.
    public var now: Instant
    /// IANA name of the device's time zone; empty if unknown.
    public var zone: String
    /// Offset of the device's local time from UTC in seconds, positive in the east.
    public var offsetS: Int32
    /// The tz database, for rules about local time; `nil` if none is available.
    public var zones: ZoneSource?

    public init(now: Instant, zone: String = "", offsetS: Int32 = 0, zones: ZoneSource? = nil) {
        self.now = now
        self.zone = zone
        self.offsetS = offsetS
        self.zones = zones
    }

    /// Creates a context, with the zone's offset from UTC at `now` if no offset is given.
    ///
    /// - Parameter offsetS: the given offset; `nil` for the zone's, or 0 if `zones` lacks the zone.
    public init(now: Instant, zone: String, namedOffsetS offsetS: Int32?, zones: ZoneSource?) {
        self.init(now: now, zone: zone, offsetS: offsetS ?? 0, zones: zones)
        guard offsetS == nil, let known = self.knownZone(zone) else { return }
        self.offsetS = Int32(known.offsetS(at: now))
    }

    /// Returns the zone with this name in `zones`; `nil` if there is no such zone or no database.
    public func knownZone(_ name: String) -> Zone? { name.isEmpty ? nil : (try? zones?.zone(name)) }

    /// True if decisions in both contexts give events with equal times and zones; ignores `zones`.
    public static func == (a: Self, b: Self) -> Bool {
        (a.now, a.zone, a.offsetS) == (b.now, b.zone, b.offsetS)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(now)
        hasher.combine(zone)
        hasher.combine(offsetS)
    }
}

/// The result of deciding a command.
public enum Outcome: Hashable, Sendable {
    /// The command was accepted with these events; none if there was nothing to do.
    case events([NewEvent])
    /// The command was refused.
    case refused(Refusal)
}

/// A command of any type, to which events are fed before it is decided.
///
/// Feed the events that match `query` in order, as `gather(_:)` does, and then read `outcome()`.
package protocol PendingDecision: Sendable {
    /// The query of the events that the decision depends on, given the events folded so far.
    var query: Query { get }
    /// Query items of which only the newest event is needed, given the events folded so far.
    var newest: Set<Query.Item> { get }
    /// Folds the next event that matches the query.
    mutating func fold(_ event: borrowing EventView) throws(FoldError)
    /// Resets the folded state, as if no event had been folded.
    mutating func restart()
    /// Decides the command on the events folded so far.
    func outcome() -> Outcome
    /// The type of the command; by default `nil`, if no other decision can use the folded state.
    var commandType: ObjectIdentifier? { get }
    /// Swaps this decision's state with an earlier one's; by default only returns false.
    mutating func resume(from folded: FoldedModel) -> Bool
    /// Moves the folded state out, as after `restart()`; by default only returns `nil`.
    mutating func takeState() -> FoldedModel?
}

/// A state that one decision has folded and a later one resumes from; a class, to avoid copies.
package class FoldedModel {
    init() {}
}

final class FoldedState<Model: Projection>: FoldedModel {
    var state = Model.State.blank
}

extension PendingDecision {
    /// Folds the next event that matches the query.
    public mutating func fold(_ event: RecordedEvent) throws(FoldError) { try fold(event.view) }

    public var commandType: ObjectIdentifier? { nil }
    public mutating func resume(from folded: FoldedModel) -> Bool { false }
    public mutating func takeState() -> FoldedModel? { nil }

    /// Calls `feed` with the query, and again as long as the fed events make the query grow.
    ///
    /// `feed` folds all events of its query, and the folded events are discarded before each
    /// further call. The calls end for every log, because each one adds items for ids that are
    /// stored in the log. If an id of the command makes an invalid tag, `feed` is not called, and
    /// the command is refused. If an id in the state makes an invalid tag, its items are left out,
    /// because no event matches them.
    ///
    /// - Returns: the query of all events that the decision depends on.
    public mutating func gather<Failure: Error>(
        _ feed: (Query, inout Self) throws(Failure) -> Void
    ) throws(Failure) -> Query {
        try gatherNewest { (query, _, decision) throws(Failure) in try feed(query, &decision) }
    }

    /// Calls `feed` like `gather(_:)`, for a reader that can find the newest event of an item.
    ///
    /// `feed` also gets the items of which only the newest event is needed. `beforeRestart` is
    /// called before the folded events are discarded for a further call.
    public mutating func gatherNewest<Failure: Error>(
        beforeRestart: (inout Self) -> Void = { _ in },
        _ feed: (Query, Set<Query.Item>, inout Self) throws(Failure) -> Void
    ) throws(Failure) -> Query {
        var query = query
        var newest = newest
        guard query.malformedTagReason == nil else { return query }
        while true {
            try feed(query, newest, &self)
            let grown = self.query
            let wider = grown == query ? query : query.union(grown.withoutInvalidTags)
            let fewer = newest.intersection(self.newest)
            guard wider != query || fewer != newest else { return query }
            (query, newest) = (wider, fewer)
            beforeRestart(&self)
            restart()
        }
    }
}

/// The description of a command type, with which tools read a command by its name.
public struct CommandDescription: Sendable {
    /// The name of the command, an area and an imperative: `launch.check-version`.
    public let name: String
    /// Fields of the command, in order.
    package var fields: [FieldDescription] { makeFields() }
    private let makeFields: @Sendable () -> [FieldDescription]
    /// Mistakes in the command's type as sentences, found by trying it with generated values.
    public var faults: [String] { findFaults() }
    private let findFaults: @Sendable () -> [String]
    /// Returns a generated command as a JSON object.
    package let sample: @Sendable (inout Sampler) -> String
    /// The mistake in a stored enum of a field, such as a repeated name; `nil` if there is none.
    var storedEnumFault: String? { findStoredEnumFault() }
    private let findStoredEnumFault: @Sendable () -> String?
    /// Reads a command from a parsed tree; the `String` is the path of the tree, for errors.
    package let read:
        @Sendable (Tree, String, InputRules, CommandContext) throws(InputError)
            -> any PendingDecision

    /// Describes a command type.
    public init<Body: Command>(_ command: Body.Type) {
        name = Body.name
        makeFields = { FieldDescription.fields(of: Body.self, fillsDefaults: true) }
        sample = { JSONWriter.text($0.record(Body.self)) }
        findFaults = { RecordCheck.faults(of: Body.self) }
        findStoredEnumFault = { EnumNamesChecker.check(Body.self) }
        read = { (tree, path, rules, context) throws(InputError) in
            PendingCommand(
                try TreeReader.read(
                    Body.self, from: tree, field: path, rules: rules.fillingDefaults),
                context: context)
        }
    }
}

/// A decoder of recorded events into the cases of an event set.
///
/// It is a class, so that closures that run for every event hold only one reference.
public final class KindReader<Event: EventSet>: Sendable {
    // Values of type `StoredKind` instead of closures, because a closure that is an element of a
    // collection is called through a thunk.
    /// The kinds of the event set with their decoders, by event kind.
    @usableFromInline let storedKinds: [EventKind: StoredKind<Event>]
    /// The names of the kinds in the event set, without their versions.
    @usableFromInline let stems: Set<Substring>
    /// The layouts of the kinds' payloads, by event kind.
    @usableFromInline let layouts = KindReader.makeLayouts()

    /// Creates a reader of the kinds in the event set.
    @inlinable public init() {
        storedKinds = Dictionary(
            Event.kinds.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        stems = Set(storedKinds.keys.map { $0.stem })
    }

    /// Returns the shared reader of the event set, which the first call creates.
    package static func shared() -> KindReader {
        let set = ObjectIdentifier(Event.self)
        if let known = sharedReaders.withLock({ $0[set] }) as? KindReader { return known }
        let made = KindReader()
        sharedReaders.withLock { $0[set] = made }
        return made
    }

    /// Returns the layouts of the set's payloads, by event kind; computed when first used.
    @usableFromInline
    static func makeLayouts() -> LazyValue<[EventKind: LazyValue<PayloadLayout>]> {
        LazyValue {
            Dictionary(
                Event.kinds.map { ($0.kind, $0.layout) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// True if a kind belongs to the event set.
    func reads(_ kind: EventKind) -> Bool { storedKinds[kind] != nil }

    /// True if the set has the kind in no version, so that `read(_:)` returns `nil` for its events.
    public func ignores(_ kind: EventKind) -> Bool { !reads(kind) && !stems.contains(kind.stem) }

    /// Reads an event; `nil` if its kind does not belong to the event set.
    ///
    /// - Throws: `FoldError.unknownKind` if the set has the kind only in different versions,
    ///   because a fold without the event would give a wrong answer; `FoldError.corrupt` if the
    ///   payload cannot be read.
    @inlinable
    public func read(_ event: RecordedEvent) throws(FoldError) -> Event? { try read(event.view) }

    /// Reads an event with its personal texts; `nil` if its kind does not belong to the event set.
    ///
    /// - Parameter texts: the texts by the index of their field among the event's personal fields,
    ///   from 0; missing texts are read as `nil`.
    /// - Throws: as `read(_:)`.
    public func read(
        _ event: RecordedEvent, filling texts: [UInt32: String]
    ) throws(FoldError) -> Event? {
        guard !texts.isEmpty, let kind = Event.kinds.first(where: { $0.kind == event.kind }) else {
            return try read(event)
        }
        return try mappingPayloadErrors(
            of: event, try unsafe kind.readFilled(event.payload.contents.bytes) { texts[$0] })
    }

    /// Reads an event without copying its payload; `nil` if its kind is not in the event set.
    ///
    /// - Throws: `FoldError.unknownKind` if the set has the kind only in different versions;
    ///   `FoldError.corrupt` if the payload cannot be read.
    @inlinable public func read(_ event: borrowing EventView) throws(FoldError) -> Event? {
        guard let stored = storedKinds[event.kind] else {
            guard !stems.contains(event.kind.stem) else {
                throw .unknownKind(event.position, event.kind)
            }
            return nil
        }
        do throws(CorruptPayload) {
            return try stored.read(event.payload)
        } catch {
            throw .corrupt(event.position, event.kind, error)
        }
    }
}

private let sharedReaders = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])
