import Daybook
import DaybookLibC

/// The stream for messages, as opposed to answers.
///
/// A message may hold what a log, a file or an argument says: it is shown with everything hidden
/// written out, on one line, and cut in the middle where it is long.
package enum StandardError {
    /// A longer message loses its middle: the file and the field are at its start, the advice at
    /// its end.
    private static let longest = 1_000

    /// Writes a message after the name of the program.
    package static func message(_ message: String) { write("\(ReplayTool.name): \(message)") }

    static func write(_ message: String) {
        Progress.clear()
        write(raw: cut(message).visible + "\n")
    }

    /// Writes a message of several lines, which may repeat arguments.
    static func write(lines message: String) {
        for line in namingArguments(message).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            write(String(line))
        }
    }

    /// Shows how far something has come, over what was shown before.
    static func progress(_ text: String) { write(raw: "\r\(text.visible)\u{1B}[K") }

    static func endProgress() { write(raw: "\r\u{1B}[K") }

    static var isTerminal: Bool { isatty(STDERR_FILENO) != 0 }

    private static func cut(_ message: String) -> String {
        guard message.utf8.count > longest, message.count > longest else { return message }
        return "\(message.prefix(longest * 2 / 3)) … \(message.suffix(longest / 3))"
    }

    /// The message with each argument in it that could be taken for more than one shown visibly and
    /// short.
    private static func namingArguments(_ message: String) -> String {
        let given = CommandLine.arguments.dropFirst()
        let values = given.compactMap { argument in
            argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) }
        }
        let named = (given + values).flatMap { [$0, identifier($0)] }
            .filter { !$0.isEmpty && ($0.visible != $0 || $0.clipped() != $0) }
            .sorted { $0.utf8.count > $1.utf8.count }
        return named.reduce(message) { message, argument in
            message.replacing(argument, with: argument.clipped().visible)
        }
    }

    private static func write(raw text: String) {
        // There is nowhere left to say that this failed.
        do throws(SystemError) {
            try FileWriting.write(Array(text.utf8), to: STDERR_FILENO)
        } catch {
            return
        }
    }
}
