import Daybook
import DaybookLibC

/// The terminal of standard output, if there is one.
enum Terminal {
    /// Smallest width, in columns, that text is laid out for, even on a narrower terminal.
    private static let minimumWidth = 40

    /// Largest number of columns of a line: the width of the terminal. Without a terminal, the
    /// number is unlimited, because programs that search the lines need them uncut.
    static let width: Int = {
        if isatty(STDOUT_FILENO) != 0 {
            if let columns = variable("COLUMNS").flatMap({ Int($0) }), columns > 0 {
                return max(columns, minimumWidth)
            }
            var size = winsize()
            if unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
                return max(Int(size.ws_col), minimumWidth)
            }
        }
        return .max
    }()

    /// Number of columns for charts and tables: the width of the terminal, or of COLUMNS. A program
    /// that shows the answer elsewhere sets the variable COLUMNS.
    static var layoutWidth: Int {
        if width < .max { return width }
        return variable("COLUMNS").flatMap { Int($0) }.map { max($0, minimumWidth) } ?? .max
    }

    /// Wraps a text at spaces, with `indent` spaces before each line after the first.
    static func wrapped(_ text: String, into columns: Int, indent: Int = 0) -> [String] {
        guard columns < .max, columnCount(of: text) > columns else { return [text] }
        let margin = String(repeating: " ", count: min(indent, max(0, columns - 8)))
        let start = String(text.prefix { $0 == " " })
        var lines: [String] = []
        var line = start
        let words = text.dropFirst(start.count).split(
            separator: " ", omittingEmptySubsequences: false)
        for word in words {
            let isFirst = line.allSatisfy { $0 == " " }
            if !isFirst, columnCount(of: line) + 1 + columnCount(of: String(word)) > columns {
                lines.append(line)
                line = margin + word
            } else {
                line += (isFirst ? "" : " ") + word
            }
        }
        return lines + [line]
    }

    /// True if standard output is a terminal that shows colours, and NO_COLOR is not set.
    ///
    /// Source: no-color.org.
    static let showsColour: Bool =
        isatty(STDOUT_FILENO) != 0 && variable("NO_COLOR") == nil
        && !["", "dumb"].contains(variable("TERM") ?? "")

    /// Returns a variable of the environment; `nil` if the variable is not set or is empty.
    static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }

    /// Shortens visible text to a number of columns; a shortened text ends with an ellipsis.
    static func fitting(_ text: String, into columns: Int) -> String {
        guard text.utf8.count > columns else { return text }
        var used = 0
        var end = text.startIndex
        for index in text.indices {
            used += columnCount(of: text[index])
            if used > columns { return text[..<end] + "…" }
            // One column is reserved for the ellipsis.
            if used < columns { end = text.index(after: index) }
        }
        return text
    }

    static func columnCount(of text: String) -> Int { text.reduce(0) { $0 + columnCount(of: $1) } }

    /// Returns 2 for wide characters of East Asia and for emoji, otherwise 1.
    private static func columnCount(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
