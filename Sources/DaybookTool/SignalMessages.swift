import DaybookLMDB
import DaybookLibC

/// Messages that a signal handler prints before the process ends. They are composed in advance,
/// because a handler may not allocate memory.
enum SignalMessages {
    /// Bytes of a message, in memory that is never freed.
    private typealias Bytes = UnsafeMutableRawBufferPointer

    nonisolated(unsafe) private static var damageMessage = unsafe Bytes(start: nil, count: 0)
    nonisolated(unsafe) private static var abortMessage = unsafe Bytes(start: nil, count: 0)

    /// Installs signal handlers that print a message and exit with code 3, and handlers that end
    /// process 1.
    ///
    /// The system raises a signal if a truncated file is read past its end, LMDB aborts on a
    /// malformed page, and the runtime aborts if it gets no memory.
    static func installSignalHandlers() {
        composeMessages()
        installEndingHandlers()
        for number in [SIGBUS, SIGSEGV, SIGABRT] {
            _ = signal(number) { number in
                // A signal handler may call nothing but the system.
                let isDamage: Bool
                switch number {
                case SIGABRT: isDamage = FailedAssertion.hasFailed
                // The runtime may also crash in this way while it reports a lack of memory.
                case SIGSEGV: isDamage = !SignalMessages.isOutOfMemory
                default: isDamage = true
                }
                let words =
                    unsafe isDamage ? SignalMessages.damageMessage : SignalMessages.abortMessage
                _ = unsafe write(STDERR_FILENO, words.baseAddress, words.count)
                _exit(Failure.Code.log.rawValue)
            }
        }
    }

    /// Lets the signals that end other processes end process 1 too, with the exit code of a shell.
    ///
    /// The system keeps a signal from the first process of a PID namespace, such as the entry point
    /// of a container, unless the process has a handler.
    private static func installEndingHandlers() {
        guard getpid() == 1 else { return }
        for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { _ = signal(number) { _exit(128 + $0) } }
    }

    /// True if the system gives this process no further mebibyte of memory.
    private static var isOutOfMemory: Bool {
        let size = 1 << 20
        let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return true }
        unsafe munmap(memory, size)
        return false
    }

    private static func composeMessages() {
        let name = Program.name
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

    private static func permanentBytes(_ text: String) -> Bytes {
        let bytes = Bytes.allocate(byteCount: text.utf8.count, alignment: 1)
        unsafe bytes.copyBytes(from: text.utf8)
        return unsafe bytes
    }
}
