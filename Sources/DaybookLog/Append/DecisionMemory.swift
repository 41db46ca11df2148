import Daybook

/// The states that decisions have folded, so that the next decision on the same entity folds only
/// what came since.
///
/// It holds for one writer: once anyone else has appended, it is forgotten. What a decision depends
/// on is conditioned as ever. One memory serves one thread.
public final class DecisionMemory {
    /// A state, and the events of which it is the fold.
    struct Kept {
        var folded: FoldedModel?
        /// The selection of all events that were folded.
        var query: Query
        /// The last position up to which the log was folded.
        var through: Position
        /// The number of the batch's events up to which it was folded.
        var pending: Int
        /// The number of events that were folded.
        var events = 0

        init(query: Query, through: Position, pending: Int) {
            self.query = query
            self.through = through
            self.pending = pending
        }
    }

    private struct Asked: Hashable {
        var command: ObjectIdentifier
        /// The number of the query, of those that the decision has come to ask for.
        var round: Int
        /// The first thing that the command depends on: the entity, whatever else it names.
        var first: Query.Item?
    }

    /// More folded events than these, or more states, are forgotten.
    private static let mostEvents = 1_000_000
    private static let mostStates = 1_024

    private var kept: [Asked: Kept] = [:]
    private var events = 0
    private var hasPending = false
    /// The newest position of the log as this writer knows it.
    private var head: Position?

    public init() {}

    /// Forgets everything where the log has grown without this writer's doing.
    func begin(at head: Position) {
        if self.head != head { forget() }
        self.head = head
    }

    /// Notes what this writer has appended.
    public func note(_ receipt: Receipt?) {
        guard let receipt, !receipt.isRepeated else { return }
        head = head?.next == receipt.first ? receipt.last : nil
    }

    /// Forgets the states with events of a batch, whose positions and times are not final.
    func settle() {
        guard hasPending else { return }
        hasPending = false
        for (asked, state) in kept where state.pending > 0 {
            kept[asked] = nil
            events -= state.events
        }
    }

    private func forget() {
        kept = [:]
        events = 0
    }

    /// Takes out what was folded for a query that begins like this one.
    func take(_ command: ObjectIdentifier, _ query: Query, round: Int) -> Kept? {
        let asked = Asked(command: command, round: round, first: query.items?.first)
        let taken = kept.removeValue(forKey: asked)
        events -= taken?.events ?? 0
        return taken
    }

    /// Keeps what a decision has folded, which it gives away.
    func keep(
        _ decision: inout some PendingDecision, _ fed: Kept?, of command: ObjectIdentifier,
        round: Int
    ) {
        guard var fed, let folded = decision.leave() else { return }
        fed.folded = folded
        let asked = Asked(command: command, round: round, first: fed.query.items?.first)
        events += fed.events - (kept[asked]?.events ?? 0)
        if events > Self.mostEvents || kept.count >= Self.mostStates {
            forget()
            events = fed.events
        }
        kept[asked] = fed
        if fed.pending > 0 { hasPending = true }
    }
}
