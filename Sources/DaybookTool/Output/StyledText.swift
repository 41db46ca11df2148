import Daybook
import DaybookLibC

/// A line for people whose parts may have a colour where a terminal shows them.
///
/// Nothing in the texts can steer a terminal: what is hidden in them is written out, and only the
/// styles become escape sequences.
struct StyledText: ExpressibleByStringLiteral {
    enum Style: String {
        /// A position or another name of an event.
        case reference = "33"
        case heading = "1"
        case added = "32"
        case removed = "31"
    }

    private var parts: [(text: String, style: Style?)]

    init(_ text: String, _ style: Style? = nil) {
        parts = [(text, style)]
    }

    init(stringLiteral text: String) { self.init(text) }

    static func + (a: StyledText, b: StyledText) -> StyledText {
        var sum = a
        sum.parts += b.parts
        return sum
    }

    static func + (a: StyledText, b: String) -> StyledText { a + StyledText(b) }
    static func + (a: String, b: StyledText) -> StyledText { StyledText(a) + b }

    /// The text with everything hidden written out, and with its colours where they are wanted.
    ///
    /// - Parameter columns: the most columns that it takes.
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
