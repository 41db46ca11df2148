/// A personal text in a field whose older events hold it in clear.
///
/// Both forms have the same place in a payload, so that the kind keeps its version: a clear text
/// stays as it was recorded, a new one is sealed like a `PersonalText`.
public enum SealableText: FieldValue {
    /// Recorded by an earlier version.
    case clear(String)
    /// A text without personal data, in one map with personal ones.
    case plain(String)
    case sealed(PersonalText)

    /// A text to be sealed when it is appended.
    public init(_ text: String) {
        self = .sealed(PersonalText(text))
    }

    /// `nil` where the text was not looked up, or has been erased.
    public var text: String? {
        switch self {
        case .clear(let text), .plain(let text): text
        case .sealed(let text): text.text
        }
    }

    /// Byte in front of a seal, which no UTF-8 has.
    @usableFromInline static let mark: UInt8 = 0xFF

    /// Bytes of the sealed form after its length.
    @usableFromInline static let sealedByteCount = 33

    public static var blank: SealableText { .sealed(.blank) }

    @inlinable
    public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout SealableText
    ) throws(Visitor.Failure) {
        try visitor.sealable(&value)
    }
}
