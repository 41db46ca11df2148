import Daybook

/// The reason why the bytes of a row are not what the format says, with the field and its value.
public indirect enum CorruptRecord: Error, Hashable, Sendable, CustomStringConvertible {
    /// A field ends after `needs` bytes of a row that has fewer.
    case truncated(field: String, needs: Int, bytes: Int)
    /// The value of a field is none that the format, or the rest of the log, allows.
    case invalid(field: String, found: String, expected: String)
    /// A text is not valid UTF-8.
    case notUTF8(field: String, found: [UInt8])
    /// An integer or a name that lies apart from its event has no mark at this offset of the payload.
    case parts(offset: Int)
    /// A kind or zone is a row of the table `names` that does not exist or holds the other of both.
    case unknownName(UInt16)
    /// The row is not the one that was written.
    case checksum
    /// A row that must exist does not.
    case missing
    /// A text or a name cannot be decrypted under its person's key.
    case cipher
    /// The key of a person is overwritten, and no erasure is on record.
    case keyGone

    public var description: String {
        switch self {
        case .truncated(let field, let needs, let bytes):
            "field '\(field)' ends after \(needs) bytes, and the row has \(bytes)"
        case .invalid(let field, let found, let expected):
            "field '\(field)': found \(found), expected \(expected)"
        case .notUTF8(let field, let found):
            "field '\(field)' is not valid UTF-8: \(Self.excerpt(found))"
        case .parts(let offset): "offset \(offset) of the payload has no mark of a part of it"
        case .unknownName(let row):
            "row \(row) of the table 'names' is none that the field can hold"
        case .checksum: "the row does not fit its checksum"
        case .missing: "the row is missing"
        case .cipher: "what is encrypted there was not written under the person's key"
        case .keyGone: "the key of a person is overwritten, and no erasure is on record"
        }
    }

    /// The first field that does not fit in the bytes of a row.
    ///
    /// - Parameter ends: each field with the offset behind it, in order.
    @usableFromInline @inline(never)
    static func truncated(_ ends: KeyValuePairs<String, Int>, bytes: Int) -> CorruptRecord {
        let field = ends.first { $0.value > bytes } ?? ("row", bytes)
        return .truncated(field: field.key, needs: field.value, bytes: bytes)
    }

    /// A row of one value that is longer or shorter than the value.
    static func size(_ field: String, _ bytes: Int, expected: Int) -> CorruptRecord {
        .invalid(field: field, found: "\(bytes) bytes", expected: "\(expected)")
    }

    static func excerpt(_ bytes: [UInt8]) -> String {
        let digits = bytes.prefix(32).map { Hexadecimal.text([$0]) }.joined(separator: " ")
        return bytes.count > 32 ? digits + " …" : digits
    }
}

extension LogError {
    /// The text of a row's key: of tags and of `meta` as it is, of others in hexadecimal.
    static func rowText(_ key: [UInt8], of table: String) -> String {
        if table == "tags" || table == "meta", let text = String(validating: key, as: UTF8.self) {
            return "'\(text.visible)'"
        }
        return CorruptRecord.excerpt(key)
    }
}
