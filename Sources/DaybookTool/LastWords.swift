import DaybookLMDB
import DaybookLibC

/// The last words of a process that a signal ends, made while it can still allocate.
enum LastWords {
    private typealias Bytes = UnsafeMutableRawBufferPointer

    nonisolated(unsafe) private static var damaged = unsafe Bytes(start: nil, count: 0)
    nonisolated(unsafe) private static var stopped = unsafe Bytes(start: nil, count: 0)

    /// Ends with 3 and a sentence where the system, LMDB or the runtime stops the process: a
    /// truncated file faults where its map extends past its end, LMDB aborts on a malformed page,
    /// and the runtime where it gets no memory.
    static func speakOnSignals() {
        prepare()
        for number in [SIGBUS, SIGSEGV, SIGABRT] {
            _ = signal(number) { number in
                // Nothing else may be called from here.
                let isDamage = number != SIGABRT || FailedAssertion.isMet
                let words = unsafe isDamage ? LastWords.damaged : LastWords.stopped
                _ = unsafe write(STDERR_FILENO, words.baseAddress, words.count)
                _exit(Failure.Code.log.rawValue)
            }
        }
    }

    private static func prepare() {
        let name = ReplayTool.name
        unsafe damaged = kept(
            """
            \(name): the log is damaged, or was cut short under this command; \
            '\(name) verify' tells where, '\(name) salvage' saves what can be read

            """)
        unsafe stopped = kept(
            """
            \(name): stopped without memory to go on, or by a fault of its own; what was \
            acknowledged is in the log

            """)
        // The handler may not begin it.
        _ = FailedAssertion.isMet
    }

    private static func kept(_ text: String) -> Bytes {
        let bytes = Bytes.allocate(byteCount: text.utf8.count, alignment: 1)
        unsafe bytes.copyBytes(from: text.utf8)
        return unsafe bytes
    }
}
