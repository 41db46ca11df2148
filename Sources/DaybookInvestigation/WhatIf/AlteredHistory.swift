public import Daybook

/// A history in which some events are skipped, edited, moved or added.
///
/// The log itself does not change.
public struct AlteredHistory: Sendable {
    /// The place of an event in the altered history.
    ///
    /// The place is a position, and a number among the events inserted after this position.
    public struct Place: Hashable, Comparable, Sendable {
        /// Position of the recorded event at this place, or of the recorded event before it.
        public var position: Position
        /// 0 for the recorded event; from 1 for the events inserted after it.
        public var index: Int

        public static func < (a: Place, b: Place) -> Bool {
            (a.position, a.index) < (b.position, b.index)
        }
    }

    /// The way in which an event got into the altered history.
    public enum Origin: String, Equatable, Sendable {
        case recorded
        case edited
        case moved
        case inserted
    }

    /// An event of the altered history.
    public struct PlacedEvent: Sendable {
        public var event: RecordedEvent
        public var place: Place
        public var origin: Origin
    }

    /// Original positions of the recorded events that were skipped, edited or moved.
    public private(set) var removedPositions: Set<Position> = []
    /// Events that were edited, moved or inserted, in the order of the changes.
    private(set) var placedEvents: [PlacedEvent] = []
    /// Finds the indices in `placedEvents` of the events that match a query.
    private var index = QueryIndex()
    /// Number of events inserted after each position.
    private var insertedCounts: [Position: Int] = [:]
    /// The first position at which the altered history may differ; `nil` if there is no change.
    private var firstChangedPosition: Position?

    public init() {}

    /// Leaves out the event at a position.
    public mutating func skip(_ position: Position) {
        removedPositions.insert(position)
        firstChangedPosition = min(firstChangedPosition ?? position, position)
    }

    /// Replaces the event at the position of `event`.
    public mutating func edit(_ event: RecordedEvent) {
        skip(event.position)
        add(
            PlacedEvent(
                event: event, place: Place(position: event.position, index: 0), origin: .edited))
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

    /// Inserts an event after a position, behind the events already inserted after this position.
    private mutating func place(
        _ event: RecordedEvent, after position: Position, _ origin: Origin
    ) {
        insertedCounts[position, default: 0] += 1
        let place = Place(position: position, index: insertedCounts[position] ?? 1)
        firstChangedPosition = min(firstChangedPosition ?? position.next, position.next)
        add(PlacedEvent(event: event, place: place, origin: origin))
    }

    /// Adds an edited, moved or inserted event to `placedEvents` and its index.
    private mutating func add(_ new: PlacedEvent) {
        index.add(new.event.kind, new.event.tags, at: placedEvents.count)
        placedEvents.append(new)
    }

    /// Returns the altered history's events that match a query, given the log's in order.
    public func applied(to events: [RecordedEvent], _ query: Query) -> [PlacedEvent] {
        let added = (index.places(for: query) ?? Array(placedEvents.indices)).map {
            placedEvents[$0]
        }
        .filter { query.matches(kind: $0.event.kind, tags: $0.event.tags) }
        return applied(to: events, with: added)
    }

    /// Returns the given events as they are in the altered history, and the changed events that
    /// `isIncluded` selects.
    public func applied(
        to events: [RecordedEvent], where isIncluded: (PlacedEvent) -> Bool
    ) -> [PlacedEvent] {
        applied(to: events, with: placedEvents.filter(isIncluded))
    }

    /// Returns the unchanged events among the given ones, with the changed events in place.
    private func applied(to events: [RecordedEvent], with added: [PlacedEvent]) -> [PlacedEvent] {
        let kept = events.filter { !removedPositions.contains($0.position) }.map {
            PlacedEvent(event: $0, place: Place(position: $0.position, index: 0), origin: .recorded)
        }
        return (kept + added).sorted { $0.place < $1.place }
    }

    /// The last position up to which both histories are equal; 0 if there is no change.
    public var unchangedThrough: Position { Position((firstChangedPosition?.rawValue ?? 1) - 1) }

    /// Events that were edited, moved or inserted, as they are in the altered history.
    public var changedEvents: [RecordedEvent] { placedEvents.map(\.event) }
}

/// The states of one entity in two histories, and their differences.
public struct HistoryDifference: Sendable {
    /// State in the recorded history, as JSON; `nil` if no event is about the entity.
    public var before: String?
    /// State in the altered history, as JSON; `nil` if no event is about the entity.
    public var after: String?
    /// Differences from the last state in the recorded history to the one in the altered.
    package var changes: [FieldChange]
    /// First event after which the two states differ, with their differences; `nil` if none.
    package var firstDifference:
        (place: AlteredHistory.Place, kind: EventKind, changes: [FieldChange])?
    /// Number of events of the altered history that were folded.
    public var foldedCount: Int

