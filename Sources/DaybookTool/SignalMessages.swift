import DaybookLMDB
import DaybookLibC

/// Messages that a signal handler prints before the process ends.
///
/// They are composed in advance, because a handler may not allocate memory.
enum SignalMessages {
    /// Bytes of a message, in memory that is never freed.
    private typealias Bytes = UnsafeMutableRawBufferPointer

    /// Message for a damaged or truncated log.
    nonisolated(unsafe) private static var damageMessage = unsafe Bytes(start: nil, count: 0)
    /// Message for a lack of memory or an internal error.
    nonisolated(unsafe) private static var abortMessage = unsafe Bytes(start: nil, count: 0)

    /// Installs signal handlers that print a message and exit with code 3.
    ///
    /// The system raises a signal if a truncated file is read past its end, LMDB aborts on a
    /// malformed page, and the runtime aborts if it gets no memory.
    static func installSignalHandlers() {
        composeMessages()
        for number in [SIGBUS, SIGSEGV, SIGABRT] {
            _ = signal(number) { number in
                // A signal handler may call nothing else.
                let isDamage = number != SIGABRT || FailedAssertion.hasFailed
                let words =
                    unsafe isDamage ? SignalMessages.damageMessage : SignalMessages.abortMessage
                _ = unsafe write(STDERR_FILENO, words.baseAddress, words.count)
                _exit(Failure.Code.log.rawValue)
            }
        }
    }

    /// Composes both messages in advance.
    private static func composeMessages() {
        let name = ReplayTool.name
        unsafe damageMessage = permanentBytes(
            """
            \(name): the log is damaged, or was truncated while this command read it; \
            '\(name) verify' locates the damage, '\(name) salvage' saves what can be read

            """)
        unsafe abortMessage = permanentBytes(
            """
            \(name): stopped for lack of memory or by an internal error; everything that was \
            acknowledged is in the log

            """)
        // Initialises the state here, because the signal handler may not initialise it.
        _ = FailedAssertion.hasFailed
    }

    /// Returns the text in memory that is never freed.
    private static func permanentBytes(_ text: String) -> Bytes {
        let bytes = Bytes.allocate(byteCount: text.utf8.count, alignment: 1)
        unsafe bytes.copyBytes(from: text.utf8)
        return unsafe bytes
    }
}
