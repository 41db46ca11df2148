import Daybook

extension Chat {
    /// The part of a chat that the AI receives with a question.
    ///
    /// The last 20 messages are passed in full, earlier messages as a summary of one line each.
    ///
    /// Source: S4 (20 turns, 3,200 characters). The line format comes from its server's code at
    /// commit 0778fc9, which may differ in date from the document.
    struct Memory: Equatable, Sendable {
        /// A message of the chat: who wrote it, and its text.
        struct Line: Equatable, Sendable {
            var role: MessageRole
            var text: String
            init(_ role: MessageRole, _ text: String) { (self.role, self.text) = (role, text) }
        }

        /// Number of earlier messages, which are not passed in full.
        let summarizedCount: Int
        /// Summary of the earlier messages of people and of the AI; empty if there are none. At
        /// most 3,200 Unicode scalars; the oldest text is cut off.
        let summary: String

        /// Maximum number of messages that are passed in full; these are the newest ones.
        static let fullMessageCount = 20
        /// Maximum length of the summary, in Unicode scalars.
        private static let maxSummaryLength = 3_200
        /// Maximum length of a message in the summary, in Unicode scalars.
        private static let maxLineLength = 180
        /// First line of a summary whose beginning was cut off.
        private static let truncationLine = "(older memory compressed)\n"

        /// Creates the memory of a chat.
        ///
        /// - Parameter lines: The messages in order; a message with unknown text is empty.
        init(of lines: [Line]) {
            summarizedCount = max(0, lines.count - Self.fullMessageCount)
            let text = lines.prefix(summarizedCount).compactMap(Self.summaryLine)
                .joined(separator: "\n")
            let scalars = text.unicodeScalars
            guard scalars.count > Self.maxSummaryLength else {
                summary = text
                return
            }
            let kept = Self.maxSummaryLength - Self.truncationLine.unicodeScalars.count
            summary =
                Self.truncationLine + String(String.UnicodeScalarView(scalars.suffix(kept))).trimmed
        }

        /// Returns a line like `- User: is she warm?`; `nil` for system messages and blank texts.
        private static func summaryLine(_ line: Line) -> String? {
            let speaker: String
            switch line.role {
            case .user: speaker = "User"
            case .assistant: speaker = "Assistant"
            case .system: return nil
            }
            let text = line.text.onOneLine
            guard !text.isEmpty else { return nil }
            let scalars = text.unicodeScalars
            guard scalars.count > maxLineLength else { return "- \(speaker): \(text)" }
            let cut = String(String.UnicodeScalarView(scalars.prefix(maxLineLength))).trimmed
            return "- \(speaker): \(cut)..."
        }
    }

    /// Shortens messages to one line for a list of chats.
    enum Caption {
        /// Maximum length of a chat's title.
        static let titleLength = 38
        /// Maximum length of the preview of a chat's last message.
        static let previewLength = 96

        /// Returns the text on one line, cut to `length`, with `...` after a cut.
        ///
        /// - Parameter rules: `standard` counts characters. `source` counts bytes, as the original
        ///   app (S4) does, and each byte of a divided character becomes U+FFFD.
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

        /// Returns the first `length` bytes as text, with U+FFFD for each byte of a divided
        /// character.
        private static func prefix(_ bytes: String.UTF8View, _ length: Int) -> String {
            let end = bytes.index(bytes.startIndex, offsetBy: length)
            var whole = end
            while whole > bytes.startIndex, !isBoundary(bytes, whole) {
                whole = bytes.index(before: whole)
            }
            let broken = bytes.distance(from: whole, to: end)
            return (String(bytes[..<whole]) ?? "") + String(repeating: "\u{FFFD}", count: broken)
        }

        /// True if a Unicode scalar begins at the index, or the text ends there.
        private static func isBoundary(_ bytes: String.UTF8View, _ index: String.Index) -> Bool {
            index == bytes.endIndex || bytes[index] & 0xC0 != 0x80
        }
    }
}

extension String {
    /// The words of the text, separated by single spaces.
    fileprivate var onOneLine: String {
        unicodeScalars.split { $0.properties.isWhitespace }
            .map { String($0) }.joined(separator: " ")
    }
}
