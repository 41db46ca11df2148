import DaybookLibC

/// The three standard streams of a process.
enum StandardStreams {
    /// Opens closed standard streams on `/dev/null`, and makes failed writes return errors instead
    /// of raising signals.
    static func prepare() {
        // Otherwise the log would get a closed stream's number, and answers would go to it.
        for (stream, access) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
        ] where fcntl(stream, F_GETFD) < 0 { _ = unsafe open("/dev/null", access) }
        // A closed pipe and a limit on file size are then errors like others.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }
}
