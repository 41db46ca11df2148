package import Daybook

/// Converts unquoted YAML scalars to values and back, in the core schema of YAML.
///
/// Source: YAML 1.2.2, section 10.3.2. In the core schema, `no`, `on` and `1:30` are texts.
package enum YAMLScalar {
    /// Returns the value of an unquoted scalar: null, a Boolean, a number or a text.
    static func content(of plain: String) -> Tree.Content {
        switch plain {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .boolean(true)
        case "false", "False", "FALSE": return .boolean(false)
        case ".nan", ".NaN", ".NAN": return .number(plain)
        default: break
        }
        let unsigned = plain.first == "-" || plain.first == "+" ? plain.dropFirst() : plain[...]
        if [".inf", ".Inf", ".INF"].contains(unsigned) { return .number(plain) }
        if plain.hasPrefix("0x") || plain.hasPrefix("0o") {
            let digits = plain.dropFirst(2)
            let radix = plain.hasPrefix("0x") ? 16 : 8
            if digits.first?.isHexDigit == true, let value = Int64(digits, radix: radix) {
                return .integer(value)
            }
            return .text(plain)
        }
        if !unsigned.isEmpty, unsigned.utf8.allSatisfy(isDigit) {
            return Int64(plain).map(Tree.Content.integer) ?? .number(plain)
        }
        return isDecimal(unsigned) ? .number(plain) : .text(plain)
    }

    /// Returns YAML that is parsed as the given value.
    package static func text(of content: Tree.Content) -> String {
        switch content {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let text): text
        case .text(let text):
            isPlain(text) ? text : JSONWriter.text(text).withHiddenTextEscapedForYAML
        case .list, .map: Tree(content, line: 0).json.withHiddenTextEscapedForYAML
        }
    }

    /// True if the text can be written in YAML without quotes; false also in doubtful cases.
    private static func isPlain(_ text: String) -> Bool {
        guard case .text = content(of: text), let first = text.utf8.first else { return false }
        let isWord = { (byte: UInt8) in
            (97...122).contains(byte) || (65...90).contains(byte) || isDigit(byte)
        }
        return isWord(first) && text.utf8.allSatisfy { isWord($0) || "-._/".utf8.contains($0) }
    }

    /// True if the text matches `(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`.
    private static func isDecimal(_ text: Substring) -> Bool {
        var rest = Array(text.utf8)[...]
        let whole = removeDigits(&rest)
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = removeDigits(&rest)
        }
        guard whole + fraction > 0 else { return false }
        if let byte = rest.first, byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            rest.removeFirst()
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                rest.removeFirst()
            }
            guard removeDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// Removes the leading digits from `rest`, and returns the number of removed digits.
    private static func removeDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let count = rest.prefix(while: isDigit).count
        rest.removeFirst(count)
        return count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
