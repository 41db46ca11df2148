import Daybook
import DaybookLMDB

/// A reason why a row of a table is missing or does not follow the format.
public indirect enum CorruptRecord: Error, Hashable, Sendable, CustomStringConvertible {
    /// The row has only `bytes` bytes, but the field `field` ends after `needs` bytes.
    case truncated(field: String, needs: Int, bytes: Int)
    /// The value of a field contradicts the format or the rest of the log.
    case invalid(field: String, found: String, expected: String)
    /// A text field is not valid UTF-8.
    case notUTF8(field: String, found: [UInt8])
    /// A separately stored name or integer cannot be put back into the payload at this offset,
    /// because its placeholder is missing or the integer is malformed.
    case parts(offset: Int)
    /// An event's kind or time zone refers to this row of the table `names`, which is missing or
    /// has the other category.
    case unknownName(UInt16)
    /// The checksum does not match the row.
    case checksum
    /// A row that must exist is missing.
    case missing
    /// A personal text or a person's name cannot be decrypted with the person's encryption key.
    case cipher
    /// The encryption key of a person is overwritten, but the log records no erasure of the person.
    case keyGone
    /// A personal text or a person is marked as erased, but the log records no such erasure.
    case unrecorded

    public var description: String {
        switch self {
        case .truncated(let field, let needs, let bytes):
            "field '\(field)' ends after \(needs) bytes, but the row has only \(bytes)"
        case .invalid(let field, let found, let expected):
            "field '\(field)': found \(found), expected \(expected)"
        case .notUTF8(let field, let found):
            "field '\(field)' is not valid UTF-8: \(Self.excerpt(found))"
        case .parts(let offset):
            "a separately stored name or integer cannot be put back into the payload at offset "
                + "\(offset): the placeholder for it is missing, or the integer is malformed"
        case .unknownName(let row):
            "the event refers to row \(row) of the table 'names' for its kind or time zone, but "
                + "the row is missing or of the other category"
        case .checksum: "the row does not match its checksum"
        case .missing: "the row is missing"
        case .cipher: "the data cannot be decrypted with the person's encryption key"
        case .keyGone:
            "the person's encryption key is overwritten, but no erasure of the person is recorded"
        case .unrecorded: "it is marked as erased, but no such erasure is recorded"
        }
    }

    /// Returns the error for a row that is too short, with the first field that does not fit.
    ///
    /// - Parameter ends: each field of the row with the offset of its end, in order.
    @usableFromInline @inline(never)
    static func truncated(_ ends: KeyValuePairs<String, Int>, bytes: Int) -> CorruptRecord {
        let field = ends.first { $0.value > bytes } ?? ("row", bytes)
        return .truncated(field: field.key, needs: field.value, bytes: bytes)
    }

    /// Returns the error for a row whose size differs from the expected number of bytes.
    static func size(_ field: String, _ bytes: Int, expected: Int) -> CorruptRecord {
        .invalid(field: field, found: "\(bytes) bytes", expected: "\(expected)")
    }

    /// Returns the first 32 bytes in hexadecimal digits, followed by an ellipsis if there are more.
    static func excerpt(_ bytes: [UInt8]) -> String {
        let digits = bytes.prefix(32).map { Hexadecimal.text([$0]) }.joined(separator: " ")
        return bytes.count > 32 ? digits + " …" : digits
    }
}

extension LogError {
    /// Returns a row key for an error message: position and field for `texts`, text for `tags` and
    /// `meta`, else hexadecimal digits.
    static func rowText(_ key: [UInt8], of table: String) -> String {
        if table == "texts", let position = PersonalRow.position(of: key.rawSpan) {
            let field: UInt32 = key.rawSpan.integer(at: 8)
            let isNumbers = field == SealedNumbers.ordinal
            return "(position \(position), \(isNumbers ? "numbers" : "text \(field.byteSwapped)"))"
        }
        if table == "tags" || table == "meta", let text = String(validating: key, as: UTF8.self) {
            return "'\(text.visible)'"
        }
        return CorruptRecord.excerpt(key)
    }
}