    /// Folds both histories from the state `start` that they have in common, and compares the
    /// states after each event.
    package init(
        from start: (fold: Fold, isEmpty: Bool), _ recorded: [RecordedEvent],
        _ altered: [AlteredHistory.PlacedEvent], _ lists: KeyedLists
    ) throws(FoldError) {
        var (old, new) = (start.fold, start.fold)
        var (wasThere, wouldBe) = (!start.isEmpty, !start.isEmpty)
        var (index, altIndex) = (0, 0)
        var comparison = FieldComparison()
        // Values that were there only since the entity's first event, also if they are blank.
        var added: Set<String> = []
        while index < recorded.count || altIndex < altered.count {
            let place =
                index < recorded.count
                ? AlteredHistory.Place(position: recorded[index].position, index: 0) : nil
            let altPlace = altIndex < altered.count ? altered[altIndex].place : nil
            guard let next = [place, altPlace].compactMap({ $0 }).min() else { break }
            var kind: EventKind?
            // Until the first difference, the changes that each event makes are compared.
            var (oldStep, newStep): ([FieldChange], [FieldChange]) = ([], [])
            if place == next {
                kind = recorded[index].kind
                oldStep = try old.advance(recorded[index], &comparison, firstDifference == nil)
                wasThere = true
                index += 1
            }
            if altPlace == next {
                kind = altered[altIndex].event.kind
                newStep = try new.advance(
                    altered[altIndex].event, &comparison, firstDifference == nil)
                wouldBe = true
                altIndex += 1
            }
            guard firstDifference == nil, let kind, oldStep != newStep else { continue }
            if wasThere != wouldBe { added = Set((oldStep + newStep).map(\.path)) }
            let changes = Self.changes(
                from: wasThere ? old : nil, to: wouldBe ? new : nil, start, added, lists)
            if !changes.isEmpty { firstDifference = (next, kind, changes) }
        }
        before = wasThere ? old.answer : nil
        after = wouldBe ? new.answer : nil
        changes = Self.changes(
            from: wasThere ? old : nil, to: wouldBe ? new : nil, start, added, lists)
        foldedCount = altered.count
    }

    /// Returns the differences between two states; all values of a state that is alone are given,
    /// except those of `start` whose paths are not in `added`.
    private static func changes(
        from old: Fold?, to new: Fold?, _ start: (fold: Fold, isEmpty: Bool),
        _ added: Set<String>, _ lists: KeyedLists
    ) -> [FieldChange] {
        if let old, let new { return FieldChange.between(old.leaves, new.leaves, lists) }
        guard let alone = old ?? new else { return [] }
        let missing = start.fold.leaves.filter { !added.contains($0.path) }
        return FieldChange.between(missing, alone.leaves, lists).compactMap { change in
            guard let value = change.after else { return nil }
            return FieldChange(
                path: change.path, before: new == nil ? value : nil,
                after: new == nil ? nil : value, isMoment: change.isMoment)
        }
    }
}

extension Fold {
    /// Applies an event, and returns its changes unless `isCompared` is `false`, which is faster.
    fileprivate mutating func advance(
        _ event: RecordedEvent, _ comparison: inout FieldComparison, _ isCompared: Bool
    ) throws(FoldError) -> [FieldChange] {
        if isCompared { return try step(event.view, &comparison) }
        try apply(event)
        return []
    }
}
