/// A text that is personal or not: sealed like a `PersonalText`, or in the payload as it is.
public enum SealableText: FieldValue {
    /// A text without personal data, such as a value of a map that holds personal ones too.
    case plain(String)
    /// A personal text, of which the payload has the seal alone.
    case sealed(PersonalText)

    /// A text to be sealed when it is appended.
    public init(_ text: String) {
        self = .sealed(PersonalText(text))
    }

    /// `nil` where the text was not looked up, or has been erased.
    public var text: String? {
        switch self {
        case .plain(let text): text
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
