import DaybookLibC

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runner of another program, or of this one again, in a process of its own.
enum ChildProcess {
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

    struct Termination {
        /// Exit code; if a signal ended the program, 128 plus its number, as in shells.
        var code: Int32
        var output: [UInt8]
    }

    /// Runs a program, and waits until it ends.
    ///
    /// Foundation's `Process` traps if no further file can be opened.
    ///
    /// - Parameter isQuiet: true to discard the program's standard error.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        isQuiet: Bool = false
    ) throws -> Termination {
        do throws(SystemError) {
            let pipe = try Pipe()
            let process = try spawn(
                [program] + arguments, environment: environment, output: .pipe(pipe),
                errors: isQuiet ? .discarded : .inherited)
            let output = pipe.readToEnd()
            return Termination(code: exitCode(of: process), output: try output.get())
        } catch { throw Failure(.usage, "\(program): the program cannot be run: \(error)") }
    }

    /// Pipe for the child's output, whose ends are closed when this value is freed.
    final class Pipe {
        /// File descriptors of the reading and the writing end; -1 once closed.
        private var ends: [Int32] = [-1, -1]

        init() throws(SystemError) {
            guard unsafe pipe(&ends) == 0 else { throw SystemError() }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }

        deinit {
            for end in ends where end >= 0 { close(end) }
        }

        var readingEnd: Int32 { ends[0] }
        /// File descriptor of the writing end; -1 once closed.
        var writingEnd: Int32 { ends[1] }

        /// Closes the writing end, of which the child has a copy; else the pipe never ends.
        func closeWritingEnd() {
            close(ends[1])
            ends[1] = -1
        }

        /// Returns all bytes that the child writes until it ends.
        fileprivate func readToEnd() -> Result<[UInt8], SystemError> {
            closeWritingEnd()
            var bytes: [UInt8] = []
            do throws(SystemError) {
                while true {
                    let part = try read()
                    guard !part.isEmpty else { return .success(bytes) }
                    bytes += part
                }
            } catch { return .failure(error) }
        }

        /// Waits for bytes, and returns them; empty at the end.
        func read() throws(SystemError) -> ArraySlice<UInt8> {
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = unsafe DaybookLibC.read(ends[0], &chunk, 1 << 16)
                if count >= 0 { return chunk[..<count] }
                guard errno == EINTR else { throw SystemError() }
            }
        }
    }

    /// Connection of a standard stream of a child.
    enum Stream {
        /// The stream of this process.
        case inherited
        case discarded
        case pipe(Pipe)
        /// The reading end of a pipe.
        case reading(Pipe)
    }

    /// Starts a program, and returns its process id.
    ///
    /// The program blocks no signal, and does not ignore SIGPIPE and SIGXFSZ as this process does.
    ///
    /// - Parameters:
    ///   - arguments: the program's name and its arguments.
    ///   - environment: variables added to the environment of this process.
    ///   - isSearched: true to find the program in the folders of PATH.
    ///   - hasOwnGroup: true if keys that interrupt this process are not to interrupt the child.
    static func spawn(
        _ arguments: [String], environment: [String: String], input: Stream = .inherited,
        output: Stream, errors: Stream, isSearched: Bool = false, hasOwnGroup: Bool = false
    ) throws(SystemError) -> pid_t {
        #if canImport(Darwin) || canImport(Android)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (stream, number) in [
            (input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO),
        ] {
            switch stream {
            case .inherited: break
            case .discarded:
                unsafe posix_spawn_file_actions_addopen(
                    &actions, number, "/dev/null", number == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0)
            case .pipe(let pipe):
                unsafe posix_spawn_file_actions_adddup2(&actions, pipe.writingEnd, number)
            case .reading(let pipe):
                unsafe posix_spawn_file_actions_adddup2(&actions, pipe.readingEnd, number)
            }
        }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        for ignored in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&signals, ignored) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags =
            POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
            | (hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let words = unsafe arguments.map { unsafe strdup($0) }
        let settings = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") }
        defer { unsafe (words + settings).forEach { unsafe free($0) } }
        var process: pid_t = 0
        let start = unsafe isSearched ? posix_spawnp : posix_spawn
        let error = unsafe start(
            &process, arguments[0], &actions, &attributes, words + [nil], settings + [nil])
        guard error == 0 else { throw SystemError(code: error) }
        return process
    }

    /// Waits until a process ends, and returns its exit code.
    static func exitCode(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
}
