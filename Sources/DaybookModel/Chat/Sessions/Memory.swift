import Daybook

extension Chat {
    /// The part of a chat that the AI is given with a question: its last messages as they are, and
    /// the others as a summary of a line each.
    ///
    /// Source: S4 (20 turns, 3,200 characters); the forms of lines are of its server's code, commit
    /// 0778fc9, whose date is not known to be that of the document.
    public struct Memory: Hashable, Sendable {
        public struct Line: Hashable, Sendable {
            public var role: MessageRole
            public var text: String

            public init(_ role: MessageRole, _ text: String) {
                (self.role, self.text) = (role, text)
            }
        }

        /// The number of messages before the last ones.
        public let summarized: Int
        /// The lines of people and of the AI among them, at most 3,200 Unicode scalars, of which the
        /// oldest are left out. Empty where there are none.
        public let summary: String

        public static let mostTurns = 20
        private static let mostOfSummary = 3_200
        private static let mostOfLine = 180
        private static let shortened = "(older memory compressed)\n"

        /// - Parameter lines: the messages in order; one whose text is not known is empty.
        public init(of lines: [Line]) {
            summarized = max(0, lines.count - Self.mostTurns)
            let text = lines.prefix(summarized).compactMap(Self.line).joined(separator: "\n")
            let scalars = text.unicodeScalars
            guard scalars.count > Self.mostOfSummary else {
                summary = text
                return
            }
            let kept = Self.mostOfSummary - Self.shortened.unicodeScalars.count
            summary =
                Self.shortened + String(String.UnicodeScalarView(scalars.suffix(kept))).trimmed
        }

        /// `- User: is she warm?`; `nil` for the app's own words and for no text.
        private static func line(_ line: Line) -> String? {
            let speaker: String
            switch line.role {
            case .user: speaker = "User"
            case .assistant: speaker = "Assistant"
            case .system: return nil
            }
            let text = line.text.onOneLine
            guard !text.isEmpty else { return nil }
            let scalars = text.unicodeScalars
            guard scalars.count > mostOfLine else { return "- \(speaker): \(text)" }
            let cut = String(String.UnicodeScalarView(scalars.prefix(mostOfLine))).trimmed
            return "- \(speaker): \(cut)..."
        }
    }

    /// A text in a list of chats: on one line, and cut to a length.
    enum Caption {
        static let titleLength = 38
        static let previewLength = 96

        /// - Parameter rules: S4 counts bytes, and a character that is cut through becomes U+FFFD.
        static func text(_ text: String, _ length: Int, _ rules: Rules) -> String {
            let line = text.onOneLine
            switch rules {
            case .standard:
                guard line.count > length else { return line }
                return String(line.prefix(length)).trimmed + "..."
            case .source:
                guard line.utf8.count > length else { return line }
                return prefix(line.utf8, length).trimmed + "..."
            }
        }

        /// The first bytes of a text, each that is no character of its own as U+FFFD.
        private static func prefix(_ bytes: String.UTF8View, _ length: Int) -> String {
            let end = bytes.index(bytes.startIndex, offsetBy: length)
            var whole = end
            while whole > bytes.startIndex, !isBoundary(bytes, whole) {
                whole = bytes.index(before: whole)
            }
            let broken = bytes.distance(from: whole, to: end)
            return (String(bytes[..<whole]) ?? "") + String(repeating: "\u{FFFD}", count: broken)
        }

        private static func isBoundary(_ bytes: String.UTF8View, _ index: String.Index) -> Bool {
            index == bytes.endIndex || bytes[index] & 0xC0 != 0x80
        }
    }
}

extension String {
    /// The words of the text with a blank between them.
    fileprivate var onOneLine: String {
        unicodeScalars.split { $0.properties.isWhitespace }
            .map { String($0) }.joined(separator: " ")
    }
}
