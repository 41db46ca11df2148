/// A text that is stored either in the payload, or, like a `PersonalText`, outside it.
public enum SealableText: FieldValue {
    /// A text without personal data, such as a value in a map that also holds personal texts.
    case plain(String)
    /// A personal text, of which the payload contains only a salted hash, the seal.
    case sealed(PersonalText)

    /// Creates a personal text, which a log seals when it is appended.
    public init(_ text: String) {
        self = .sealed(PersonalText(text))
    }

    /// The text; `nil` if it was not looked up or has been erased.
    public var text: String? {
        switch self {
        case .plain(let text): text
        case .sealed(let text): text.text
        }
    }

    /// The byte before a seal, which never occurs in UTF-8.
    @usableFromInline static let mark: UInt8 = 0xFF

    /// The number of bytes of the sealed form after its length: the mark and the seal.
    @usableFromInline static let sealedByteCount = 33

    public static var blank: SealableText { .sealed(.blank) }

    @inlinable
    public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout SealableText
    ) throws(Visitor.Failure) {
        try visitor.sealable(&value)
    }
}
