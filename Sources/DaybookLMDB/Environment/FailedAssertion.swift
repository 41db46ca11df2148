import Synchronization

/// A flag for LMDB aborting the process because a page contradicts one of its assertions.
///
/// A handler of `SIGABRT` uses it to distinguish a damaged file from other aborts, such as running
/// out of memory.
public enum FailedAssertion {
    /// True once LMDB is about to abort. Async-signal-safe after an environment has been opened.
    public static var isMet: Bool { met.load(ordering: .relaxed) }

    private static let met = Atomic(false)

    static func note() { met.store(true, ordering: .relaxed) }
}
