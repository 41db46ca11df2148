import DaybookLibC
import Synchronization

/// The program that shows long answers on a terminal page by page, as in git.
///
/// The pager is `PAGER`, else `less` if it exists. There is no pager if `PAGER` is empty or `cat`,
/// or if the answer goes to a file or a pipe. Unless the variable `LESS` says otherwise, `less`
/// ends at once if everything fits on a screen.
enum Pager {
    /// Id of the pager's process; 0 without a pager.
    private static let process = Atomic<pid_t>(0)
    private static let isRequested = Atomic(false)

    /// True while a pager shows the output.
    static var isRunning: Bool { process.load(ordering: .relaxed) != 0 }

    /// Requests the pager; it starts with the first output.
    static func request() { isRequested.store(true, ordering: .relaxed) }

    /// Starts the pager if it is requested. Standard output, and messages on the same terminal,
    /// then go through the pager.
    static func startIfRequested() {
        guard isRequested.exchange(false, ordering: .relaxed), isatty(STDOUT_FILENO) != 0,
            let command = command
        else { return }
        // These values depend on the terminal, which standard output leaves here.
        _ = Terminal.width
        _ = Terminal.showsColour
        unsafe setenv("LESS", "FRX", 0)
        unsafe setenv("LV", "-c", 0)
        guard let pipe = try? ChildProcess.Pipe(),
            let child = try? ChildProcess.spawn(
                ["/bin/sh", "-c", command], environment: [:], input: .reading(pipe),
                output: .inherited, errors: .inherited)
        else { return }
        withExtendedLifetime(pipe) {
            dup2(pipe.writingEnd, STDOUT_FILENO)
            if isatty(STDERR_FILENO) != 0 { dup2(pipe.writingEnd, STDERR_FILENO) }
        }
        process.store(child, ordering: .relaxed)
        // The pager stays open for the output so far; this process has nothing more to do.
        signal(SIGINT) { _ in
            close(STDOUT_FILENO)
            close(STDERR_FILENO)
            Pager.wait()
            _exit(130)
        }
    }

    /// Closes the output, and waits until the user leaves the pager.
    static func wait() {
        let child = process.exchange(0, ordering: .relaxed)
        guard child != 0 else { return }
        close(STDOUT_FILENO)
        close(STDERR_FILENO)
        _ = ChildProcess.exitCode(of: child)
    }

    /// Command line that starts the pager; `nil` if no pager is to be used.
    private static var command: String? {
        guard let value = unsafe getenv("PAGER") else { return hasLess ? "less" : nil }
        let command = unsafe String(cString: value)
        return ["", "cat"].contains(command) ? nil : command
    }

    private static var hasLess: Bool {
        (Terminal.variable("PATH") ?? "/usr/bin:/bin").split(separator: ":").contains { folder in
            unsafe access("\(folder)/less", X_OK) == 0
        }
    }
}
