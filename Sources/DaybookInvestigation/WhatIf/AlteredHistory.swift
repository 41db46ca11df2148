public import Daybook

/// A history in which some events are skipped, edited, moved or added. The log stays as it is.
public struct AlteredHistory: Sendable {
    /// The place of an event: after a position, and its number among the events inserted there.
    public struct Order: Hashable, Comparable, Sendable {
        public var position: Position
        /// 0 for the event that is recorded there.
        public var index: Int

        public static func < (a: Order, b: Order) -> Bool {
            (a.position, a.index) < (b.position, b.index)
        }
    }

    public enum Origin: String, Hashable, Sendable {
        case recorded
        case edited
        case moved
        case inserted
    }

    public struct Placed: Sendable {
        public var event: RecordedEvent
        public var order: Order
        public var origin: Origin
    }

    /// Positions of events that were skipped, edited or moved.
    public private(set) var removed: Set<Position> = []
    private var placed: [Placed] = []
    private var index = QueryIndex()
    /// Number of events placed after each position.
    private var behind: [Position: Int] = [:]
    private var first: Position?

    public init() {}

    public mutating func skip(_ position: Position) {
        removed.insert(position)
        first = min(first ?? position, position)
    }

    /// - Parameter event: as it is to be, at its position.
    public mutating func edit(_ event: RecordedEvent) {
        skip(event.position)
        add(
            Placed(
                event: event, order: Order(position: event.position, index: 0), origin: .edited))
    }

    public mutating func move(_ event: RecordedEvent, after position: Position) {
        skip(event.position)
        place(event, after: position, .moved)
    }

    public mutating func insert(_ event: RecordedEvent, after position: Position) {
        place(event, after: position, .inserted)
    }

    private mutating func place(
        _ event: RecordedEvent, after position: Position, _ origin: Origin
    ) {
        behind[position, default: 0] += 1
        let order = Order(position: position, index: behind[position] ?? 1)
        first = min(first ?? position.next, position.next)
        add(Placed(event: event, order: order, origin: origin))
    }

    private mutating func add(_ new: Placed) {
        index.add(new.event.kind, new.event.tags, at: placed.count)
        placed.append(new)
    }

    /// Events of the altered history that match a query.
    ///
    /// - Parameter events: those that match it in the log, in order.
    public func applied(to events: [RecordedEvent], _ query: Query) -> [Placed] {
        let added = (index.places(for: query) ?? Array(placed.indices)).map { placed[$0] }
            .filter { query.matches(kind: $0.event.kind, tags: $0.event.tags) }
        return applied(to: events, with: added)
    }

    /// Events of the log, as they would stand, and those of the added ones that are asked for.
    public func applied(
        to events: [RecordedEvent], where isAsked: (Placed) -> Bool
    ) -> [Placed] {
        applied(to: events, with: placed.filter(isAsked))
    }

    private func applied(to events: [RecordedEvent], with added: [Placed]) -> [Placed] {
        let kept = events.filter { !removed.contains($0.position) }.map {
            Placed(event: $0, order: Order(position: $0.position, index: 0), origin: .recorded)
        }
        return (kept + added).sorted { $0.order < $1.order }
    }

    /// The last position that nothing is changed at or before.
    public var unchangedThrough: Position {
        Position((first?.rawValue ?? 1) - 1)
    }

    /// Events that were added, edited or moved.
    public var added: [RecordedEvent] { placed.map(\.event) }
}

/// The states of one entity in two histories, and their differences.
public struct HistoryDifference: Sendable {
    /// State in the recorded history; `nil` if no event is about the entity.
    public var before: String?
    public var after: String?
    /// Differences from the recorded to the altered history, at the end.
    public var changes: [FieldChange]
    /// First event after which the two differ, and their differences there.
    public var first: (order: AlteredHistory.Order, kind: EventKind, changes: [FieldChange])?
    /// How many events were folded for what would be.
    public var folded: Int

    /// - Parameters:
    ///   - start: what both have in common.
    ///   - recorded: what happened after that.
    ///   - altered: what would have.
    ///   - lists: of the projection's state.
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
            // While the two show the same, they are compared by what each event changes.
            var (oldStep, newStep): ([FieldChange], [FieldChange]) = ([], [])
            if place == next {
                kind = recorded[index].kind
                oldStep = try old.take(recorded[index], &comparison, first == nil)
                wasThere = true
                index += 1
            }
            if altPlace == next {
                kind = altered[altIndex].event.kind
                newStep = try new.take(altered[altIndex].event, &comparison, first == nil)
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

    /// Lists the differences; an entity missing on one side differs in all fields of the other.
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
    /// Applies an event.
    ///
    /// - Parameter isCompared: `false` where nobody asks what it changed.
    fileprivate mutating func take(
        _ event: RecordedEvent, _ comparison: inout FieldComparison, _ isCompared: Bool
    ) throws(FoldError) -> [FieldChange] {
        if isCompared { return try step(event.view, &comparison) }
        try apply(event)
        return []
    }
}
