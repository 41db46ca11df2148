/// The name of the user who caused an event, as a field of the event.
///
/// A log stores the name encrypted, outside the event, so that the name can be erased. Readers of
/// the log get the name back, or `erased`.
public struct Author: FieldValue, Hashable, ExpressibleByStringLiteral {
    /// The name of the user; `nil` if erased.
    public var name: String?

    @inlinable public init(_ name: String) { self.name = name }

    @inlinable public init(stringLiteral name: String) { self.name = name }

    private init() {}

    /// An author whose name is erased.
    public static let erased = Author()

    @inlinable public static var blank: Author { Author("") }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Author
    ) throws(Visitor.Failure) {
        try visitor.author(&value)
    }
}
