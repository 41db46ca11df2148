import Daybook

/// A reason why a row does not follow the format, with the field and its value.
public indirect enum CorruptRecord: Error, Hashable, Sendable, CustomStringConvertible {
    /// The row is too short: the field ends after `needs` bytes, and the row has `bytes`.
    case truncated(field: String, needs: Int, bytes: Int)
    /// The value of a field contradicts the format or the rest of the log.
    case invalid(field: String, found: String, expected: String)
    /// A text field is not valid UTF-8.
    case notUTF8(field: String, found: [UInt8])
    /// The payload lacks, at this offset, the mark that replaces a separately stored name or
    /// integer.
    case parts(offset: Int)
    /// A kind or zone refers to a row of the table `names` that is missing or of the other
    /// category.
    case unknownName(UInt16)
    /// The checksum does not match the row.
    case checksum
    /// A required row is missing.
    case missing
    /// A personal text or a person's name cannot be decrypted with the person's key.
    case cipher
    /// The key of a person is overwritten, but the log records no erasure of it.
    case keyGone

    public var description: String {
        switch self {
        case .truncated(let field, let needs, let bytes):
            "field '\(field)' ends after \(needs) bytes, and the row has \(bytes)"
        case .invalid(let field, let found, let expected):
            "field '\(field)': found \(found), expected \(expected)"
        case .notUTF8(let field, let found):
            "field '\(field)' is not valid UTF-8: \(Self.excerpt(found))"
        case .parts(let offset):
            "the payload has no mark at offset \(offset) for a separately stored name or integer"
        case .unknownName(let row):
            "row \(row) of the table 'names' is missing or of the wrong category"
        case .checksum: "the row does not match its checksum"
        case .missing: "the row is missing"
        case .cipher: "the data cannot be decrypted with the person's key"
        case .keyGone: "the key of a person is overwritten without a recorded erasure"
        }
    }

    /// Returns the error for the first field that does not fit into a row.
    ///
    /// - Parameter ends: each field with its end offset, in order.
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
    /// Returns a readable form of a row's key: text for `tags` and `meta`, else hexadecimal digits.
    static func rowText(_ key: [UInt8], of table: String) -> String {
        if table == "tags" || table == "meta", let text = String(validating: key, as: UTF8.self) {
            return "'\(text.visible)'"
        }
        return CorruptRecord.excerpt(key)
    }
}
