/// A text that is stored either in the payload or, like a `PersonalText`, outside the payload.
public enum SealableText: FieldValue, Hashable {
    /// A text without personal data, stored in the payload.
    case plain(String)
    /// A personal text; the payload contains only its seal, a salted hash of the text.
    case sealed(PersonalText)

    /// Creates a personal text, whose seal the log computes when the event is appended.
    public init(_ text: String) { self = .sealed(PersonalText(text)) }

    /// The text; `nil` if it was not looked up or has been erased.
    public var text: String? {
        switch self {
        case .plain(let text): text
        case .sealed(let text): text.text
        }
    }

    /// The byte before the seal in binary form, which marks a sealed text; no UTF-8 contains it.
    @usableFromInline static let mark: UInt8 = 0xFF
    /// The number of bytes of the mark and the seal together.
    @usableFromInline static let sealedByteCount = 33

    public static var blank: SealableText { .sealed(.blank) }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout SealableText
    ) throws(Visitor.Failure) {
        try visitor.sealable(&value)
    }
}
