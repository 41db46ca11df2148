/// Several folds over the same events, which decode an event once for all folds of its set.
///
///     var folds = FoldGroup(projections.map { $0.fold(.standard) })
///     try log.reader().fold(&folds)
///
/// Events are decoded in batches, and each fold applies a whole batch, so that the overhead of a
/// fold is paid once per batch.
public struct FoldGroup: Sendable {
    /// Number of events in a batch, few enough to stay in the processor's cache.
    static let batchCount = 64

    /// The folds, in the order in which they were given.
    public private(set) var folds: [Fold]
    /// The folds by the set of events that they read.
    private let members: [Members]

    /// The folds that read one set of events.
    private struct Members: Sendable {
        /// The operations of the first of these folds, which decode events for all of them.
        let operations: FoldOperations
        /// The indices of these folds in `folds`.
        var places: [Int]
    }

    /// Groups folds by the set of events that they read.
    public init(_ folds: [Fold]) {
        self.folds = folds
        var members: [Members] = []
        for (index, fold) in folds.enumerated() {
            let set = fold.operations.eventSet
            if let known = members.firstIndex(where: { $0.operations.eventSet == set }) {
                members[known].places.append(index)
            } else {
                members.append(Members(operations: fold.operations, places: [index]))
            }
        }
        self.members = members
    }

    /// Applies each event that `forEach` passes on to every fold.
    ///
    /// - Throws: the errors of `forEach`, after the earlier events are applied.
    package mutating func apply<Failure: Error>(
        eventsOf forEach: ((borrowing EventView) throws(FoldError) -> Void) throws(Failure) -> Void
    ) throws(Failure) {
        let batches = members.map { $0.operations.makeBatch() }
        var count = 0
        do throws(Failure) {
            try forEach { (event) throws(FoldError) in
                for index in members.indices {
                    try members[index].operations.collect(batches[index], event)
                }
                count += 1
                if count == Self.batchCount {
                    apply(batches)
                    count = 0
                }
            }
        } catch {
            apply(batches)
            throw error
        }
        apply(batches)
    }

    /// Applies each batch to the folds of its set, and empties it.
    private mutating func apply(_ batches: [EventBatch]) {
        for (members, batch) in zip(members, batches) {
            for place in members.places { folds[place].apply(batch) }
            members.operations.clear(batch)
        }
    }
}

/// The events of one set that a group of folds has not applied yet.
@usableFromInline
class EventBatch: @unchecked Sendable {
    @usableFromInline init() {}
}

/// A batch of decoded events of one set.
@usableFromInline
final class TypedBatch<Event: EventSet>: EventBatch, @unchecked Sendable {
    /// The decoded events with their envelopes, in order.
    @usableFromInline var events: [(event: Event, envelope: Envelope)] = []

    @usableFromInline override init() { super.init() }
}
