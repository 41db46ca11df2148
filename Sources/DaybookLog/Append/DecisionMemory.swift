import Daybook

/// A cache of the states that earlier decisions have folded.
///
/// The next decision on the same entity only folds newer events into the cached state. The cache
/// serves a single writer on a single thread; it is cleared if another writer has appended. A
/// decision from a cached state has the same append conditions as any other.
package final class DecisionMemory {
    /// A cached state with a description of the events that were folded into it.
    struct CachedState {
        /// The folded state; `nil` while a decision still uses it.
        var folded: FoldedModel?
        /// The query that selected the folded events.
        var query: Query
        /// The position up to which the log was folded.
        var through: Position
        /// The number of events at the start of the unfinished batch that the state covers.
        var pendingCount: Int
        /// The number of events folded into the state.
        var eventCount = 0

        init(query: Query, through: Position, pendingCount: Int) {
            self.query = query
            self.through = through
            self.pendingCount = pendingCount
        }
    }

    /// The command type, query number and first query item for which a state was folded.
    private struct CacheKey: Hashable {
        /// The type of the command.
        var command: ObjectIdentifier
        /// The number of the query among the queries of one decision, from 1.
        var round: Int
        /// The first item of the query, which usually selects the entity of the command; `nil` for
        /// a query for all events.
        var firstItem: Query.Item?
    }

    /// The least number of folded events for which a state is cached.
    ///
    /// Fewer events are folded again sooner than their state is stored and looked up.
    private static let fewestEvents = 4
    /// The total number of folded events above which the cache is cleared.
    private static let maxEvents = 1_000_000
    /// The number of cached states at which the cache is cleared.
    private static let maxStates = 1_024

    private var states: [CacheKey: CachedState] = [:]
    /// The number of events folded into all cached states.
    private var eventCount = 0
    /// True if a cached state covers events of a batch that is not appended yet.
    private var hasBatchStates = false
    /// The newest position of the log when the states were cached; `nil` if it is uncertain.
    private var head: Position?

    /// Creates an empty cache.
    public init() {}

    /// Clears the cache if another writer has appended to the log.
    ///
    /// - Parameter head: the newest position of the log now.
    func clearIfOutdated(at head: Position) {
        if self.head != head { clear() }
        self.head = head
    }

    /// Records that this writer has appended, so that the cached states stay valid.
    public func recordAppend(_ receipt: Receipt?) {
        guard let receipt, !receipt.isRepeated else { return }
        head = head?.next == receipt.first ? receipt.last : nil
    }

    /// Removes states that cover events of an unfinished batch, whose positions are not final.
    func dropBatchStates() {
        guard hasBatchStates else { return }
        hasBatchStates = false
        for (asked, state) in states where state.pendingCount > 0 {
            states[asked] = nil
            eventCount -= state.eventCount
        }
    }

    private func clear() {
        states = [:]
        eventCount = 0
    }

    /// Removes and returns the state cached for this command and a query that begins with the same
    /// item as `query`; `nil` if there is none.
    func removeState(_ command: ObjectIdentifier, _ query: Query, round: Int) -> CachedState? {
        guard !states.isEmpty else { return nil }
        let asked = CacheKey(command: command, round: round, firstItem: query.items?.first)
        let taken = states.removeValue(forKey: asked)
        eventCount -= taken?.eventCount ?? 0
        return taken
    }

    /// Moves the folded state of a decision into the cache.
    ///
    /// - Parameter fed: the query, the range and the number of the events that the decision has
    ///   folded; `nil` to store nothing.
    func store(
        _ decision: inout some PendingDecision, _ fed: CachedState?, of command: ObjectIdentifier,
        round: Int
    ) {
        guard var fed, fed.eventCount >= Self.fewestEvents, let folded = decision.takeState()
        else { return }
        fed.folded = folded
        let asked = CacheKey(command: command, round: round, firstItem: fed.query.items?.first)
        eventCount += fed.eventCount - (states[asked]?.eventCount ?? 0)
        if eventCount > Self.maxEvents || states.count >= Self.maxStates {
            clear()
            eventCount = fed.eventCount
        }
        states[asked] = fed
        if fed.pendingCount > 0 { hasBatchStates = true }
    }
}
