import Daybook

/// A writer of SQL values that sqlite3, DuckDB and PostgreSQL read alike.
///
/// A text is in single quotes, each of which is doubled within the text. All three programs read a
/// backslash in such a text as itself.
struct SQLRow: Sendable {
    /// The SQL written so far, in UTF-8.
    var bytes: [UInt8] = []
    /// True if the next value must be preceded by a comma.
    private var needsComma = false

    /// Character in place of U+0000, which PostgreSQL cannot store: the symbol for NUL, U+2400.
    private static let nulSymbol = Array("\u{2400}".utf8)

    /// Removes what was written, and keeps the memory for reuse.
    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Begins a row of values in parentheses.
    mutating func begin() {
        bytes.append(UInt8(ascii: "("))
        needsComma = false
    }

    /// Ends the row.
    mutating func end() { bytes.append(UInt8(ascii: ")")) }

    /// Writes `NULL`.
    mutating func null() { literal("NULL") }

    /// Writes a number that is given as digits, `TRUE`, `FALSE` or `NULL`.
    mutating func literal(_ text: StaticString) {
        writeComma()
        for index in 0..<text.utf8CodeUnitCount { unsafe bytes.append(text.utf8Start[index]) }
    }

    /// Writes an integer.
    mutating func integer(_ value: Int64) {
        writeComma()
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Writes an integer, or `NULL`.
    mutating func integer(_ value: Int64?) {
        if let value { integer(value) } else { null() }
    }

    /// Writes a text.
    mutating func text(_ value: String) {
        value.withUTF8Bytes { text($0) }
    }

    /// Writes a text; `NULL` if it is empty.
    mutating func nonEmpty(_ value: String) {
        if value.isEmpty { null() } else { text(value) }
    }

    /// Writes a point in time as RFC 3339 text in UTC, always with six fraction digits.
    ///
    /// Texts of this form sort by time. A time outside the years 0 to 9999 is `NULL`.
    mutating func time(_ time: Instant) {
        writeComma()
        guard let text = FixedTime.text(time) else {
            bytes.append(contentsOf: "NULL".utf8)
            return
        }
        bytes.append(UInt8(ascii: "'"))
        bytes.append(contentsOf: text)
        bytes.append(UInt8(ascii: "'"))
    }

    /// Writes a text that is given as UTF-8.
    mutating func text(_ utf8: Span<UInt8>) {
        writeComma()
        bytes.append(UInt8(ascii: "'"))
        write(utf8, 0..<utf8.count)
        bytes.append(UInt8(ascii: "'"))
    }

    /// Writes the members of a JSON object as values of columns; `NULL` for a missing member.
    ///
    /// - Parameter json: an object whose members are in the order of the columns.
    mutating func values(of json: Span<UInt8>, _ columns: [SQLSchema.Column]) {
        var index = 1
        var next = 0
        while index < json.count, json[index] != UInt8(ascii: "}") {
            let column = (next..<columns.count).first {
                json.hasBytes(columns[$0].member, at: index)
            }
            guard let column else {
                index = json.endOfValue(at: json.endOfValue(at: index) + 1)
                if json[index] == UInt8(ascii: ",") { index += 1 }
                continue
            }
            for _ in next..<column { null() }
            let start = index + columns[column].member.count
            let end = json.endOfValue(at: start)
            value(json, start..<end, keepsJSON: columns[column].holdsJSON)
            next = column + 1
            index = end
            if json[index] == UInt8(ascii: ",") { index += 1 }
        }
        for _ in next..<max(next, columns.count) { null() }
    }

    /// Writes a JSON value as a value of a column.
    ///
    /// - Parameters:
    ///   - range: the bytes of the JSON value.
    ///   - keepsJSON: true for a column of JSON texts; a text is otherwise written without its
    ///     quotation marks.
    mutating func value(_ json: Span<UInt8>, _ range: Range<Int>, keepsJSON: Bool) {
        switch json[range.lowerBound] {
        case UInt8(ascii: "n"): null()
        case _ where keepsJSON: quoted(json, range)
        case UInt8(ascii: "t"): literal("TRUE")
        case UInt8(ascii: "f"): literal("FALSE")
        case UInt8(ascii: "\""): unescaped(json, range.lowerBound + 1..<range.upperBound - 1)
        case UInt8(ascii: "{"), UInt8(ascii: "["): quoted(json, range)
        default:
            writeComma()
            for index in range { bytes.append(json[index]) }
        }
    }

    /// Writes part of some bytes as a text.
    private mutating func quoted(_ utf8: Span<UInt8>, _ range: Range<Int>) {
        writeComma()
        bytes.append(UInt8(ascii: "'"))
        write(utf8, range)
        bytes.append(UInt8(ascii: "'"))
    }

    /// Writes the content of a JSON text, without its quotation marks, as a text.
    private mutating func unescaped(_ json: Span<UInt8>, _ range: Range<Int>) {
        var index = range.lowerBound
        while index < range.upperBound, json[index] != UInt8(ascii: "\\") { index += 1 }
        guard index < range.upperBound else { return quoted(json, range) }
        var text: [UInt8] = []
        index = range.lowerBound
        while index < range.upperBound {
            var byte = json[index]
            index += 1
            if byte == UInt8(ascii: "\\"), index < range.upperBound {
                byte = json[index]
                index += 1
                switch byte {
                case UInt8(ascii: "n"): byte = 10
                case UInt8(ascii: "r"): byte = 13
                case UInt8(ascii: "t"): byte = 9
                case UInt8(ascii: "u"):
                    // `JSONWriter` writes \u00XX only.
                    byte = Self.byte(json, index + 2, range.upperBound)
                    index += 4
                default: break
                }
            }
            text.append(byte)
        }
        quoted(text.contents, 0..<text.count)
    }

    /// Returns the byte of two hexadecimal digits.
    private static func byte(_ json: Span<UInt8>, _ index: Int, _ end: Int) -> UInt8 {
        guard index + 2 <= end else { return 0 }
        let digits = String(decoding: [json[index], json[index + 1]], as: UTF8.self)
        return UInt8(digits, radix: 16) ?? 0
    }

    /// Writes bytes of a text, with quotes doubled and NUL replaced.
    private mutating func write(_ utf8: Span<UInt8>, _ range: Range<Int>) {
        var start = range.lowerBound
        var index = start
        while index < range.upperBound {
            let byte = utf8[index]
            index += 1
            guard byte == UInt8(ascii: "'") || byte == 0 else { continue }
            copy(utf8, start..<index - 1)
            start = index
            if byte == 0 {
                bytes.append(contentsOf: Self.nulSymbol)
            } else {
                bytes.append(byte)
                bytes.append(byte)
            }
        }
        copy(utf8, start..<range.upperBound)
    }

    /// Appends bytes unchanged.
    private mutating func copy(_ utf8: Span<UInt8>, _ range: Range<Int>) {
        bytes.append(addingCapacity: range.count) { output in
            for index in range { output.append(utf8[index]) }
        }
    }

    /// Writes a comma if one is needed before a value.
    private mutating func writeComma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}

/// The texts of points in time with a fixed width.
enum FixedTime {
    /// Returns a point in time as RFC 3339 text in UTC with six fraction digits, in UTF-8.
    ///
    /// `nil` outside the years 0 to 9999.
    static func text(_ time: Instant) -> [UInt8]? {
        guard let text = JSONWriter.time(time.microseconds) else { return nil }
        var bytes = Array(text.utf8)
        // `Timestamp` writes 0, 3 or 6 fraction digits.
        let missing = 27 - bytes.count
        guard missing > 0, bytes.last == UInt8(ascii: "Z") else { return bytes }
        bytes.removeLast()
        if missing == 7 { bytes.append(UInt8(ascii: ".")) }
        for _ in 0..<min(missing, 6) { bytes.append(UInt8(ascii: "0")) }
        bytes.append(UInt8(ascii: "Z"))
        return bytes
    }
}

extension Span<UInt8> {
    /// True if the bytes at an offset are `wanted`.
    fileprivate func hasBytes(_ wanted: [UInt8], at offset: Int) -> Bool {
        guard offset + wanted.count <= count else { return false }
        let wanted = wanted.contents
        for index in wanted.indices where self[offset + index] != wanted[index] { return false }
        return true
    }

    /// Returns the offset after the JSON value, or the member name, that begins at an offset.
    ///
    /// The bytes are JSON that `JSONWriter` wrote.
    fileprivate func endOfValue(at start: Int) -> Int {
        var (index, depth) = (start, 0)
        while index < count {
            switch self[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < count, self[index] != UInt8(ascii: "\"") {
                    index += self[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                index += 1
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ",") where depth == 0, UInt8(ascii: ":") where depth == 0:
                return index
            default: break
            }
            index += 1
        }
        return index
    }
}
