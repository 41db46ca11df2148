#if PostgreSQL
    import Daybook
    import DaybookCryptography
    import DaybookLibC

    /// The epoch keys from a command, such as the client of a key service.
    ///
    /// The shell runs it as `COMMAND create LOG EPOCH`, `COMMAND get LOG EPOCH` and `COMMAND
    /// destroy LOG EPOCH`, with the id of the log in 32 hexadecimal digits. The first two write the
    /// key in 64 hexadecimal digits on standard output. A repeated `create` returns the same key,
    /// and `destroy` of a missing key succeeds. Each exits with 0 once its work is durable.
    package struct EpochKeyCommand: EpochKeySource {
        package let command: String
        private let deadline: Duration

        /// - Parameter deadline: the time after which a run of the command is killed.
        package init(_ command: String, deadline: Duration = .seconds(10)) {
            self.command = command
            self.deadline = deadline
        }

        package func createKey(of epoch: Int32, log: [UInt8]) throws(EpochKeyError) -> [UInt8] {
            try key("create", epoch, log)
        }

        package func key(of epoch: Int32, log: [UInt8]) throws(EpochKeyError) -> [UInt8] {
            try key("get", epoch, log)
        }

        package func destroyKey(of epoch: Int32, log: [UInt8]) throws(EpochKeyError) {
            _ = try run("destroy", epoch, log)
        }

        /// Does nothing: one command manages the keys of all machines.
        package func destroyCopies(of epochs: [Int32], log: [UInt8]) throws(EpochKeyError) {}

        /// Runs the command, and reads the key that it writes.
        private func key(
            _ verb: String, _ epoch: Int32, _ log: [UInt8]
        ) throws(EpochKeyError) -> [UInt8] {
            var output = try run(verb, epoch, log)
            if output.last == UInt8(ascii: "\n") { output.removeLast() }
            let key = Hexadecimal.bytes(String(decoding: output, as: UTF8.self))
            guard let key, key.count == AESGCMKey.byteCount, key.contains(where: { $0 != 0 }) else {
                // The output may be a part of a key, so it is not shown.
                throw .command(
                    command: command,
                    reason: "has written something else than a key of 64 hexadecimal digits after "
                        + "'\(verb)'")
            }
            return key
        }

        private func run(
            _ verb: String, _ epoch: Int32, _ log: [UInt8]
        ) throws(EpochKeyError) -> [UInt8] {
            let until = ContinuousClock.now + deadline
            var ends: [CInt] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else {
                throw failed("cannot be run: too many open files")
            }
            defer { _ = close(ends[0]) }
            _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
            let words = "\(command) \(verb) \(Hexadecimal.text(log)) \(epoch)"
            let process = Self.start(words, output: ends[1], ends[0])
            _ = close(ends[1])
            guard let process else { throw failed("cannot be run") }
            let output = Self.read(ends[0], until)
            if output == nil { _ = kill(process, SIGKILL) }
            var status: CInt = 0
            while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
            guard let output else { throw failed("did not end in time after '\(verb)'") }
            // The low seven bits are the signal that has ended the process.
            guard status == 0 else {
                let signal = status & 0x7F
                throw failed(
                    signal == 0
                        ? "ended with \((status >> 8) & 0xFF) after '\(verb)'"
                        : "was ended by the signal \(signal) after '\(verb)'")
            }
            return output
        }

        private func failed(_ reason: String) -> EpochKeyError {
            .command(command: command, reason: reason)
        }

        /// Starts the shell with the command's words, and its output to a descriptor.
        private static func start(_ words: String, output: CInt, _ unused: CInt) -> pid_t? {
            #if canImport(Darwin)
                var actions: posix_spawn_file_actions_t?
            #else
                var actions = unsafe posix_spawn_file_actions_t()
            #endif
            unsafe posix_spawn_file_actions_init(&actions)
            defer { unsafe posix_spawn_file_actions_destroy(&actions) }
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
            unsafe posix_spawn_file_actions_addclose(&actions, output)
            unsafe posix_spawn_file_actions_addclose(&actions, unused)
            var arguments: [UnsafeMutablePointer<CChar>?] = unsafe []
            for word in ["/bin/sh", "-c", words] { unsafe arguments.append(strdup(word)) }
            unsafe arguments.append(nil)
            defer { unsafe arguments.forEach { unsafe free($0) } }
            var process: pid_t = 0
            let code = unsafe posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
            return code == 0 ? process : nil
        }

        /// Reads a pipe to its end; returns `nil` at the deadline, or for too many bytes.
        private static func read(_ pipe: CInt, _ until: ContinuousClock.Instant) -> [UInt8]? {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 256)
            while bytes.count < 4_096 {
                let (seconds, fraction) = ContinuousClock.now.duration(to: until).components
                guard seconds >= 0, fraction >= 0 else { return nil }
                var file = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
                let milliseconds = seconds * 1_000 + fraction / 1_000_000_000_000_000 + 1
                let found = unsafe poll(&file, 1, Int32(clamping: milliseconds))
                guard found > 0 else { continue }
                let count = unsafe chunk.withUnsafeMutableBytes { chunk in
                    unsafe DaybookLibC.read(pipe, chunk.baseAddress, chunk.count)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count == 0 ? bytes : nil }
                bytes += chunk[..<count]
            }
            return nil
        }
    }
#endif
