public import Daybook

/// A history in which some events are skipped, edited, moved or added.
///
/// The log itself does not change.
public struct AlteredHistory: Sendable {
    /// The place of an event: a position, and a number among the events inserted after it.
    public struct Order: Hashable, Comparable, Sendable {
        /// Position of the recorded event at this place, or of the recorded event before it.
        public var position: Position
        /// 0 for the recorded event; from 1 for the events inserted after it.
        public var index: Int

        public static func < (a: Order, b: Order) -> Bool {
            (a.position, a.index) < (b.position, b.index)
        }
    }

    /// The way in which an event came into the altered history.
    public enum Origin: String, Hashable, Sendable {
        /// The log has the event unchanged.
        case recorded
        /// The event was edited at its position.
        case edited
        /// The event was moved from another position.
        case moved
        /// The event was added.
        case inserted
    }

    /// An event of the altered history.
    public struct Placed: Sendable {
        /// The event as the altered history has it.
        public var event: RecordedEvent
        /// Place of the event.
        public var order: Order
        /// The way in which the event came into the altered history.
        public var origin: Origin
    }

    /// Positions of events that were skipped, edited or moved.
    public private(set) var removed: Set<Position> = []
    /// Events that were edited, moved or inserted, in the order of the changes.
    private var placed: [Placed] = []
    /// Finds the indices in `placed` of the events that match a query.
    private var index = QueryIndex()
    /// Number of events inserted after each position.
    private var insertedCounts: [Position: Int] = [:]
    /// Position of the first change; `nil` without changes.
    private var first: Position?

    /// Creates a history without changes.
    public init() {}

    /// Omits the event at a position.
    public mutating func skip(_ position: Position) {
        removed.insert(position)
        first = min(first ?? position, position)
    }

    /// Replaces the event at the position of `event`.
    public mutating func edit(_ event: RecordedEvent) {
        skip(event.position)
        add(
            Placed(
                event: event, order: Order(position: event.position, index: 0), origin: .edited))
    }

    /// Moves an event to just after another position.
    public mutating func move(_ event: RecordedEvent, after position: Position) {
        skip(event.position)
        place(event, after: position, .moved)
    }

    /// Adds an event just after a position.
    public mutating func insert(_ event: RecordedEvent, after position: Position) {
        place(event, after: position, .inserted)
    }

    /// Inserts an event after a position, after the events inserted there before.
    private mutating func place(
        _ event: RecordedEvent, after position: Position, _ origin: Origin
    ) {
        insertedCounts[position, default: 0] += 1
        let order = Order(position: position, index: insertedCounts[position] ?? 1)
        first = min(first ?? position.next, position.next)
        add(Placed(event: event, order: order, origin: origin))
    }

    /// Adds an event to the altered history.
    private mutating func add(_ new: Placed) {
        index.add(new.event.kind, new.event.tags, at: placed.count)
        placed.append(new)
    }

    /// Returns the events of the altered history that match a query.
    ///
    /// - Parameter events: the events of the log that match the query, in order.
    public func applied(to events: [RecordedEvent], _ query: Query) -> [Placed] {
        let added = (index.places(for: query) ?? Array(placed.indices)).map { placed[$0] }
            .filter { query.matches(kind: $0.event.kind, tags: $0.event.tags) }
        return applied(to: events, with: added)
    }

    /// Returns events of the log as the altered history has them, with selected added events.
    ///
    /// - Parameter isAsked: returns `true` for the edited, moved and inserted events to include.
    public func applied(
        to events: [RecordedEvent], where isAsked: (Placed) -> Bool
    ) -> [Placed] {
        applied(to: events, with: placed.filter(isAsked))
    }

    /// Returns recorded events that are unchanged, merged with added events in their places.
    private func applied(to events: [RecordedEvent], with added: [Placed]) -> [Placed] {
        let kept = events.filter { !removed.contains($0.position) }.map {
            Placed(event: $0, order: Order(position: $0.position, index: 0), origin: .recorded)
        }
        return (kept + added).sorted { $0.order < $1.order }
    }

