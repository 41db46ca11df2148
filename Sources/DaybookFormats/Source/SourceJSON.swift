import Daybook

/// JSON in the format of the original app's server.
///
/// The JSON has no white space, its keys are sorted by their bytes, and `<`, `>` and `&` are
/// escaped.
enum SourceJSON: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A decimal number as text, without trailing zeros.
    case number(String)
    case text(String)
    case list([SourceJSON])
    /// Members of an object, by key.
    case object([String: SourceJSON])

    var text: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): "\(number)"
        case .number(let number): number
        case .text(let text): Self.quoted(text)
        case .list(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key.precedesByBytes($1.key) }
                .map { "\(Self.quoted($0.key)):\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }

    /// Returns a text in quotes, with the escapes of JSON and those that only the server uses.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "<", ">", "&", "\u{0}"..."\u{1F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension SourceJSON {
    static func text(_ text: String?) -> SourceJSON { text.map { .text($0) } ?? .null }

    /// Returns a whole number, or null for `nil`.
    static func integer(_ number: Int64?) -> SourceJSON { number.map { .integer($0) } ?? .null }
    static func texts(_ texts: [String]) -> SourceJSON { .list(texts.map { .text($0) }) }

    /// Returns a decimal number, given a whole number of small units: 1234 with 3 places is 1.234.
    static func number(_ small: Int64, places: Int) -> SourceJSON {
        .number(small.decimalText(places: places))
    }

    /// Returns a duration in minutes, with the decimals that the server writes.
    static func minutes(ofMicroseconds lengthUs: Int64) -> SourceJSON {
        let (whole, rest) = lengthUs.quotientAndRemainder(dividingBy: 60_000_000)
        guard rest != 0 else { return .integer(whole) }
        return .number("\(Double(whole) + Double(rest) / 60_000_000)")
    }

    /// Returns a point in time in UTC, rounded down to whole seconds.
    static func utcSecond(_ time: Instant) -> SourceJSON {
        .text(Timestamp.text(time.floored(toMicroseconds: 1_000_000)))
    }

    /// Returns a point in time in UTC, rounded down to whole seconds, or null for `nil`.
    static func utcSecond(_ time: Instant?) -> SourceJSON { time.map { .utcSecond($0) } ?? .null }

    /// Returns a point in time in UTC, rounded down to milliseconds, without trailing zeros.
    static func utcMillisecond(_ time: Instant) -> SourceJSON {
        let text = Timestamp.text(time.floored(toMicroseconds: 1_000)).dropLast()
        guard text.contains(".") else { return .text(text + "Z") }
        let digits = text.reversed().drop { $0 == "0" }.reversed()
        return .text(String(digits) + "Z")
    }

    /// Returns the server's answer to a failed request: `{"detail":"Baby not found"}`.
    static func error(_ detail: String) -> SourceJSON { .object(["detail": .text(detail)]) }
}
