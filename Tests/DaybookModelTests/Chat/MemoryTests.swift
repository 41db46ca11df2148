import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-cut-captions, s4-chat-memory
/// What the AI is given of a chat with the next question.
@Suite struct MemoryTests {
    private typealias Line = Chat.Memory.Line

    /// Questions and answers in turn: `q0`, `a0`, `q1` and so on.
    private static func lines(_ count: Int) -> [Chat.Memory.Line] {
        (0..<count).map {
            Line($0 % 2 == 0 ? .user : .assistant, "\($0 % 2 == 0 ? "q" : "a")\($0 / 2)")
        }
    }

    @Test(
        "The last twenty messages are given as they are, and those before them as lines",
        arguments: [
            (0, 0, ""), (19, 0, ""), (20, 0, ""), (21, 1, "- User: q0"),
            (22, 2, "- User: q0\n- Assistant: a0"),
        ])
    func twenty(_ count: Int, _ summarized: Int, _ summary: String) {
        let memory = Chat.Memory(of: Self.lines(count))
        #expect(memory.summarizedCount == summarized && memory.summary == summary)
    }

    @Test(
        "A line has no breaks, no message of the app, and at most 180 characters",
        arguments: [
            (.user, "  is she\n\twarm?\u{3000}", "- User: is she warm?"),
            (.assistant, " \n ", ""), (.system, "The answer timed out.", ""),
            (
                .user, String(repeating: "x", count: 180),
                "- User: " + String(repeating: "x", count: 180)
            ),
            (
                .user, String(repeating: "x", count: 181),
                "- User: " + String(repeating: "x", count: 180) + "..."
            ),
            (
                .user, String(repeating: "x", count: 179) + " yes",
                "- User: " + String(repeating: "x", count: 179) + "..."
            ),
            (
                .assistant, String(repeating: "열", count: 200),
                "- Assistant: " + String(repeating: "열", count: 180) + "..."
            ),
        ] as [(Chat.MessageRole, String, String)])
    func line(_ role: Chat.MessageRole, _ text: String, _ expected: String) {
        let memory = Chat.Memory(of: [Line(role, text)] + Self.lines(20))
        #expect(memory.summarizedCount == 1 && memory.summary == expected)
    }

    @Test("A summary of more than 3,200 characters loses its beginning, and says so")
    func longest() {
        // "- User: " and 152 more are 160 characters with the break: twenty are 3,199.
        let text = String(repeating: "y", count: 151)
        let twenty = Array(repeating: Line(.user, text), count: 20)
        let whole = Chat.Memory(of: twenty + Self.lines(20)).summary
        #expect(whole.count == 3_199 && whole.hasPrefix("- User: y"))
        let cut = Chat.Memory(of: [Line(.user, "first")] + twenty + Self.lines(20)).summary
        #expect(cut.hasPrefix("(older memory compressed)\n"))
        #expect(cut.unicodeScalars.count == 3_200)
        #expect(whole.hasSuffix(cut.dropFirst("(older memory compressed)\n".count)))
    }

    @Test(
        "The summary is that of a server which adds to it question by question",
        arguments: Cases.sample(1...40))
    func incremental(_ seed: Int) {
        var lines: [Line] = []
        var kept = ""
        for turn in 0..<60 {
            lines.append(Line(.user, String(repeating: "w\(turn) ", count: (turn * seed) % 70 + 1)))
            lines.append(
                Line(.assistant, String(repeating: "n", count: (turn * 7 * seed) % 300 + 1)))
            guard lines.count > 20 else { continue }
            let fresh = Array(lines[..<(lines.count - 20)].suffix(2))
            kept = Self.adding(fresh, to: kept)
            #expect(Chat.Memory(of: lines).summary == kept, "turn \(turn)")
        }
    }

    /// The summary that was kept, with more lines, cut again.
    private static func adding(_ lines: [Chat.Memory.Line], to kept: String) -> String {
        let more = lines.map { line in
            let text = line.text.trimmed
            let speaker = line.role == .user ? "User" : "Assistant"
            let cut = text.count > 180 ? String(text.prefix(180)).trimmed + "..." : text
            return "- \(speaker): \(cut)"
        }
        let text = (kept.isEmpty ? more : [kept] + more).joined(separator: "\n")
        guard text.count > 3_200 else { return text }
        let head = "(older memory compressed)\n"
        return head + String(text.suffix(3_200 - head.count)).trimmed
    }

    @Test(
        "A title is cut at 38 characters, by the source at 38 bytes",
        arguments: [
            ("Is feeding  steady?", "Is feeding steady?", "Is feeding steady?"),
            (
                "one two three four five six seven eigh nine",
                "one two three four five six seven eigh...",
                "one two three four five six seven eigh..."
            ),
            // Three bytes each: the thirteenth is cut after its second byte.
            (
                String(repeating: "열", count: 13), String(repeating: "열", count: 13),
                String(repeating: "열", count: 12) + "\u{FFFD}\u{FFFD}..."
            ),
        ])
    func titles(_ text: String, _ standard: String, _ source: String) {
        #expect(Chat.Caption.text(text, Chat.Caption.titleLength, .standard) == standard)
        #expect(Chat.Caption.text(text, Chat.Caption.titleLength, .source) == source)
    }
}
