import Synchronization

/// A process-wide record of whether an assertion of LMDB has failed; LMDB then ends the process.
///
/// A page of a damaged file can contradict an assertion. A handler of `SIGABRT` reads the record to
/// distinguish a damaged file from other aborts, such as running out of memory.
public enum FailedAssertion {
    /// True once an assertion of LMDB failed; async-signal-safe after an environment was opened.
    public static var hasFailed: Bool { failed.load(ordering: .relaxed) }

    private static let failed = Atomic(false)

    /// Records a failure; LMDB calls this before it aborts the process.
    static func record() { failed.store(true, ordering: .relaxed) }
}
