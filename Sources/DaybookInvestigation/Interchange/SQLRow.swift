import Daybook

/// A writer of the values of a row, in parentheses for SQL that sqlite3, DuckDB and PostgreSQL read
/// alike, or as a JSON array within a text of SQL for DuckDB.
///
/// A text is in single quotes, each of which is doubled within the text. All three programs read a
/// backslash in such a text as itself.
struct SQLRow: Sendable {
    /// The SQL written so far, in UTF-8.
    var bytes: [UInt8] = []
    private let isJSON: Bool
    /// True if the next value must be preceded by a comma.
    private var needsComma = false

    /// Character in place of U+0000, which PostgreSQL cannot store: the symbol for NUL, U+2400.
    private static let nulSymbol = Array("\u{2400}".utf8)

    init(_ dialect: SQLDialect) { isJSON = dialect == .duckdb }

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    mutating func begin() {
        bytes.append(isJSON ? UInt8(ascii: "[") : UInt8(ascii: "("))
        needsComma = false
    }

    mutating func end() { bytes.append(isJSON ? UInt8(ascii: "]") : UInt8(ascii: ")")) }

    mutating func null() { if isJSON { literal("null") } else { literal("NULL") } }

    mutating func boolean(_ value: Bool) {
        switch (value, isJSON) {
        case (true, false): literal("TRUE")
        case (false, false): literal("FALSE")
        case (true, true): literal("true")
        case (false, true): literal("false")
        }
    }

    /// Writes SQL or JSON unchanged, after a comma if one is needed.
    private mutating func literal(_ text: StaticString) {
        text.withUTF8Buffer { unsafe plain(Span(_unsafeElements: $0)) }
    }

