import DaybookLibC

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runner of another program, or of this one again, in a process of its own.
enum ChildProcess {
    /// Returns the path of this program's executable.
    static func ownPath() throws(Failure) -> String {
        #if canImport(Darwin)
            var count: UInt32 = 0
            _ = unsafe _NSGetExecutablePath(nil, &count)
            var path = [CChar](repeating: 0, count: Int(count) + 1)
            let isKnown = unsafe _NSGetExecutablePath(&path, &count) == 0
        #else
            var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let isKnown = unsafe readlink("/proc/self/exe", &path, Int(PATH_MAX)) > 0
        #endif
        guard isKnown else {
            throw Failure(.usage, "the path of this program cannot be determined")
        }
        return Folders.decodedText(path)
    }

    /// Exit code and output of a program that has ended.
    struct Termination {
        /// Exit code; if a signal ended the program, 128 plus its number, as in shells.
        var code: Int32
        /// Bytes that the program wrote to standard output.
        var output: [UInt8]
    }

    /// Runs a program with `posix_spawn`, and waits until it ends.
    ///
    /// Foundation's `Process` traps if no further file can be opened.
    ///
    /// - Parameters:
    ///   - environment: variables added to the environment of this process.
    ///   - isQuiet: true to discard the program's standard error.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        isQuiet: Bool = false
    ) throws -> Termination {
        do throws(SystemError) {
            let pipe = try Pipe()
            let process = try spawn(
                [program] + arguments,
                ProcessInfo.processInfo.environment.merging(environment) { $1 }, pipe,
                isQuiet: isQuiet)
            let output = pipe.readToEnd()
            return Termination(code: exitCode(of: process), output: try output.get())
        } catch {
            throw Failure(.usage, "\(program): the program cannot be run: \(error)")
        }
    }

    /// Pipe for the child's output, whose ends are closed when this value is freed.
    private final class Pipe {
        /// File descriptors of the reading and the writing end; -1 once closed.
        private(set) var ends: [Int32] = [-1, -1]

        init() throws(SystemError) {
            guard unsafe pipe(&ends) == 0 else { throw SystemError() }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }

        deinit {
            for end in ends where end >= 0 { close(end) }
        }

        /// Returns all bytes that the child writes until it ends.
        func readToEnd() -> Result<[UInt8], SystemError> {
            // The child has its own copy; with this one open, the pipe would never end.
            close(ends[1])
            ends[1] = -1
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = unsafe read(ends[0], &chunk, 1 << 16)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { return .failure(SystemError()) }
                guard count > 0 else { return .success(bytes) }
                bytes.append(contentsOf: chunk[..<count])
            }
        }
    }

    /// Starts a program with its output connected to a pipe, and returns its process id.
    private static func spawn(
        _ arguments: [String], _ environment: [String: String], _ pipe: Pipe, isQuiet: Bool
    ) throws(SystemError) -> pid_t {
        #if canImport(Darwin) || canImport(Android)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, pipe.ends[1], STDOUT_FILENO)
        if isQuiet {
            unsafe posix_spawn_file_actions_addopen(
                &actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        let words = unsafe arguments.map { unsafe strdup($0) }
        let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var process: pid_t = 0
        let error = unsafe posix_spawn(
            &process, arguments[0], &actions, nil, words + [nil], variables + [nil])
        guard error == 0 else { throw SystemError(code: error) }
        return process
    }

    /// Waits until a process ends, and returns its exit code.
    private static func exitCode(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
}
