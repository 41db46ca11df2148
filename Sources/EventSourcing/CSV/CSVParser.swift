/// Comma-separated values, read strictly.
///
/// Records end with LF, CRLF or CR; fields in quotes may hold commas, line ends and doubled
/// quotes. A byte order mark is dropped, and so are blank lines.
///
/// Source: RFC 4180.
public enum CSVParser {
    public struct Record: Hashable, Sendable {
        /// Where it starts, from 1.
        public var line: Int
        public var fields: [String]
    }

    /// - Throws: an open quote, a quote where none may be, a NUL, or bytes that are no UTF-8.
    public static func parse(_ bytes: [UInt8]) throws(InputError) -> [Record] {
        var parser = Parser(bytes: bytes)
        return try parser.records()
    }

    private struct Parser {
        let bytes: [UInt8]
        var index = 0
        var line = 1

        init(bytes: [UInt8]) {
            self.bytes = bytes
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        }

        mutating func records() throws(InputError) -> [Record] {
            var records: [Record] = []
            while index < bytes.count {
                let start = line
                var fields: [String] = []
                repeat { fields.append(try field()) } while consume(UInt8(ascii: ","))
                endLine()
                if fields.count > 1 || fields.first != "" {
                    records.append(Record(line: start, fields: fields))
                }
            }
            return records
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

/// Writes comma-separated values, with quotes where they are needed.
public struct CSVWriter {
    public private(set) var text = ""

    public init() {}

    public mutating func record(_ fields: [String]) {
        text += fields.map(Self.quoted).joined(separator: ",")
        text += "\n"
    }

    private static func quoted(_ field: String) -> String {
        let needsQuotes = field.utf8.contains { [10, 13, 34, 44].contains($0) }
        guard needsQuotes else { return field }
        var quoted = "\""
        for scalar in field.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