    /// The last position before the first change.
    public var unchangedThrough: Position {
        Position((first?.rawValue ?? 1) - 1)
    }

    /// Events that were added, edited or moved.
    public var added: [RecordedEvent] { placed.map(\.event) }
}

/// The states of one entity in two histories, and their differences.
public struct HistoryDifference: Sendable {
    /// State in the recorded history, as JSON; `nil` if no event is about the entity.
    public var before: String?
    /// State in the altered history, as JSON; `nil` if no event is about the entity.
    public var after: String?
    /// Differences from the recorded to the altered history, at the end.
    public var changes: [FieldChange]
    /// First event after which the two states differ, with their differences; `nil` if none.
    public var first: (order: AlteredHistory.Order, kind: EventKind, changes: [FieldChange])?
    /// Number of events that were folded for the altered history.
    public var folded: Int

    /// Folds both histories and compares the states.
    ///
    /// - Parameters:
    ///   - start: the state that both histories have in common.
    ///   - recorded: the recorded events after this state.
    ///   - altered: the events of the altered history after this state.
    ///   - lists: the lists of the state whose elements are matched by a key.
    public init(
        from start: (fold: Fold, isEmpty: Bool), _ recorded: [RecordedEvent],
        _ altered: [AlteredHistory.Placed], _ lists: KeyedLists
    ) throws(FoldError) {
        var (old, new) = (start.fold, start.fold)
        var (wasThere, wouldBe) = (!start.isEmpty, !start.isEmpty)
        var (index, altIndex) = (0, 0)
        var comparison = FieldComparison()
        while index < recorded.count || altIndex < altered.count {
            let place =
                index < recorded.count
                ? AlteredHistory.Order(position: recorded[index].position, index: 0) : nil
            let altPlace = altIndex < altered.count ? altered[altIndex].order : nil
            guard let next = [place, altPlace].compactMap({ $0 }).min() else { break }
            var kind: EventKind?
            // Until the first difference, the two are compared by the changes that each event
            // makes.
            var (oldStep, newStep): ([FieldChange], [FieldChange]) = ([], [])
            if place == next {
                kind = recorded[index].kind
                oldStep = try old.advance(recorded[index], &comparison, first == nil)
                wasThere = true
                index += 1
            }
            if altPlace == next {
                kind = altered[altIndex].event.kind
                newStep = try new.advance(altered[altIndex].event, &comparison, first == nil)
                wouldBe = true
                altIndex += 1
            }
            guard first == nil, let kind, oldStep != newStep else { continue }
            let changes = Self.changes(
                from: wasThere ? old : nil, to: wouldBe ? new : nil, start, lists)
            if !changes.isEmpty { first = (next, kind, changes) }
        }
        before = wasThere ? old.answer : nil
        after = wouldBe ? new.answer : nil
        changes = Self.changes(from: wasThere ? old : nil, to: wouldBe ? new : nil, start, lists)
        folded = altered.count
    }

    /// Returns the differences between two states; a missing state differs in all fields.
    private static func changes(
        from old: Fold?, to new: Fold?, _ start: (fold: Fold, isEmpty: Bool),
        _ lists: KeyedLists
    ) -> [FieldChange] {
        let changes = FieldChange.between(
            (old ?? start.fold).leaves, (new ?? start.fold).leaves, lists)
        if old != nil, new != nil { return changes }
        return changes.compactMap { change in
            var change = change
            if old == nil { change.before = nil }
            if new == nil { change.after = nil }
            return change.before == nil && change.after == nil ? nil : change
        }
    }
}

extension Fold {
    /// Applies an event, and returns the changes that it made.
    ///
    /// - Parameter isCompared: `false` to skip the comparison and return no changes.
    fileprivate mutating func advance(
        _ event: RecordedEvent, _ comparison: inout FieldComparison, _ isCompared: Bool
    ) throws(FoldError) -> [FieldChange] {
        if isCompared { return try step(event.view, &comparison) }
        try apply(event)
        return []
    }
}
