/// A text that may be a person's words, but is stored in plain text and not erased.
///
/// Exports of a whole log hide it like a personal text. Everything else treats it as a text, so a
/// field of this type has the form and the bytes of a text.
public struct FreeText: FieldValue, Hashable {
    /// The text.
    public var text: String

    public init(_ text: String) { self.text = text }

    public static var blank: FreeText { FreeText("") }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout FreeText
    ) throws(Visitor.Failure) {
        try visitor.freeText(&value.text)
    }
}
