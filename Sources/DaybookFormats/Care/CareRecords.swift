import Daybook
import DaybookModel

/// Parses the records of a CSV file, with or without backslashes as escapes.
///
/// Huckleberry writes `\"` and `\n` in notes, where RFC 4180 has a doubled quote and a line break.
/// A file is parsed by RFC 4180, unless more records have as many cells as the header when
/// backslashes are taken as escapes.
enum CareRecords {
    /// Parses the records of a CSV file; only Huckleberry's format can have escapes.
    ///
    /// - Returns: the records, and true if backslashes in their fields are escapes.
    static func parse(
        _ bytes: [UInt8], as format: BabyCare.FileFormat
    ) throws(InputError) -> (records: [CSVParser.Record], isEscaped: Bool) {
        guard format == .huckleberry else { return (try CSVParser.parse(bytes), false) }
        let fault: InputError?
        var plain: [CSVParser.Record] = []
        do throws(InputError) {
            plain = try CSVParser.parse(bytes)
            fault = nil
        } catch {
            fault = error
        }
        if fault == nil, miscountedRecordCount(plain) == 0 { return (plain, haveEscapes(plain)) }
        do throws(InputError) {
            let escaped = try CSVParser.parse(bytes, hasEscapes: true)
            if fault != nil || miscountedRecordCount(escaped) < miscountedRecordCount(plain) {
                return (escaped, true)
            }
        } catch {
            // The error of the first attempt is the one that a person can find in the file.
        }
        if let fault { throw fault }
        return (plain, haveEscapes(plain))
    }

    /// Returns the number of records that have more or fewer cells than the header.
    private static func miscountedRecordCount(_ records: [CSVParser.Record]) -> Int {
        records.count { $0.fields.count != records.first?.fields.count }
    }

    /// True if the fields have backslashes, all of which begin a known escape such as `\n`; false
    /// if any field contains another backslash (`C:\dir`), a quote or a line break, because the
    /// file then follows RFC 4180, in which a backslash is an ordinary character.
    private static func haveEscapes(_ records: [CSVParser.Record]) -> Bool {
        var hasEscape = false
        for field in records.lazy.flatMap(\.fields) {
            var isAfterBackslash = false
            for byte in field.utf8 {
                if isAfterBackslash {
                    guard escapedCharacters[byte] != nil else { return false }
                    isAfterBackslash = false
                } else if byte == UInt8(ascii: "\\") {
                    (isAfterBackslash, hasEscape) = (true, true)
                } else if byte == UInt8(ascii: "\"") || byte == 10 || byte == 13 {
                    return false
                }
            }
            guard !isAfterBackslash else { return false }
        }
        return hasEscape
    }

    /// The character that each escape stands for, by the byte after the backslash.
    private static let escapedCharacters: [UInt8: Character] = [
        UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
    ]

    /// Returns the field with known escapes, such as `\n`, replaced by their characters.
    static func unescaped(_ field: String) -> String {
        guard field.utf8.contains(UInt8(ascii: "\\")) else { return field }
        var text = ""
        var rest = field.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\\", let next = rest.first, let byte = UInt8(exactly: next.value),
                let meant = escapedCharacters[byte]
            {
                text.append(meant)
                rest.removeFirst()
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
