/// Comma-separated values, read strictly.
///
/// Records end with LF, CRLF or CR; fields in quotes may hold commas, line ends and doubled
/// quotes. A byte order mark is dropped, and so are blank lines.
///
/// Source: RFC 4180.
public enum CSVParser {
    /// One record of the file: its fields and where it begins.
    public struct Record: Hashable, Sendable {
        /// Where it starts, from 1.
        public var line: Int
        /// Contents of the fields, without quotes.
        public var fields: [String]
    }

    /// - Parameter hasEscapes: `true` for a dialect in which a backslash within quotes takes the
    ///   meaning from the character after it: a quote then ends no field. Both stay in the field.
    /// - Throws: an open quote, a quote where none may be, a NUL, or bytes that are no UTF-8, with
    ///   the number of further rows that have the same fault.
    public static func parse(
        _ bytes: [UInt8], hasEscapes: Bool = false
    ) throws(InputError) -> [Record] {
        var parser = Parser(bytes: bytes, hasEscapes: hasEscapes)
        return try parser.records()
    }

    private struct Parser {
        let bytes: [UInt8]
        let hasEscapes: Bool
        var index = 0
        var line = 1

        init(bytes: [UInt8], hasEscapes: Bool) {
            self.bytes = bytes
            self.hasEscapes = hasEscapes
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        }

        mutating func records() throws(InputError) -> [Record] {
            var records: [Record] = []
            var fault: InputError?
            var others = 0
            while index < bytes.count {
                let start = line
                do throws(InputError) {
                    let fields = try record()
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

        private mutating func record() throws(InputError) -> [String] {
            var fields: [String] = []
            repeat { fields.append(try field()) } while consume(UInt8(ascii: ","))
            endLine()
            return fields
        }

        /// Goes on behind a fault, with the next line.
        private mutating func skipLine() {
            while index < bytes.count, bytes[index] != 10, bytes[index] != 13 { index += 1 }
            endLine()
        }

        private mutating func consume(_ byte: UInt8) -> Bool {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
            return true
        }

        private mutating func endLine() {
            if consume(13) {
                _ = consume(10)
            } else {
                _ = consume(10)
            }
            line += 1
        }

        private mutating func field() throws(InputError) -> String {
            guard consume(UInt8(ascii: "\"")) else {
                let start = index
                while index < bytes.count, ![10, 13, 44].contains(bytes[index]) {
                    guard bytes[index] != UInt8(ascii: "\"") else {
                        throw InputError("has a quote in a field that is not quoted", line: line)
                    }
                    index += 1
                }
                return try text(bytes[start..<index], line)
            }
            let start = line
            var content: [UInt8] = []
            while true {
                guard index < bytes.count else {
                    throw InputError("a quoted field is never closed", line: start)
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
                throw InputError("has something behind a closing quote", line: line)
            }
            return try text(content[...], start)
        }

        private func text(_ bytes: ArraySlice<UInt8>, _ line: Int) throws(InputError) -> String {
            guard !bytes.contains(0) else { throw InputError("holds a NUL", line: line) }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw InputError("is no UTF-8 text", line: line)
            }
            return text
        }
    }
}
