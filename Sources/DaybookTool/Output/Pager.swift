import DaybookLibC
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The program that shows long answers on a terminal page by page, as in git.
///
/// The pager is `PAGER`, else `less` if it exists. There is no pager if `PAGER` is empty or `cat`,
/// or if the answer goes to a file or a pipe. Unless the variable `LESS` says otherwise, `less`
/// ends at once if everything fits on a screen.
enum Pager {
    /// Id of the pager's process; 0 without a pager.
    private static let process = Atomic<pid_t>(0)
    /// True if the pager starts with the first output.
    private static let isRequested = Atomic(false)

    /// True while a pager shows the output.
    static var isRunning: Bool { process.load(ordering: .relaxed) != 0 }

    /// Requests the pager; it starts with the first output.
    static func request() { isRequested.store(true, ordering: .relaxed) }

    /// Starts the pager if it is requested.
    ///
    /// Standard output, and messages on the same terminal, then go through the pager.
    static func startIfRequested() {
        guard isRequested.exchange(false, ordering: .relaxed), isatty(STDOUT_FILENO) != 0,
            let command = command
        else { return }
        // These values depend on the terminal, which standard output is not connected to
        // afterwards.
        _ = Terminal.width
        _ = Terminal.showsColour
        unsafe setenv("LESS", "FRX", 0)
        unsafe setenv("LV", "-c", 0)
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        guard let child = spawn(command, reading: ends[0]) else {
            for end in ends { close(end) }
            return
        }
        dup2(ends[1], STDOUT_FILENO)
        if isatty(STDERR_FILENO) != 0 { dup2(ends[1], STDERR_FILENO) }
        for end in ends { close(end) }
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
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
    }

    /// Command line that starts the pager; `nil` if no pager is to be used.
    private static var command: String? {
        guard let value = unsafe getenv("PAGER") else { return hasLess ? "less" : nil }
        let command = unsafe String(cString: value)
        return ["", "cat"].contains(command) ? nil : command
    }

    /// True if a folder of PATH has the program `less`.
    private static var hasLess: Bool {
        (Terminal.variable("PATH") ?? "/usr/bin:/bin").split(separator: ":").contains { folder in
            unsafe access("\(folder)/less", X_OK) == 0
        }
    }

    /// Starts a command in a shell, with its input connected to a pipe, and returns the process id;
    /// `nil` if the command cannot be started.
    private static func spawn(_ command: String, reading input: Int32) -> pid_t? {
        #if canImport(Darwin) || canImport(Android)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // This process ignores SIGPIPE, which the pager must receive.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let environment = ProcessInfo.processInfo.environment
        let arguments: [String] = ["/bin/sh", "-c", command]
        let words = unsafe arguments.map { unsafe strdup($0) }
        let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var child: pid_t = 0
        let error = unsafe posix_spawn(
            &child, "/bin/sh", &actions, &attributes, words + [nil],
            variables + [nil])
        return error == 0 ? child : nil
    }
}
