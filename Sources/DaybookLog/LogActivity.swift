import Synchronization

/// Counts of the work that a log has done, which other threads may read meanwhile.
public final class LogActivity: Sendable {
    public enum Work: Int, CaseIterable, Sendable {
        case eventsRead
        case commandsDecided
        case rowsDecided
        case eventsIndexed
        case eventsWritten
    }

    private let counts = Mutex([Int](repeating: 0, count: Work.allCases.count))

    /// How often something was done since the log was opened; of an event read twice, both.
    public func count(of work: Work) -> Int { counts.withLock { $0[work.rawValue] } }

    func add(_ count: Int = 1, _ work: Work) {
        guard count > 0 else { return }
        counts.withLock { $0[work.rawValue] += count }
    }
}

/// Counts events as they are read, and tells the activity every few hundred.
struct ReadCount: ~Copyable {
    private let activity: LogActivity
    private var untold = 0

    init(_ activity: LogActivity) { self.activity = activity }

    deinit { activity.add(untold, .eventsRead) }

    mutating func add() {
        untold += 1
        guard untold == 256 else { return }
        activity.add(untold, .eventsRead)
        untold = 0
    }
}
