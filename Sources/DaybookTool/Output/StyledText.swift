import Daybook
import DaybookLibC

/// Line of text for people to read, with sections in different colours. The texts cannot control a
/// terminal: hidden characters are escaped, and only the styles become escape sequences.
struct StyledText: ExpressibleByStringLiteral {
    /// Meaning of a section of the line; the raw value is its ANSI colour code.
    enum Style: String {
        /// Position of an event.
        case reference = "33"
        /// Name that begins a section or names an event.
        case heading = "1"
        case added = "32"
        case removed = "31"
    }

    /// Sections in order, each with its style; `nil` means the terminal's default.
    private var parts: [(text: String, style: Style?)]

    init(_ text: String, _ style: Style? = nil) { parts = [(text, style)] }

    init(stringLiteral text: String) { self.init(text) }

    static func + (a: StyledText, b: StyledText) -> StyledText {
        var sum = a
        sum.parts += b.parts
        return sum
    }

    static func + (a: StyledText, b: String) -> StyledText { a + StyledText(b) }
    static func + (a: String, b: StyledText) -> StyledText { StyledText(a) + b }

    /// Returns the text, cut to `columns`, with hidden characters escaped, in colours if asked.
    func rendered(isColoured: Bool = Terminal.showsColour, into columns: Int = .max) -> String {
        var left = columns
        var text = ""
        for part in parts {
            guard left > 0 else { break }
            let visible = part.text.visible
            let fitting = left == .max ? visible : Terminal.fitting(visible, into: left)
            if left != .max { left -= Terminal.columnCount(of: fitting) }
            if isColoured, let style = part.style, !fitting.isEmpty {
                text += "\u{1B}[\(style.rawValue)m\(fitting)\u{1B}[m"
            } else {
                text += fitting
            }
            if fitting != visible { break }
        }
        return text
    }
}
