import Daybook
import Testing

/// Strings and names of members as JSON.
@Suite struct JSONWriterTests {
    /// The escape of a byte in a string; `nil` if JSON writes the byte as it is.
    private static func escape(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "\""): return "\\\""
        case UInt8(ascii: "\\"): return "\\\\"
        case 0x0A: return "\\n"
        case 0x0D: return "\\r"
        case 0x09: return "\\t"
        case 0..<0x20, 0x7F:
            let digits = String(byte, radix: 16)
            return "\\u00" + (digits.count == 1 ? "0" : "") + digits
        default: return nil
        }
    }

    @Test("Each ASCII character is escaped or not at each place of a text of any length")
    func everyByteAtEveryPlace() {
        for byte in UInt8(0)..<0x80 {
            for length in 1...18 {
                for place in 0..<length {
                    // Characters beside those that are escaped, and beyond ASCII.
                    for filler in ["!", "~", "é", "\u{9F}"] {
                        let before = String(repeating: filler, count: place)
                        let after = String(repeating: filler, count: length - place - 1)
                        let character = String(Unicode.Scalar(byte))
                        let written = JSONWriter.text(before + character + after)
                        let expected = before + (Self.escape(byte) ?? character) + after
                        #expect(
                            written == "\"\(expected)\"", "byte \(byte) at \(place) of \(length)")
                    }
                }
            }
        }
    }

    @Test(
        "Text beyond ASCII is written as it is",
        arguments: ["é", "Zoë has 3 μl", "\u{80}\u{9F}\u{A0}\u{A2}\u{FF}", "日本語のメモ", "👶🏽 slept"])
    func beyondASCII(_ text: String) {
        #expect(JSONWriter.text(text) == "\"\(text)\"")
        #expect(JSONWriter.text(text + "\"") == "\"\(text)\\\"\"")
    }
}
