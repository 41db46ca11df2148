public import Daybook

/// A state of an entity as of a position.
public struct FollowedState<State: Sendable>: Sendable {
    /// The state; blank if the entity had no events.
    public var state: State
    /// The newest position of the log when the state was folded.
    ///
    /// `EventLog.state(_:of:at:)` gives the same state for it.
    public var position: Position
}

extension FollowedState: Equatable where State: Equatable {}

/// The states of an entity: the one now, and then each that events of any process lead to.
///
///     for try await now in log.states(Shelf.self, of: "c1") { show(now.state) }
///
/// A state comes only if it differs from the one before. Changes that are made while the caller is
/// busy are combined: the next state is the newest one. New events are folded into the state that
/// is there; it is folded anew only after an entity got another id, or personal values of the state
/// may have been erased. The sequence ends when its task is cancelled.
public struct StateFollower<Target: Projection>: AsyncSequence, Sendable {
    public typealias Element = FollowedState<Target.State>
    public typealias Failure = LogError

    let log: EventLog
    /// Any id of the entity.
    let id: String

    public func makeAsyncIterator() -> Iterator {
        Iterator(
            cursor: FollowCursor(log, .position(.origin, mayBeAhead: true)),
            states: FoldedEntity<Target>(id: id))
    }

    /// The iterator over the states.
    public struct Iterator: AsyncIteratorProtocol {
        let cursor: FollowCursor
        let states: FoldedEntity<Target>

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(LogError) -> FollowedState<Target.State>? {
            let state = try await cursor.next {
                [states] (log, _, newest) throws(LogError) in
                .init(answer: try states.update(from: log, to: newest), through: newest)
            }
            return Task.isCancelled ? nil : state
        }
    }
}

/// The state of an entity, which is brought up to date again and again.
///
/// Used by one read at a time.
final class FoldedEntity<Target: Projection>: @unchecked Sendable {
    private let id: String
    /// The state with its last position; `nil` before the first read.
    private var folded: (walk: EntityWalk, fold: Fold, through: Position)?

    init(id: String) { self.id = id }

    /// Folds the events up to a position; returns the state if it has changed.
    func update(
        from log: EventLog, to newest: Position
    ) throws(LogError) -> FollowedState<Target.State>? {
        guard newest > folded?.through ?? .origin || folded == nil else { return nil }
        let (description, rules) = try log.catalogue.description(of: Target.self)
        let reader = try EntityReader(log, through: newest)
        let before = folded?.fold
        if let folded, try !mustStartAgain(reader, description, folded.through) {
            var fold = folded.fold
            var eventCount = 0
            try reader.forEach(along: folded.walk, after: folded.through) {
                (event, _) throws(LogError) in
                try fold.add(event)
                eventCount += 1
                return true
            }
            self.folded = (folded.walk, fold, newest)
            guard eventCount > 0 else { return nil }
        } else {
            let walk = try reader.walk(of: description, id)
            folded = (walk, try reader.state(along: walk, rules).fold, newest)
        }
        guard let fold = folded?.fold, before.map({ !$0.hasEqualState(to: fold) }) ?? true else {
            return nil
        }
        return FollowedState(state: fold.state(of: Target.self) ?? .blank, position: newest)
    }

    /// True if the new events may change what earlier events mean to the state.
    private func mustStartAgain(
        _ reader: EntityReader, _ projection: ProjectionDescription, _ through: Position
    ) throws(LogError) -> Bool {
        let nouns = [projection.noun] + projection.followedNouns
        var kinds = nouns.flatMap(reader.catalogue.renamingKinds).map(\.kind)
        if projection.holdsPersonalValues { kinds.append(TextsErased.kind) }
        guard !kinds.isEmpty else { return false }
        let query = Query(items: kinds.map { Query.Item(kinds: [$0]) }) ?? .all
        let window = ReadWindow(after: through, through: reader.through)
        return try !reader.log.reader(query, window).collect(limit: 1).isEmpty
    }
}
