import Daybook
import DaybookInvestigation
import DaybookLibC
import DaybookLog
import Synchronization

/// Memory that a command keeps for each entity of a log, in bytes.
///
/// Measured on Linux for care entries, which are larger than most entities; docs/benchmarks.md.
enum KeptStates: Int {
    /// A state with its encoded fields, two states, or a state with what findings cite: `trace`,
    /// `compare` and `audit`.
    case detailed = 2_000
    /// A state with its JSON: `export --format sql`.
    case interval = 1_800
    /// A state, or the states that an entity has been in: `state` and `transitions`.
    case plain = 1_100
    /// The numbers and times of an entity: `list`.
    case summary = 700

    /// Memory for a row of an imported file, with its commands, events and keys.
    private static let importedRowByteCount = 5_500

    /// Says on standard error how much memory the states of a log may take, if it is much.
    func announce(for log: EventLog) throws(LogError) {
        announce(entityCount: try log.file.entityLimit())
    }

    /// Says on standard error how much memory the states of some entities may take, if it is much.
    func announce(entityCount count: Int) {
        Self.announce(
            MemoryNeed(
                "up to \(count.counted("entity", "entities"))", count: count, byteCount: rawValue))
    }

    /// Says on standard error how much memory an import may take, if it is much.
    static func announce(_ file: some PendingImport) {
        let count = file.rowCount
        announce(
            MemoryNeed(count.counted("row"), count: count, byteCount: importedRowByteCount))
    }

    /// Returns a function that says on standard error how much memory a report may take, if it is
    /// much and more than what the function has said before.
    static func announcer() -> @Sendable (MemoryNeed) -> Void {
        let largest = Mutex(0)
        return { need in
            let isLarger = largest.withLock { known in
                defer { known = max(known, need.byteCount) }
                return need.byteCount > known
            }
            if isLarger { announce(need) }
        }
    }

    /// Says on standard error how much memory a command may take, if it is much.
    private static func announce(_ need: MemoryNeed) {
        let sentence = need.sentence(
            available: Threads.memoryByteCount, isWatched: StandardError.isTerminal)
        if let sentence { StandardError.message(sentence) }
    }
}
