import Synchronization

/// Counts of the work that a log has done, readable from any thread at any time.
package final class LogActivity: Sendable {
    /// A kind of counted work.
    public enum Work: Int, CaseIterable, Sendable {
        /// Stored events visited by reads and scans.
        case eventsRead
        /// Commands that were decided, including repeated and refused commands.
        case commandsDecided
        /// Rows of imported files whose idempotency keys were looked up.
        case rowsDecided
        /// Events added to the index.
        case eventsIndexed
        /// Events written by appends, including attempts that were rolled back.
        case eventsWritten
    }

    /// The counts, by raw value of the kind of work.
    private let counts = Mutex([Int](repeating: 0, count: Work.allCases.count))

    /// Returns the amount of work done since the log was opened; an event read twice counts twice.
    public func count(of work: Work) -> Int { counts.withLock { $0[work.rawValue] } }

    /// Adds to the count of one kind of work; zero or less adds nothing.
    func add(_ count: Int = 1, _ work: Work) {
        guard count > 0 else { return }
        counts.withLock { $0[work.rawValue] += count }
    }
}

/// A counter of read events that updates the activity every 256 events.
struct ReadCounter: ~Copyable {
    private let activity: LogActivity
    /// The number of events that are counted here but not yet in the activity.
    private var unreported = 0

    init(_ activity: LogActivity) { self.activity = activity }

    deinit { activity.add(unreported, .eventsRead) }

    /// Counts one event.
    mutating func add() {
        unreported += 1
        guard unreported == 256 else { return }
        activity.add(unreported, .eventsRead)
        unreported = 0
    }
}
