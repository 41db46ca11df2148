/// A parser of JSON text (RFC 8259) into a `Tree`.
///
/// It is stricter than the usual parsers, to avoid wrong answers: integers stay exact, and a
/// repeated key in an object is an error. Each value has the number of its line.
package struct JSONParser {
    /// The JSON text in UTF-8.
    private let bytes: [UInt8]
    private var index = 0
    /// The number of the line that contains the next byte.
    private var line: Int
    /// The number of objects and lists around the next value.
    private var depth = 0

    /// The largest allowed number of nested objects and lists.
    private static let maximumDepth = 64
    /// The largest number of names of an object that are compared one by one.
    private static let fewNames = 16

    private init(_ text: some Sequence<UInt8>, line: Int) {
        bytes = Array(text)
        self.line = line
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// Parses one JSON value in UTF-8, also after a byte order mark, beginning at line `line`.
    public static func parse(
        _ text: some Sequence<UInt8>, line: Int = 1
    ) throws(InputError) -> Tree {
        var parser = JSONParser(text, line: line)
        let tree = try parser.parseValue()
        parser.skipSpace()
        guard parser.index == parser.bytes.count else {
            throw parser.error(
                "expected nothing after the JSON value, found \(parser.nextCharacter)")
        }
        return tree
    }

    private mutating func parseValue() throws(InputError) -> Tree {
        skipSpace()
        let start = line
        guard index < bytes.count else {
            throw error("expected a JSON value, found \(nextCharacter)")
        }
        switch bytes[index] {
        case UInt8(ascii: "{"): return Tree(.map(try parseObject()), line: start)
        case UInt8(ascii: "["): return Tree(.list(try parseArray()), line: start)
        case UInt8(ascii: "\""): return Tree(.text(try parseString()), line: start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return Tree(try parseNumber(), line: start)
        default:
            for (word, content) in [
                ("true", Tree.Content.boolean(true)), ("false", .boolean(false)), ("null", .null),
            ] where bytes[index...].starts(with: word.utf8) {
                index += word.utf8.count
                return Tree(content, line: start)
            }
            throw error("expected a JSON value, found \(nextCharacter)")
        }
    }

    private mutating func parseObject() throws(InputError) -> [Tree.Member] {
        try increaseDepth()
        defer { depth -= 1 }
        var members: [Tree.Member] = []
        var names: Set<String> = []
        index += 1
        skipSpace()
        if consume("}") { return members }
        members.reserveCapacity(4)
        repeat {
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                throw error("expected an object's key in quotes, found \(nextCharacter)")
            }
            let key = try parseString()
            if members.count == Self.fewNames { names = Set(members.map(\.key)) }
            let isNew =
                members.count < Self.fewNames
                ? !members.contains { $0.key == key } : names.insert(key).inserted
            guard isNew else {
                throw error("the key \"\(key)\" is repeated in an object; expected it once")
            }
            skipSpace()
            guard consume(":") else {
                throw error("expected ':' after the key \"\(key)\", found \(nextCharacter)")
            }
            members.append(Tree.Member(key: key, value: try parseValue()))
            skipSpace()
        } while consume(",")
        guard consume("}") else {
            throw error("expected ',' or '}' after a member of an object, found \(nextCharacter)")
        }
        return members
    }

    private mutating func parseArray() throws(InputError) -> [Tree] {
        try increaseDepth()
        defer { depth -= 1 }
        var elements: [Tree] = []
        index += 1
        skipSpace()
        if consume("]") { return elements }
        repeat {
            elements.append(try parseValue())
            skipSpace()
        } while consume(",")
        guard consume("]") else {
            throw error("expected ',' or ']' after an element of a list, found \(nextCharacter)")
        }
        return elements
    }

    private mutating func parseString() throws(InputError) -> String {
        index += 1
        let start = index
        while index < bytes.count, !Self.endsPlainText(bytes[index]) { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
            index += 1
            return try text(bytes.contents.extracting(start..<index - 1))
        }
        var utf8 = Array(bytes[start..<index])
        while true {
            guard index < bytes.count else { throw error("a text has no closing quote") }
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(utf8.contents)
            case UInt8(ascii: "\\"): utf8.append(contentsOf: try parseEscape())
            case 0..<0x20:
                throw error("a text contains a control character; expected an escape such as '\\n'")
            default: utf8.append(byte)
            }
        }
    }

    /// True if a byte within quotes ends them, begins an escape, or must be escaped.
    private static func endsPlainText(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
    }

    /// Returns the bytes of a text, without quotes and escapes, as a text.
    private func text(_ utf8: Span<UInt8>) throws(InputError) -> String {
        guard let text = String(copyingUTF8: utf8) else {
            throw error("a text has bytes that are not UTF-8")
        }
        return text
    }

    /// Parses the rest of an escape after its backslash; returns the escaped character in UTF-8.
    private mutating func parseEscape() throws(InputError) -> [UInt8] {
        guard index < bytes.count else { throw error("a text has no closing quote") }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"): break
        default:
            throw error(
                "'\\\(Character(Unicode.Scalar(byte)))' is not a JSON escape; expected '\\\\' for "
                    + "a backslash")
        }
        var code = try parseHexadecimal()
        if (0xD800..<0xDC00).contains(code), consume("\\"), consume("u") {
            let low = try parseHexadecimal()
            guard (0xDC00..<0xE000).contains(low) else {
                throw error("a text contains an unpaired surrogate; expected two '\\u' escapes")
            }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw error("a text contains an unpaired surrogate; expected two '\\u' escapes")
        }
        return Array(String(scalar).utf8)
    }

    /// Parses the four hexadecimal digits after `\u`; returns their number.
    private mutating func parseHexadecimal() throws(InputError) -> UInt32 {
        guard index + 4 <= bytes.count,
            let text = String(validating: bytes[index..<index + 4], as: UTF8.self),
            text.allSatisfy(\.isHexDigit), let code = UInt32(text, radix: 16)
        else { throw error("expected four hexadecimal digits after '\\u' in a text") }
        index += 4
        return code
    }

    private mutating func parseNumber() throws(InputError) -> Tree.Content {
        let start = index
        var isInteger = true
        _ = consume("-")
        let digits = index
        try skipDigits()
        if index - digits > 1, bytes[digits] == UInt8(ascii: "0") {
            throw error("a number has a leading zero; expected no zero before another digit")
        }
        if consume(".") {
            isInteger = false
            try skipDigits()
        }
        if consume("e") || consume("E") {
            isInteger = false
            _ = consume("+") || consume("-")
            try skipDigits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard isInteger, let value = Int64(text) else { return .number(text) }
        return .integer(value)
    }

    /// Skips one or more digits; throws an error if there is none.
    private mutating func skipDigits() throws(InputError) {
        let start = index
        while index < bytes.count, (48...57).contains(bytes[index]) { index += 1 }
        guard index > start else { throw error("expected a digit, found \(nextCharacter)") }
    }

    /// Increments `depth` at the start of an object or list; throws an error beyond the maximum.
    private mutating func increaseDepth() throws(InputError) {
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw error("objects and lists are nested more than \(Self.maximumDepth) levels deep")
        }
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: return
            }
            index += 1
        }
    }

    /// Skips the next character if it is `character`; returns true if it was skipped.
    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// The next character, for error messages: `'x'`, or `the end of the text`.
    private var nextCharacter: String {
        guard index < bytes.count else { return "the end of the text" }
        let rest = String(decoding: bytes[index...].prefix(12), as: UTF8.self)
        return "'\(rest.first.map(String.init) ?? "")'"
    }

    private func error(_ message: String) -> InputError { InputError(message, line: line) }
}
