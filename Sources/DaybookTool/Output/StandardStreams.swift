import DaybookLibC

/// The three streams that a process begins with.
enum StandardStreams {
    /// Makes sure that no file of ours becomes one of them, and that a write that fails says so.
    static func prepare() {
        // In the place of a closed one the log would be opened, and answers written into it.
        for (stream, access) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
        ] where fcntl(stream, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", access)
        }
        // A reader that has gone, and a limit on the size of files, are errors like others.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }
}
