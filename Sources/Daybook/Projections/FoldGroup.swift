/// Several folds of the same events. Folds with the same event set share the decoding of an event.
///
///     var folds = FoldGroup(projections.map { $0.fold(.standard) })
///     try log.reader().fold(&folds)
///
/// Events are decoded in batches, and each fold applies a whole batch at once, so that the overhead
/// of calling a fold occurs once per batch, not once per event.
public struct FoldGroup: Sendable {
    /// Number of events in a batch, small enough for the processor's cache.
    static let eventsPerBatch = 64

    /// The folds with their current states, in the order in which `init` received them.
    public private(set) var folds: [Fold]
    /// The folds grouped by event set.
    private let groups: [SameSetFolds]

    /// Those folds of the group that share one event set.
    private struct SameSetFolds: Sendable {
        /// The operations of the first of these folds, which decode events for all of them.
        let operations: FoldOperations
        /// The indices of these folds in `folds`.
        var indices: [Int]
    }

    /// Creates a group of folds, which continue from their states.
    public init(_ folds: [Fold]) {
        self.folds = folds
        var groups: [SameSetFolds] = []
        for (index, fold) in folds.enumerated() {
            let set = fold.operations.eventSet
            if let known = groups.firstIndex(where: { $0.operations.eventSet == set }) {
                groups[known].indices.append(index)
            } else {
                groups.append(SameSetFolds(operations: fold.operations, indices: [index]))
            }
        }
        self.groups = groups
    }

    /// Applies the events that `forEach` supplies, in order, to every fold of the group.
    ///
    /// - Parameter forEach: calls its argument with each event, in order.
    /// - Throws: the errors of `forEach`, after the events before the error are applied.
    package mutating func apply<Failure: Error>(
        eventsOf forEach: ((borrowing EventView) throws(FoldError) -> Void) throws(Failure) -> Void
    ) throws(Failure) {
        let batches = groups.map { $0.operations.makeBatch() }
        var count = 0
        do throws(Failure) {
            try forEach { (event) throws(FoldError) in
                for index in groups.indices {
                    try groups[index].operations.addToBatch(batches[index], event)
                }
                count += 1
                if count == Self.eventsPerBatch {
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

    /// Applies each batch to the folds with its event set, and then removes the batch's events.
    private mutating func apply(_ batches: [EventBatch]) {
        for (group, batch) in zip(groups, batches) {
            for index in group.indices { folds[index].apply(batch) }
            group.operations.clearBatch(batch)
        }
    }
}

/// Decoded events of one event set, of any type, that a group of folds has not applied yet.
@usableFromInline
package class EventBatch: @unchecked Sendable {
    @usableFromInline init() {}
}

/// A batch of decoded events of the event set `Event`.
@usableFromInline
final class TypedBatch<Event: EventSet>: EventBatch, @unchecked Sendable {
    /// The decoded events with their envelopes, in order.
    @usableFromInline var events: [(event: Event, envelope: Envelope)] = []

    @usableFromInline override init() { super.init() }
}
