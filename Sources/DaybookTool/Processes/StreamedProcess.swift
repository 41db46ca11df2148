import DaybookLibC
import Synchronization

/// A child whose output is read while the child writes it, and which is killed when nobody reads.
/// One thread at a time may use it.
final class StreamedProcess: @unchecked Sendable {
    private let process: pid_t
    private let output: ChildProcess.Pipe
    private let errorPipe: ChildProcess.Pipe
    private var hasOutput = true
    private var hasErrors = true
    /// The exit code; `nil` until `wait` has returned it.
    private var code: Int32?
    private(set) var errors: [UInt8] = []

    /// Largest length of `errors`.
    private static let errorLimit = 64 << 10
    /// Longest time between two looks at `isUnwanted`, in milliseconds.
    private static let lookInterval: Int32 = 50
    /// Held while a child is started, so that it inherits no pipe of another one.
    private static let starting = Mutex(())

    /// Starts a program without input.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws(SystemError) {
        let started = Self.starting.withLock { _ in
            Result { () throws(SystemError) in
                let pipes = (try ChildProcess.Pipe(), try ChildProcess.Pipe())
                let process = try ChildProcess.spawn(
                    [program] + arguments, environment: environment, input: .discarded,
                    output: .pipe(pipes.0), errors: .pipe(pipes.1))
                pipes.0.closeWritingEnd()
                pipes.1.closeWritingEnd()
                return (process, pipes.0, pipes.1)
            }
        }
        (process, output, errorPipe) = try started.get()
    }

    deinit {
        guard code == nil else { return }
        kill(process, SIGKILL)
        _ = ChildProcess.exitCode(of: process)
    }

    /// Waits for output; empty once both streams have ended, `nil` once it is unwanted.
    func next(unless isUnwanted: () -> Bool) throws(SystemError) -> [UInt8]? {
        while hasOutput || hasErrors {
            var streams: [pollfd] = []
            if hasOutput {
                streams.append(pollfd(fd: output.readingEnd, events: Int16(POLLIN), revents: 0))
            }
            if hasErrors {
                streams.append(pollfd(fd: errorPipe.readingEnd, events: Int16(POLLIN), revents: 0))
            }
            _ = unsafe poll(&streams, nfds_t(streams.count), Self.lookInterval)
            if isUnwanted() { return nil }
            for stream in streams where stream.revents != 0 {
                if stream.fd == output.readingEnd {
                    let part = try output.read()
                    hasOutput = !part.isEmpty
                    if hasOutput { return Array(part) }
                } else {
                    let part = try errorPipe.read()
                    hasErrors = !part.isEmpty
                    errors += part.prefix(Self.errorLimit - errors.count)
                }
            }
        }
        return []
    }

    func wait() -> Int32 {
        if let code { return code }
        let found = ChildProcess.exitCode(of: process)
        code = found
        return found
    }
}
