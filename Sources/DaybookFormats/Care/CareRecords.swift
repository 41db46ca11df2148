import Daybook
import DaybookModel

/// Parses the records of a file, detecting its CSV dialect.
///
/// Huckleberry writes `\"` and `\n` in notes, where RFC 4180 has a doubled quote and a line break.
/// A file is parsed by RFC 4180, unless more records have the right number of cells with
/// backslashes as escapes.
enum CareRecords {
    /// Parses the records of a file.
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
        if fault == nil, miscountedRecords(plain) == 0 { return (plain, looksEscaped(plain)) }
        do throws(InputError) {
            let escaped = try CSVParser.parse(bytes, hasEscapes: true)
            if fault != nil || miscountedRecords(escaped) < miscountedRecords(plain) {
                return (escaped, true)
            }
        } catch {
            // The error of the first attempt is the one that a person can find in the file.
        }
        if let fault { throw fault }
        return (plain, looksEscaped(plain))
    }

    /// Returns the number of records whose number of cells differs from the header.
    private static func miscountedRecords(_ records: [CSVParser.Record]) -> Int {
        records.count { $0.fields.count != records.first?.fields.count }
    }

    /// True if all backslashes can be escapes and no field needs RFC 4180 quoting.
    ///
    /// False if the file contains `C:\dir`, a doubled quote or a line break within quotes, because
    /// backslashes are then literal.
    private static func looksEscaped(_ records: [CSVParser.Record]) -> Bool {
        var hasEscape = false
        for field in records.lazy.flatMap(\.fields) {
            var isAfterBackslash = false
            for byte in field.utf8 {
                if isAfterBackslash {
                    guard escapes[byte] != nil else { return false }
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

    /// The characters that backslash escapes stand for, by the byte after the backslash.
    private static let escapes: [UInt8: Character] = [
        UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
    ]

    /// Returns the field with its escapes replaced; keeps a backslash before any other character.
    static func unescaped(_ field: String) -> String {
        guard field.utf8.contains(UInt8(ascii: "\\")) else { return field }
        var text = ""
        var rest = field.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\\", let next = rest.first, let byte = UInt8(exactly: next.value),
                let meant = escapes[byte]
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
