/// The time and origin of a command, which its events inherit.
public struct CommandContext: Hashable, Sendable {
    /// The moment of the command, by the device's clock.
    public var now: Instant
    /// IANA name of the device's zone, or empty where it is not known.
    public var zone: String
    /// Seconds east of UTC on the device.
    public var offsetS: Int32
    /// The tz database, for rules about local time; `nil` where none is at hand.
    public var zones: ZoneSource?

    public init(
        now: Instant, zone: String = "", offsetS: Int32 = 0, zones: ZoneSource? = nil
    ) {
        self.now = now
        self.zone = zone
        self.offsetS = offsetS
        self.zones = zones
    }

    /// The context of a command that names a zone and no offset: the zone's own at that moment.
    ///
    /// - Parameter offsetS: the offset that is named; `nil` for none.
    public init(
        now: Instant, zone: String, namedOffsetS offsetS: Int32?, zones: ZoneSource?
    ) {
        self.init(now: now, zone: zone, offsetS: offsetS ?? 0, zones: zones)
        guard offsetS == nil, let known = self.knownZone(zone) else { return }
        self.offsetS = Int32(known.offsetS(at: now))
    }

    /// A zone of the tz database at hand; `nil` for one that it does not have.
    public func knownZone(_ name: String) -> Zone? {
        guard !name.isEmpty, let zones else { return nil }
        do throws(UnknownZone) {
            return try zones.zone(name)
        } catch {
            return nil
        }
    }

    /// Equal contexts give equal events; the tz database is where they come from.
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
    /// No events: there was nothing to do.
    case events([NewEvent])
    /// The rule says no.
    case refused(Refusal)
}

/// A command that waits for the events it depends on.
///
/// Feed it the events that match `query`, in order, and ask for the outcome.
public protocol PendingDecision: Sendable {
    /// Events that the decision depends on, given those folded so far.
    var query: Query { get }
    /// Items of the query of which the newest event is enough, given those folded so far.
    var newest: Set<Query.Item> { get }
    mutating func fold(_ event: borrowing EventView) throws(FoldError)
    /// Discards the folded events.
    mutating func restart()
    func outcome() -> Outcome
    /// The type of the command; `nil` where what it folds is of no use to another decision.
    var commandType: ObjectIdentifier? { get }
    /// Goes on from what a decision of the same command left; `false` for that of another.
    mutating func resume(from folded: FoldedModel) -> Bool
    /// Gives away what it has folded, after which it has folded nothing.
    mutating func leave() -> FoldedModel?
}

/// A model's state that one decision has folded, from which the next one goes on.
///
/// A class that is swapped with, so that nothing is copied when it is changed.
public class FoldedModel {
    init() {}
}

final class FoldedState<Model: Projection>: FoldedModel {
    var state = Model.State.blank
}

extension PendingDecision {
    public mutating func fold(_ event: RecordedEvent) throws(FoldError) {
        try fold(event.view)
    }

    public var commandType: ObjectIdentifier? { nil }

    public mutating func resume(from folded: FoldedModel) -> Bool { false }

    public mutating func leave() -> FoldedModel? { nil }

    /// Calls `feed` with a query, and again for as long as the events found make the query grow.
    ///
    /// The query only grows, so that this ends whatever the log holds:
    /// each round adds an item made from an id that is stored there. A command whose own ids make a
    /// tag that no log can hold asks for nothing, since it is refused; an item of such a tag that a
    /// state leads to would match nothing, and is left out.
    ///
    /// - Returns: the query of everything the decision depends on.
    public mutating func gather<Failure: Error>(
        _ feed: (Query, inout Self) throws(Failure) -> Void
    ) throws(Failure) -> Query {
        try gatherNewest { (query, _, decision) throws(Failure) in try feed(query, &decision) }
    }

    /// The same, for a reader that can find the newest event of an item.
    ///
    /// - Parameters:
    ///   - leaving: is called before what was folded for a query is discarded for another one.
    ///   - feed: gets the query, and those items of it of which the newest event is enough.
    public mutating func gatherNewest<Failure: Error>(
        leaving: (inout Self) -> Void = { _ in },
        _ feed: (Query, Set<Query.Item>, inout Self) throws(Failure) -> Void
    ) throws(Failure) -> Query {
        var query = query
        var newest = newest
        guard query.malformedTag == nil else { return query }
        while true {
            try feed(query, newest, &self)
            let wider = query.union(self.query.searchable)
            let fewer = newest.intersection(self.newest)
            guard wider != query || fewer != newest else { return query }
            (query, newest) = (wider, fewer)
            leaving(&self)
            restart()
        }
    }
}

/// One command, as tools see it.
public struct CommandDescription: Sendable {
    /// Area and imperative: `launch.check-version`.
    public let name: String
    /// Fields of the command, in order.
    public var fields: [FieldDescription] { fieldsOf() }
    private let fieldsOf: @Sendable () -> [FieldDescription]
    /// Faults of the command's type, found by trying it.
    public var faults: [String] { findFaults() }
    private let findFaults: @Sendable () -> [String]
    /// A generated command as a JSON object.
    public let sample: @Sendable (inout Sampler) -> String
    var misnamedEnum: String? { findMisnamedEnum() }
    private let findMisnamedEnum: @Sendable () -> String?
    /// Reads a command from JSON.
    public let read:
        @Sendable (Tree, String, InputRules, CommandContext) throws(InputError)
            -> any PendingDecision

    public init<Body: Command>(_ command: Body.Type) {
        name = Body.name
        fieldsOf = { FieldDescription.fields(of: Body.self, fillsDefaults: true) }
        sample = { JSONWriter.text($0.record(Body.self)) }
        findFaults = { RecordCheck.faults(of: Body.self) }
        findMisnamedEnum = { EnumNamesChecker.check(Body.self) }
        read = { (tree, path, rules, context) throws(InputError) in
            PendingCommand(
                try TreeReader.read(
                    Body.self, from: tree, field: path, rules: rules.fillingDefaults),
                context: context)
        }
    }
}

/// Finds the reader of a kind.
///
/// A class, so that closures that run for every event hold one reference.
public final class KindReader<Event: EventSet>: Sendable {
    // Whole descriptions, since a closure that is an element of a collection is called through a
    // thunk.
    @usableFromInline let readers: [EventKind: StoredKind<Event>]
    @usableFromInline let stems: Set<Substring>

    @inlinable
    public init() {
        readers = Dictionary(
            Event.kinds.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        stems = Set(readers.keys.map(\.stem))
    }

    /// True for a kind of the set.
    func reads(_ kind: EventKind) -> Bool { readers[kind] != nil }

    /// `nil` for an event that is not one of the set.
    ///
    /// An event whose name is one of the set in a version that is not, is refused: folding past
    /// it would give a wrong answer.
    @inlinable
    public func read(_ event: RecordedEvent) throws(FoldError) -> Event? {
        try read(event.view)
    }

    /// The event with some of its personal texts, by the number of their field.
    public func read(
        _ event: RecordedEvent, filling texts: [UInt32: String]
    ) throws(FoldError) -> Event? {
        guard !texts.isEmpty, let kind = Event.kinds.first(where: { $0.kind == event.kind }) else {
            return try read(event)
        }
        return try mappingPayloadErrors(
            of: event, try unsafe kind.readFilled(event.payload.contents.bytes) { texts[$0] })
    }

    /// Reads an event; `nil` for a kind that is not of the set.
    @inlinable
    public func read(_ event: borrowing EventView) throws(FoldError) -> Event? {
        guard let stored = readers[event.kind] else {
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
