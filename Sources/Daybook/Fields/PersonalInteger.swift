/// An integer about a person, such as a coordinate of the person's location.
///
/// A log stores all personal integers of an event together, encrypted with a key of the person.
/// Readers of the log get the integer back, or `erased`.
public struct PersonalInteger: FieldValue, Hashable, ExpressibleByIntegerLiteral {
    /// The integer; `nil` if erased.
    public var value: Int64?

    @inlinable public init(_ value: Int64) { self.value = value }

    @inlinable public init(integerLiteral value: Int64) { self.value = value }

    private init() {}

    /// An integer that has been erased.
    public static let erased = PersonalInteger()

    @inlinable public static var blank: PersonalInteger { PersonalInteger(0) }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout PersonalInteger
    ) throws(Visitor.Failure) {
        try visitor.personalInteger(&value)
    }
}
