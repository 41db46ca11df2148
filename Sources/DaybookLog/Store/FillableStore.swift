import Daybook

/// A store whose log may begin with the contents of a file.
///
/// A log is filled with the commits of the file first, then with its people and their keys, and
/// then opened for appends. Each step may be repeated after a crash.
package protocol FillableStore: EventStore {
    /// Returns whether the log accepts appends, a fill, or nothing.
    func state() throws(LogError) -> StoreState

    /// Adds commits of the file, with their own recording times, if the log still has the end that
    /// they were made for: all of them or none.
    ///
    /// - Throws: `.unknown` if the answer was lost; the log's end then tells.
    func fill(_ batch: StoreBatch) throws(LogError) -> StoreAnswer

    /// Adds or replaces rows of people and blocks of their keys.
    ///
    /// - Parameters:
    ///   - people: person numbers with rows and their checksums.
    ///   - blocks: numbers and rows of blocks in clear.
    func fill(
        people: [(number: UInt32, row: [UInt8])], blocks: [(number: UInt64, row: [UInt8])]
    ) throws(LogError)

    /// Opens the log for appends, if it has all commits up to a head and as many people and key slots.
    func endFilling(at head: Head, nextPerson: UInt64, nextSlot: UInt64) throws(LogError)
}

/// The kind of commits that a stored log accepts.
package enum StoreState: String, Sendable {
    /// Accepts appends.
    case open
    /// Accepts the commits of one file.
    case filling
    /// Accepts no commits.
    case closed
}