    mutating func integer(_ value: Int64) {
        let comma = needsComma
        needsComma = true
        bytes.append(addingCapacity: 21) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(decimal: value)
        }
    }

    mutating func integer(_ value: Int64?) { if let value { integer(value) } else { null() } }

    mutating func text(_ value: String) { value.withUTF8Bytes { text($0) } }

    mutating func nonEmpty(_ value: String) { if value.isEmpty { null() } else { text(value) } }

    /// Writes texts as one, with a space between two.
    mutating func joined(_ texts: [String]) {
        writeComma()
        bytes.append(quote)
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: " ")) }
            text.withUTF8Bytes { write($0) }
        }
        bytes.append(quote)
    }

    /// Writes a point in time as RFC 3339 text in UTC, always with six fraction digits. Texts of
    /// this form sort by time. A time outside the years 0 to 9999 is `NULL`.
    mutating func time(_ time: Instant) {
        guard FixedTime.exists(for: time) else { return null() }
        writeComma()
        bytes.append(quote)
        FixedTime.append(time, to: &bytes)
        bytes.append(quote)
    }

    /// Writes a text that is given as UTF-8.
    mutating func text(_ utf8: Span<UInt8>) {
        guard !isJSON, utf8.firstSpecialByte(from: 0) == utf8.count else {
            writeComma()
            bytes.append(quote)
            write(utf8)
            return bytes.append(quote)
        }
        let comma = needsComma
        needsComma = true
        bytes.append(addingCapacity: utf8.count + 3) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "'"))
            output.append(contentsOf: utf8)
            output.append(UInt8(ascii: "'"))
        }
    }

    /// Writes SQL unchanged, after a comma if one is needed.
    mutating func plain(_ sql: Span<UInt8>) {
        let comma = needsComma
        needsComma = true
        bytes.append(addingCapacity: sql.count + 1) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: sql)
        }
    }

    /// Writes an object's members as values, in the order of the columns; `NULL` for a missing one.
    mutating func values(of json: Span<UInt8>, _ columns: [SQLSchema.Column]) {
        // A view, because a copy of a column changes reference counts.
        let columns = columns.contents
        var index = 1
        var next = 0
        while index < json.count, json[index] != UInt8(ascii: "}") {
            var column = next
            while column < columns.count,
                !json.hasBytes(columns[column].member.contents, at: index)
            {
                column += 1
            }
            guard column < columns.count else {
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

    /// Writes the JSON value in `range`; a text loses its quotation marks unless `keepsJSON`.
    mutating func value(_ json: Span<UInt8>, _ range: Range<Int>, keepsJSON: Bool) {
        switch json[range.lowerBound] {
        case UInt8(ascii: "n"): null()
        case _ where keepsJSON: text(json.extracting(range))
        case UInt8(ascii: "t"): boolean(true)
        case UInt8(ascii: "f"): boolean(false)
        case UInt8(ascii: "\""): unescaped(json, range.lowerBound + 1..<range.upperBound - 1)
        case UInt8(ascii: "{"), UInt8(ascii: "["): text(json.extracting(range))
        // In quotes, because DuckDB would read a number with a point as a binary fraction.
        case _ where isJSON: text(json.extracting(range))
        default: plain(json.extracting(range))
        }
    }

    /// Writes the content of a JSON text, without its quotation marks, as a text.
    private mutating func unescaped(_ json: Span<UInt8>, _ range: Range<Int>) {
        var index = range.lowerBound
        while index < range.upperBound, json[index] != UInt8(ascii: "\\") { index += 1 }
        guard index < range.upperBound else { return text(json.extracting(range)) }
        var content: [UInt8] = []
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
            content.append(byte)
        }
        text(content.contents)
    }

    /// Returns the byte of two hexadecimal digits.
    private static func byte(_ json: Span<UInt8>, _ index: Int, _ end: Int) -> UInt8 {
        guard index + 2 <= end else { return 0 }
        let digits = String(decoding: [json[index], json[index + 1]], as: UTF8.self)
        return UInt8(digits, radix: 16) ?? 0
    }

    /// The character around a text.
    private var quote: UInt8 { isJSON ? UInt8(ascii: "\"") : UInt8(ascii: "'") }

    /// Writes bytes of a text as JSON, with single quotes doubled and NUL replaced.
    private mutating func writeJSON(_ utf8: Span<UInt8>) {
        var start = 0
        for index in utf8.indices {
            let byte = utf8[index]
            guard
                byte < 0x20 || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
                    || byte == UInt8(ascii: "\\")
            else { continue }
            copy(utf8.extracting(start..<index))
            start = index + 1
            switch byte {
            case 0: bytes.append(contentsOf: Self.nulSymbol)
            case 1..<0x20:
                bytes += Array("\\u00".utf8)
                bytes += Array(Hexadecimal.text([byte]).utf8)
            case UInt8(ascii: "'"):
                bytes.append(byte)
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            }
        }
        copy(utf8.extracting(start..<utf8.count))
    }

    /// Writes bytes of a text, with quotes doubled and NUL replaced.
    private mutating func write(_ utf8: Span<UInt8>) {
        if isJSON { return writeJSON(utf8) }
        var start = 0
        while true {
            let index = utf8.firstSpecialByte(from: start)
            copy(utf8.extracting(start..<index))
            guard index < utf8.count else { return }
            if utf8[index] == 0 {
                bytes.append(contentsOf: Self.nulSymbol)
            } else {
                bytes.append(UInt8(ascii: "'"))
                bytes.append(UInt8(ascii: "'"))
            }
            start = index + 1
        }
    }

    private mutating func copy(_ utf8: Span<UInt8>) {
        bytes.append(addingCapacity: utf8.count) { $0.append(contentsOf: utf8) }
    }

    /// Writes a comma if one is needed before a value.
    private mutating func writeComma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}

/// The texts of points in time with a fixed width.
enum FixedTime {
    /// True if a point in time is within the years 0 to 9999, so that it has a text.
    static func exists(for time: Instant) -> Bool { Limit.time.values.contains(time.microseconds) }

    /// Appends a point in time, which must have a text, as RFC 3339 text in UTC with six fraction
    /// digits, in UTF-8.
    static func append(_ time: Instant, to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: Timestamp.longestCount) { output in
            Timestamp.append(time, to: &output, isPadded: true)
        }
    }
}

extension Span<UInt8> {
    /// True if the bytes at an offset are `wanted`.
    fileprivate func hasBytes(_ wanted: Span<UInt8>, at offset: Int) -> Bool {
        guard offset + wanted.count <= count else { return false }
        return unsafe extracting(offset..<offset + wanted.count).bytes.isEqual(to: wanted.bytes)
    }

    /// Returns the offset of the first single quote or NUL from an offset on, else `count`.
    fileprivate func firstSpecialByte(from start: Int) -> Int {
        unsafe withUnsafeBytes { bytes in
            let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
            let quotes = ones * UInt64(UInt8(ascii: "'"))
            var offset = start
            while offset + 8 <= bytes.count {
                let word = UInt64(
                    littleEndian: unsafe bytes.loadUnaligned(
                        fromByteOffset: offset, as: UInt64.self))
                // The lowest bit that is set belongs to the first byte that is zero in either word.
                let unquoted = word ^ quotes
                let found = ((word &- ones) & ~word | (unquoted &- ones) & ~unquoted) & highs
                if found != 0 { return offset + found.trailingZeroBitCount / 8 }
                offset += 8
            }
            while offset < bytes.count {
                let byte = unsafe bytes[offset]
                if byte == 0 || byte == UInt8(ascii: "'") { return offset }
                offset += 1
            }
            return offset
        }
    }

    /// Returns the offset after the JSON value, or the member name, that begins at an offset. The
    /// bytes are JSON that `JSONWriter` wrote.
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
