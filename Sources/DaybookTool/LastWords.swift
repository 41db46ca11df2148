import DaybookLMDB
import DaybookLibC

/// Last messages of a process that a signal ends, composed while it can still allocate.
enum LastWords {
    private typealias Bytes = UnsafeMutableRawBufferPointer

    nonisolated(unsafe) private static var damaged = unsafe Bytes(start: nil, count: 0)
    nonisolated(unsafe) private static var stopped = unsafe Bytes(start: nil, count: 0)

    /// Installs signal handlers that print a message and exit with code 3.
    ///
    /// The system raises a signal if a truncated file is read past its end, LMDB aborts on a
    /// malformed page, and the runtime aborts if it gets no memory.
    static func speakOnSignals() {
        prepare()
        for number in [SIGBUS, SIGSEGV, SIGABRT] {
            _ = signal(number) { number in
                // A signal handler may call nothing else.
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
            \(name): the log is damaged, or was truncated while this command read it; \
            '\(name) verify' locates the damage, '\(name) salvage' saves what can be read

            """)
        unsafe stopped = kept(
            """
            \(name): stopped for lack of memory or by an internal error; everything that was \
            acknowledged is in the log

            """)
        // Initialises the state here, because the signal handler may not initialise it.
        _ = FailedAssertion.isMet
    }

    private static func kept(_ text: String) -> Bytes {
        let bytes = Bytes.allocate(byteCount: text.utf8.count, alignment: 1)
        unsafe bytes.copyBytes(from: text.utf8)
        return unsafe bytes
    }
}
