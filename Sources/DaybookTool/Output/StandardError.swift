import Daybook
import DaybookLibC

/// Standard error, which receives messages and no answers.
///
/// A message may contain text of a log, file or argument: hidden characters are escaped, line
/// breaks too, and the middle of a long message is cut out.
package enum StandardError {
    /// Largest number of characters of a message. A longer message loses its middle, because the
    /// file and field are at the start and the advice is at the end.
    private static let maxLength = 1_000

    /// Writes a message after the name of the program.
    package static func message(_ message: String) { write("\(Program.name): \(message)") }

    /// Writes a line without the name of the program, with hidden characters escaped.
    static func write(_ message: String) {
        Progress.clear()
        write(raw: truncated(message).visible + "\n")
    }

    /// Writes a message of several lines without the name of the program; arguments in it are
    /// escaped and shortened.
    static func write(lines message: String) {
        for line in escapingArguments(message).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            write(String(line))
        }
    }

    /// Shows a text as the progress line, in place of the earlier text.
    static func showProgress(_ text: String) { write(raw: "\r\(text.visible)\u{1B}[K") }

    static func endProgress() { write(raw: "\r\u{1B}[K") }

    static var isTerminal: Bool { isatty(STDERR_FILENO) != 0 }

    private static func truncated(_ message: String) -> String {
        guard message.utf8.count > maxLength, message.count > maxLength else { return message }
        return "\(message.prefix(maxLength * 2 / 3)) … \(message.suffix(maxLength / 3))"
    }

    /// Escapes and shortens arguments in the message that could be misread. These are arguments
    /// with hidden characters, and arguments that are too long.
    private static func escapingArguments(_ message: String) -> String {
        let given: [String] = ProgramArguments.words
        // Statements of their own: as one expression, this cost the compiler five seconds.
        let values: [String] = given.compactMap { argument in
            guard let equals = argument.firstIndex(of: "=") else { return nil }
            return String(argument[argument.index(after: equals)...])
        }
        let named: [String] = (given + values).flatMap { [$0, identifier($0)] }
        let misread = named.filter { !$0.isEmpty && ($0.visible != $0 || $0.clipped() != $0) }
        let longestFirst = misread.sorted { $0.utf8.count > $1.utf8.count }
        return longestFirst.reduce(message) { message, argument in
            message.replacing(argument, with: argument.clipped().visible)
        }
    }

    /// Writes text unchanged; ignores errors.
    private static func write(raw text: String) {
        // An error here cannot be reported anywhere.
        do throws(SystemError) {
            try FileWriting.write(Array(text.utf8), to: STDERR_FILENO)
        } catch {
            return
        }
    }
}
