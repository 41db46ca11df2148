import Synchronization

/// The reason why LMDB aborts the process: a page is not what it takes for granted.
///
/// A handler of `SIGABRT` tells by it damage from other ends, like that of a process without
/// memory.
public enum FailedAssertion {
    /// `true` once LMDB is about to abort. Async-signal-safe after an environment was opened.
    public static var isMet: Bool { met.load(ordering: .relaxed) }

    private static let met = Atomic(false)

    static func note() { met.store(true, ordering: .relaxed) }
}
