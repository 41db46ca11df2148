/// A strict parser of comma-separated values (CSV).
///
/// Records end with LF, CRLF or CR. Quoted fields may contain commas, line ends and doubled quotes.
/// A byte order mark and blank lines are ignored.
///
/// Source: RFC 4180.
package enum CSVParser {
    /// One record of the file, with its line number.
    package struct Record: Hashable, Sendable {
        /// Number of the record's first line in the file, from 1.
        public var line: Int
        /// Contents of the fields, without the enclosing quotes.
        public var fields: [String]
    }

    /// Returns the records of a file, including the header.
    ///
    /// - Parameter hasEscapes: true for a dialect in which a backslash in a quoted field escapes
    ///   the next character, so that an escaped quote does not end the field. The field keeps both
    ///   characters.
    /// - Throws: `InputError` for the first fault: an unclosed quote, a quote in an unquoted field,
    ///   text after a closing quote, a NUL, or bytes that are not UTF-8. The message also counts
    ///   the other rows with the same fault. A file of another kind is named.
    public static func parse(
        _ bytes: [UInt8], hasEscapes: Bool = false
    ) throws(InputError) -> [Record] {
        if let noun = FileKind.noun(of: bytes.prefix(4_096)), noun != FileKind.csv {
            throw InputError("expected CSV in UTF-8, but the file seems to be \(noun)", line: 1)
        }
        var parser = Parser(bytes: bytes, hasEscapes: hasEscapes)
        return try parser.parseRecords()
    }

    private struct Parser {
        let bytes: [UInt8]
        /// True if a backslash in a quoted field escapes the next character.
        let hasEscapes: Bool
        var index = 0
        /// The number of the current line, from 1.
        var line = 1
        /// The number of fields of the last record, as many as the next one probably has.
        private var fieldCount = 0

        init(bytes: [UInt8], hasEscapes: Bool) {
            self.bytes = bytes
            self.hasEscapes = hasEscapes
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        }

        /// Parses all records; throws the first fault, but only after parsing the whole file.
        mutating func parseRecords() throws(InputError) -> [Record] {
            var records: [Record] = []
            var fault: InputError?
            var others = 0
            while index < bytes.count {
                let start = line
                do throws(InputError) {
                    let fields = try parseRecord()
                    if fields.count > 1 || fields.first != "" {
                        records.append(Record(line: start, fields: fields))
                    }
                } catch {
                    if error.message == fault?.message { others += 1 }
                    fault = fault ?? error
                    skipLine()
                }
            }
            guard var fault else { return records }
            if others > 0 {
                let rows = others == 1 ? "1 more row has" : "\(others) more rows have"
                fault.message += "; \(rows) the same fault"
            }
            throw fault
        }

        /// Parses the fields of one record, and the line end after them.
        private mutating func parseRecord() throws(InputError) -> [String] {
            var fields: [String] = []
            fields.reserveCapacity(fieldCount)
            repeat { fields.append(try parseField()) } while consume(UInt8(ascii: ","))
            fieldCount = fields.count
            endLine()
            return fields
        }

        /// Skips the rest of a faulty line.
        private mutating func skipLine() {
            while index < bytes.count, bytes[index] != 10, bytes[index] != 13 { index += 1 }
            endLine()
        }

        /// Skips the next byte if it is `byte`; returns true if it was skipped.
        private mutating func consume(_ byte: UInt8) -> Bool {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
            return true
        }

        /// Skips LF, CRLF or CR, and increments the line number.
        private mutating func endLine() {
            _ = consume(13)
            _ = consume(10)
            line += 1
        }

        private mutating func parseField() throws(InputError) -> String {
            guard consume(UInt8(ascii: "\"")) else {
                let start = index
                while index < bytes.count, ![10, 13, 44].contains(bytes[index]) {
                    guard bytes[index] != UInt8(ascii: "\"") else {
                        throw InputError(
                            "a row has a quote in a field that is not quoted; expected the whole "
                                + "field in quotes, with each inner quote doubled", line: line)
                    }
                    index += 1
                }
                return try decodedText(bytes.contents.extracting(start..<index), line)
            }
            let start = line
            var content: [UInt8] = []
            while true {
                guard index < bytes.count else {
                    throw InputError(
                        "a quoted field is never closed; expected a quote before the file's end",
                        line: start)
                }
                let byte = bytes[index]
                index += 1
                if hasEscapes, byte == UInt8(ascii: "\\"), index < bytes.count,
                    bytes[index] != 10, bytes[index] != 13
                {
                    content.append(byte)
                    content.append(bytes[index])
                    index += 1
                    continue
                }
                if byte == UInt8(ascii: "\"") {
                    guard consume(UInt8(ascii: "\"")) else { break }
                } else if byte == 10 || (byte == 13 && (index == bytes.count || bytes[index] != 10))
                {
                    line += 1
                }
                content.append(byte)
            }
            guard index == bytes.count || [10, 13, 44].contains(bytes[index]) else {
                throw InputError(
                    "a row has characters after a closing quote; expected a comma or a line end",
                    line: line)
            }
            return try decodedText(content.contents, start)
        }

        /// Returns the text of a field; throws an error if it has a NUL or is not valid UTF-8.
        private func decodedText(
            _ bytes: Span<UInt8>, _ line: Int
        ) throws(InputError) -> String {
            for index in bytes.indices where bytes[index] == 0 {
                throw InputError("a row contains a NUL character; expected text", line: line)
            }
            guard let text = String(copyingUTF8: bytes) else {
                throw InputError(
                    "a row has bytes that are not UTF-8; expected a file in UTF-8", line: line)
            }
            return text
        }
    }
}
