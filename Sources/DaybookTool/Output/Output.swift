import Daybook
import DaybookLMDB
import DaybookLibC
import Synchronization

/// Standard output, buffered; a failed write ends the process.
///
/// Every answer is written here: as lines for people, in which no text of a log, file or argument
/// can control the terminal, or as exact text for programs. If standard output cannot be written,
/// the process ends with code 2 at once, so that no later step assumes that the answer was written.
/// If the reader has closed the pipe, the process ends without a message.
package enum Output {
    private struct Buffer: ~Copyable {
        var bytes: [UInt8] = []
        /// Sentence on the work done so far, for the message if the output cannot be written.
        var outcome = ""
    }

    private static let buffer = Mutex(Buffer())
    /// Number of buffered bytes at which the buffer is written.
    private static let capacity = 1 << 16
    private static let isTerminal = isatty(STDOUT_FILENO) != 0

    /// Writes a line for people; line breaks in the text are escaped.
    package static func line(_ text: String = "") { write(text.visible.utf8, endingLine: true) }

    /// Writes a line of at most `columns` for people, in colours if the terminal shows them.
    static func line(_ text: StyledText, into columns: Int = .max) {
        write(text.rendered(into: columns).utf8, endingLine: true)
    }

    static func lines(_ lines: [StyledText]) {
        for text in lines { line(text) }
    }

    package static func lines(_ lines: [String]) {
        for text in lines { line(text) }
    }

    /// Writes a line of JSON; hidden characters are escaped, so that values stay exact.
    package static func json(_ text: String) {
        write(text.withHiddenTextEscaped.utf8, endingLine: true)
    }

    static func json(lines: [UInt8]) {
        guard !lines.contents.isASCII else { return write(lines, endingLine: false) }
        write(String(decoding: lines, as: UTF8.self).withHiddenTextEscaped.utf8, endingLine: false)
    }

    /// Writes text that its format has escaped already: CSV, XML, YAML.
    package static func text(_ text: String) { write(text.utf8, endingLine: false) }

    /// Writes bytes of a file that programs read.
    static func bytes(_ bytes: some Collection<UInt8>) { write(bytes, endingLine: false) }

    /// Sets the sentence about what was done so far, for the message of a failed write.
    package static func note(outcome: String) { buffer.withLock { $0.outcome = outcome } }

    /// Writes the buffered bytes now, for a program that waits for the output.
    static func flush() { buffer.withLock { buffer in writeOut(&buffer) } }

    /// Ends the process if the reader of the output has closed the pipe. Without this check, the
    /// process would notice only at the next answer.
    static func endWithoutReader() {
        var reader = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        guard unsafe poll(&reader, 1, 0) > 0, reader.revents & Int16(POLLERR) != 0 else { return }
        buffer.withLock { fail(EPIPE, $0.outcome) }
    }

    /// Writes the buffer and, if standard output is a file, syncs the file to the disk. Call this
    /// before an action that records that the answer was given.
    package static func makeDurable() {
        flush()
        var status = stat()
        guard unsafe fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            fsync(STDOUT_FILENO) != 0
        else { return }
        buffer.withLock { fail(errno, $0.outcome) }
    }

    /// Writes the buffer and ends the process with an exit code.
    static func end(_ code: Int32) -> Never {
        buffer.withLock { buffer in
            writeOut(&buffer, failingWith: code)
            // Some file systems report only now that there was no space.
            var status = stat()
            if unsafe fstat(STDOUT_FILENO, &status) == 0, close(STDOUT_FILENO) != 0 {
                fail(errno, buffer.outcome, code)
            }
        }
        Progress.end()
        Pager.wait()
        exit(code)
    }

    /// Adds bytes to the buffer, and writes it if it is due and no read transaction is open.
    private static func write(_ bytes: some Collection<UInt8>, endingLine: Bool) {
        buffer.withLock { buffer in
            buffer.bytes.append(contentsOf: bytes)
            if endingLine { buffer.bytes.append(UInt8(ascii: "\n")) }
            // Writing may block, and an open transaction keeps pages from reuse.
            if !ReadTransaction.isAnyOpen { writeOutIfDue(&buffer) }
        }
    }

    /// Writes the buffer if standard output is a terminal or the buffer is full. Call this while no
    /// transaction is open, because writing may block.
    static func flushIfDue() { buffer.withLock { buffer in writeOutIfDue(&buffer) } }

    private static func writeOutIfDue(_ buffer: inout Buffer) {
        if isTerminal || buffer.bytes.count >= capacity { writeOut(&buffer) }
    }

    /// Writes the buffered bytes; without an error, the process would end with `code`.
    private static func writeOut(_ buffer: inout Buffer, failingWith code: Int32 = 0) {
        guard !buffer.bytes.isEmpty else { return }
        if isTerminal {
            Progress.end()
            Pager.startIfRequested()
        }
        do throws(SystemError) { try FileWriting.write(buffer.bytes, to: STDOUT_FILENO) } catch {
            fail(error.code, buffer.outcome, code)
        }
        buffer.bytes.removeAll(keepingCapacity: true)
    }

    /// Ends the process because standard output cannot be written, with the greater of two codes.
    private static func fail(_ error: Int32, _ outcome: String, _ code: Int32 = 0) -> Never {
        Progress.end()
        if Pager.isRunning, error == EPIPE {
            // A user who quits the pager has read enough.
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

/// Writes the rest of the output and ends the process with an exit code.
func endProcess(_ code: Int32) -> Never { Output.end(code) }
