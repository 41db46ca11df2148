import Synchronization

/// Counts of the work that a log has done since it was opened, readable from any thread.
package final class LogActivity: Sendable {
    /// A type of work that is counted.
    package enum Work: Int, CaseIterable, Sendable {
        /// Stored events that reads and scans have visited.
        case eventsRead
        /// Decided commands, including repeated and refused ones.
        case commandsDecided
        /// Rows of imported files that imports have begun to decide; counted again in each attempt.
        case rowsDecided
        /// Events added to the index.
        case eventsIndexed
        /// Events written by appends, including attempts that were rolled back.
        case eventsWritten
    }

    /// The counts, indexed by the raw value of the type of work.
    private let counts = Mutex([Int](repeating: 0, count: Work.allCases.count))

    /// The number of events that the long reads so far have read or are about to read.
    private let expectedReads = Mutex(0)

    /// The number of events that reads are known to need, without those of short reads.
    package var expectedReadCount: Int { expectedReads.withLock { $0 } }

    /// Adds the events of a long read that begins; a negative number takes back those not read.
    func expectReads(_ count: Int) { expectedReads.withLock { $0 += count } }

    /// Returns the count of one type of work; an event that was read twice counts twice.
    public func count(of work: Work) -> Int { counts.withLock { $0[work.rawValue] } }

    /// Adds `count` to the count of one type of work; does nothing if `count` is zero or less.
    func add(_ count: Int = 1, _ work: Work) {
        guard count > 0 else { return }
        counts.withLock { $0[work.rawValue] += count }
    }
}
