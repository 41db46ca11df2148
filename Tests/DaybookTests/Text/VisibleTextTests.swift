import Daybook
import TestSupport
import Testing

/// Texts with characters that are not seen.
@Suite struct VisibleTextTests {
    @Test(
        "Invisible characters are escaped, and visible ones stay",
        arguments: [
            ("", ""), ("plain", "plain"), ("이름 é ü 世界 – → ▲", "이름 é ü 世界 – → ▲"),
            ("\u{1B}[31m", "\\u{1B}[31m"), ("a\nb\r\tc", "a\\nb\\r\\tc"),
            ("\u{0}\u{7F}\u{9B}", "\\u{0}\\u{7F}\\u{9B}"), ("a\u{202E}b", "a\\u{202E}b"),
            (
                "\u{200E}\u{200F}\u{61C}\u{2066}\u{2069}",
                "\\u{200E}\\u{200F}\\u{61C}\\u{2066}\\u{2069}"
            ),
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"), ("\u{FEFF}\u{AD}", "\\u{FEFF}\\u{AD}"),
            ("a\u{200D}b\u{200B}", "a\\u{200D}b\\u{200B}"), ("\u{E0041}", "\\u{E0041}"),
            ("\u{3164}", "\\u{3164}"), ("1\u{FE0F}", "1\\u{FE0F}"),
            // Emoji keep what makes one of several.
            ("👨‍👩‍👧", "👨‍👩‍👧"), ("❤️‍🔥", "❤️‍🔥"), ("👍🏽", "👍🏽"), ("🇰🇷", "🇰🇷"),
        ])
    func visible(_ text: String, _ shown: String) {
        expect(text.visible, equals: shown)
    }

    @Test(
        "JSON with escaped invisible characters means the same",
        arguments: ["a\u{9B}\u{202E}\u{2028}\u{E0041}\u{FEFF}b", "\u{1B}\u{7F}\n", "이름 👨‍👩‍👧"])
    func json(_ text: String) throws {
        let json = JSONWriter.text(text).withHiddenTextEscaped
        expect(json.visible, equals: json)
        try expect(JSONParser.parse(json.utf8).content, equals: .text(text))
    }

    @Test("Text in XML is escaped, with references for invisible characters")
    func xml() {
        expect("<a&\"b\">".escapedForXML, equals: "&lt;a&amp;&quot;b&quot;&gt;")
        expect("a\u{1B}\u{0}b\u{FFFE}".escapedForXML, equals: "ab")
        expect("\t\n\r\u{9B}\u{202E}".escapedForXML, equals: "&#9;&#10;&#13;&#x9B;&#x202E;")
    }

    @Test("A clipped text has the given number of characters and an ellipsis")
    func clipped() {
        expect("abc".clipped(to: 3), equals: "abc")
        expect("abcd".clipped(to: 3), equals: "abc…")
        expect("世界世".clipped(to: 3), equals: "世界世")
    }
}
