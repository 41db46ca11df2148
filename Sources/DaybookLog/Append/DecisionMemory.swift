import Daybook

/// A cache of the states that decisions have folded.
///
/// The next decision on the same entity folds only newer events. The cache serves a single writer
/// on a single thread: it is cleared once another writer has appended. Cached decisions append
/// under the same conditions as others.
package final class DecisionMemory {
    /// A cached state with the events that it was folded from.
    struct CachedState {
        /// The folded state; `nil` while a decision still uses it.
        var folded: FoldedModel?
        /// The query that selected the folded events.
        var query: Query
        /// The position up to which the log was folded.
        var through: Position
        /// The number of the batch's events, from the first on, that the state takes into account.
        var pending: Int
        /// The number of folded events.
        var events = 0

        init(query: Query, through: Position, pending: Int) {
            self.query = query
            self.through = through
            self.pending = pending
        }
    }

    /// The command, query number and first query item for which a state was folded.
    private struct CacheKey: Hashable {
        /// The type of the command.
        var command: ObjectIdentifier
        /// The number of the query within the decision, from 1.
        var round: Int
        /// The first item of the query, which usually selects the entity of the command.
        var first: Query.Item?
    }

    /// The number of folded events above which the cache is cleared.
    private static let maxEvents = 1_000_000
    /// The number of states at which the cache is cleared.
    private static let maxStates = 1_024

    private var states: [CacheKey: CachedState] = [:]
    /// The number of events folded into all cached states.
    private var events = 0
    /// True if a cached state contains events of a batch that is not appended yet.
    private var hasPending = false
    /// The newest position of the log that this writer knows of; `nil` if it is uncertain.
    private var head: Position?

    /// Creates an empty cache.
    public init() {}

    /// Clears the cache if another writer has appended to the log.
    func begin(at head: Position) {
        if self.head != head { clear() }
        self.head = head
    }

    /// Advances the known head after an append by this writer, so that the cache stays valid.
    public func recordAppend(_ receipt: Receipt?) {
        guard let receipt, !receipt.isRepeated else { return }
        head = head?.next == receipt.first ? receipt.last : nil
    }

    /// Drops states that contain events of a batch, whose positions and times are not final.
    func dropBatchStates() {
        guard hasPending else { return }
        hasPending = false
        for (asked, state) in states where state.pending > 0 {
            states[asked] = nil
            events -= state.events
        }
    }

    private func clear() {
        states = [:]
        events = 0
    }

    /// Removes and returns the state that was folded for a query with the same first item.
    func removeState(_ command: ObjectIdentifier, _ query: Query, round: Int) -> CachedState? {
        let asked = CacheKey(command: command, round: round, first: query.items?.first)
        let taken = states.removeValue(forKey: asked)
        events -= taken?.events ?? 0
        return taken
    }

    /// Moves the folded state out of a decision into the cache.
    ///
    /// - Parameter fed: the query, range and number of the events that the decision has folded.
    func store(
        _ decision: inout some PendingDecision, _ fed: CachedState?, of command: ObjectIdentifier,
        round: Int
    ) {
        guard var fed, let folded = decision.takeState() else { return }
        fed.folded = folded
        let asked = CacheKey(command: command, round: round, first: fed.query.items?.first)
        events += fed.events - (states[asked]?.events ?? 0)
        if events > Self.maxEvents || states.count >= Self.maxStates {
            clear()
            events = fed.events
        }
        states[asked] = fed
        if fed.pending > 0 { hasPending = true }
    }
}
