import Daybook
import DaybookLMDB
import DaybookLibC
import Synchronization

/// Standard output: buffered, and every byte of it checked.
///
/// All answers go through here: as lines for people, in which nothing from a log, a file or an
/// argument can steer a terminal, or as exact text for programs. Where it cannot be written the
/// process ends with code 2 at once, so that nothing after it runs that would say it had been; a
/// reader that has gone ends it too, without a message.
package enum Output {
    private struct State: ~Copyable {
        var bytes: [UInt8] = []
        var outcome = ""
    }

    private static let state = Mutex(State())
    private static let capacity = 1 << 16
    private static let isTerminal = isatty(STDOUT_FILENO) != 0

    /// Writes a line for people. Whatever is in it, it stays one line.
    package static func line(_ text: String = "") {
        write(text.visible.utf8, endingLine: true)
    }

    /// Writes a line for people, in colours where a terminal shows them.
    ///
    /// - Parameter columns: the most columns of the line.
    static func line(_ text: StyledText, into columns: Int = .max) {
        write(text.rendered(into: columns).utf8, endingLine: true)
    }

    static func lines(_ lines: [StyledText]) {
        for text in lines { line(text) }
    }

    /// Writes lines for people.
    package static func lines(_ lines: [String]) {
        for text in lines { line(text) }
    }

    /// Writes a line of JSON. Hidden characters become escapes, so that its values stay exact.
    package static func json(_ text: String) {
        write(text.withHiddenTextEscaped.utf8, endingLine: true)
    }

    /// Writes whole lines of JSON.
    static func json(lines: [UInt8]) {
        guard lines.contains(where: { $0 >= 0x80 }) else { return write(lines, endingLine: false) }
        write(String(decoding: lines, as: UTF8.self).withHiddenTextEscaped.utf8, endingLine: false)
    }

    /// Writes text that another format has made safe already: CSV, XML, YAML.
    package static func text(_ text: String) {
        write(text.utf8, endingLine: false)
    }

    /// The work done so far, named where its answer cannot be written.
    package static func note(outcome: String) {
        state.withLock { $0.outcome = outcome }
    }

    /// Hands everything on, where a reader waits for it.
    static func flush() {
        state.withLock { state in
            write(out: &state)
        }
    }

    /// Ends the process where a reader was there and has gone, without waiting for the next answer
    /// to find out.
    static func endWithoutReader() {
        var reader = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        guard unsafe poll(&reader, 1, 0) > 0, reader.revents & Int16(POLLERR) != 0 else { return }
        state.withLock { fail(EPIPE, $0.outcome) }
    }

    /// Hands everything on, and waits for the disk where it is a file.
    ///
    /// To be called before anything is done that says the answer was given.
    package static func makeDurable() {
        flush()
        var status = stat()
        guard unsafe fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            fsync(STDOUT_FILENO) != 0
        else { return }
        state.withLock { fail(errno, $0.outcome) }
    }

    /// Ends the process, with everything written.
    static func end(_ code: Int32) -> Never {
        state.withLock { state in
            write(out: &state, failingWith: code)
            // Some file systems say only now that there was no room.
            var status = stat()
            if unsafe fstat(STDOUT_FILENO, &status) == 0, close(STDOUT_FILENO) != 0 {
                fail(errno, state.outcome, code)
            }
        }
        Progress.end()
        Pager.wait()
        exit(code)
    }

    private static func write(_ bytes: some Collection<UInt8>, endingLine: Bool) {
        state.withLock { state in
            state.bytes.append(contentsOf: bytes)
            if endingLine { state.bytes.append(UInt8(ascii: "\n")) }
            // A reader of the output may wait, and an open transaction keeps pages from reuse.
            if !ReadTransaction.isAnyOpen { writeOutIfDue(&state) }
        }
    }

    /// Hands on what has gathered. To be called where no transaction is open.
    static func rest() {
        state.withLock { state in writeOutIfDue(&state) }
    }

    private static func writeOutIfDue(_ state: inout State) {
        if isTerminal || state.bytes.count >= capacity { write(out: &state) }
    }

    private static func write(out state: inout State, failingWith code: Int32 = 0) {
        guard !state.bytes.isEmpty else { return }
        if isTerminal {
            Progress.end()
            Pager.startIfWanted()
        }
        do throws(SystemError) {
            try FileWriting.write(state.bytes, to: STDOUT_FILENO)
        } catch {
            fail(error.code, state.outcome, code)
        }
        state.bytes.removeAll(keepingCapacity: true)
    }

    /// - Parameter code: with which the process would have ended; a damaged log stays one.
    private static func fail(_ error: Int32, _ outcome: String, _ code: Int32 = 0) -> Never {
        Progress.end()
        if Pager.isRunning, error == EPIPE {
            // Whoever leaves the pager has read enough.
            Pager.wait()
            exit(code)
        }
        if error != EPIPE {
            StandardError.message(
                "standard output cannot be written: \(SystemError(code: error))"
                    + (outcome.isEmpty ? "" : "; \(outcome)"))
        }
        exit(max(code, Failure.Code.usage.rawValue))
    }
}

/// Ends the process, with everything printed that was to be.
func endProcess(_ code: Int32) -> Never { Output.end(code) }
