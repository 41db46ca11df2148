/// The user who caused an event, as the event itself names them.
///
/// A log keeps no such name in its events: each refers to a person, whose name is encrypted and
/// can be erased. Readers of a log see the name again, or that it is erased.
public struct Author: FieldValue, ExpressibleByStringLiteral {
    /// `nil` where the name is erased.
    public var name: String?

    @inlinable
    public init(_ name: String) {
        self.name = name
    }

    @inlinable
    public init(stringLiteral name: String) {
        self.name = name
    }

    private init() {}

    /// An author whose name is erased.
    public static let erased = Author()

    @inlinable public static var blank: Author { Author("") }

    @inlinable
    public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Author
    ) throws(Visitor.Failure) {
        try visitor.author(&value)
    }
}
