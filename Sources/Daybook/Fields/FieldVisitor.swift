/// A visitor of a record's fields, in order: a reader, a writer, a schema.
///
/// A record lists its fields once, in `Record.fields`; binary form, JSON, diff and schema are all
/// visitors of that list. A writer leaves the values as they are.
public protocol FieldVisitor<Failure> {
    associatedtype Failure: Error

    mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(Failure)

    /// A field whose incoming values have a limit of their own.
    mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) throws(Failure)

    /// A field that a fold keeps for itself: stored with the state, and not shown to people.
    mutating func internalField<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(Failure)

    /// A field that a later release added at the end of an event's layout.
    ///
    /// An event that was stored before reads as one without it.
    mutating func addedField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(Failure)

    /// A field that JSON leaves out where it is nil, instead of writing `null`.
    mutating func optionalField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(Failure)

    mutating func integer(_ value: inout Int64) throws(Failure)
    mutating func position(_ value: inout Position) throws(Failure)
    /// A moment, as microseconds since 1970.
    mutating func moment(_ value: inout Int64) throws(Failure)
    mutating func boolean(_ value: inout Bool) throws(Failure)
    mutating func text(_ value: inout String) throws(Failure)
    /// The text of a value that is JSON already.
    mutating func json(_ value: inout String) throws(Failure)
    /// A number of tenths, which people read with one decimal.
    mutating func tenths(_ value: inout Int64) throws(Failure)
    /// A text that an input may also give as a number or as true or false.
    mutating func scalar(_ value: inout String) throws(Failure)
    mutating func digest(_ value: inout Digest) throws(Failure)
    mutating func personal(_ value: inout PersonalText) throws(Failure)
    /// A text that is clear in older events and personal in new ones.
    mutating func sealable(_ value: inout SealableText) throws(Failure)
    /// A user's name, which is a text unless it is erased.
    mutating func author(_ value: inout Author) throws(Failure)
    /// An integer about a person, unless it is erased.
    mutating func personalInteger(_ value: inout PersonalInteger) throws(Failure)
    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) throws(Failure)
    mutating func optional<Value: FieldValue>(_ value: inout Value?) throws(Failure)
    mutating func list<Value: FieldValue>(_ value: inout [Value]) throws(Failure)
    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) throws(Failure)
    mutating func record<Value: Record>(_ value: inout Value) throws(Failure)
}

extension FieldVisitor {
    /// Visits one field of a list: `try field("copy", &copy)`.
    @inlinable
    @inline(__always)
    public mutating func callAsFunction<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(Failure) {
        try field(name, &value)
    }

    /// Visits two fields.
    @inlinable
    @inline(__always)
    public mutating func callAsFunction<A: FieldValue, B: FieldValue>(
        _ a: String, _ first: inout A, _ b: String, _ second: inout B
    ) throws(Failure) {
        try field(a, &first)
        try field(b, &second)
    }

    /// Visits three fields.
    @inlinable
    @inline(__always)
    public mutating func callAsFunction<A: FieldValue, B: FieldValue, C: FieldValue>(
        _ a: String, _ first: inout A, _ b: String, _ second: inout B, _ c: String,
        _ third: inout C
    ) throws(Failure) {
        try field(a, &first)
        try field(b, &second)
        try field(c, &third)
    }

    /// Visits four fields.
    @inlinable
    @inline(__always)
    public mutating func callAsFunction<
        A: FieldValue, B: FieldValue, C: FieldValue, D: FieldValue
    >(
        _ a: String, _ first: inout A, _ b: String, _ second: inout B, _ c: String,
        _ third: inout C, _ d: String, _ fourth: inout D
    ) throws(Failure) {
        try field(a, &first)
        try field(b, &second)
        try field(c, &third)
        try field(d, &fourth)
    }

    /// Visits one field and says which incoming values it takes.
    @inlinable
    @inline(__always)
    public mutating func callAsFunction<Value: FieldValue>(
        _ name: String, _ value: inout Value, _ limit: @autoclosure () -> Limit
    ) throws(Failure) {
        try field(name, &value, limit: limit())
    }

    @inlinable
    @inline(__always)
    public mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) throws(Failure) {
        try field(name, &value)
    }

    @inlinable
    public mutating func internalField<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(Failure) {
        try field(name, &value)
    }

    @inlinable
    public mutating func addedField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(Failure) {
        try field(name, &value)
    }

    @inlinable
    public mutating func optionalField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(Failure) {
        try field(name, &value)
    }

    @inlinable
    public mutating func position(_ value: inout Position) throws(Failure) {
        var number = Int64(clamping: value.rawValue)
        try integer(&number)
        value = Position(UInt64(clamping: number))
    }

    @inlinable
    public mutating func moment(_ value: inout Int64) throws(Failure) { try integer(&value) }

    @inlinable
    public mutating func json(_ value: inout String) throws(Failure) { try text(&value) }

    @inlinable
    public mutating func tenths(_ value: inout Int64) throws(Failure) { try integer(&value) }

    @inlinable
    public mutating func scalar(_ value: inout String) throws(Failure) { try text(&value) }

    /// Visits the text in its form.
    @inlinable
    public mutating func sealable(_ value: inout SealableText) throws(Failure) {
        switch value {
        case .plain(var plain):
            try text(&plain)
            value = .plain(plain)
        case .sealed(var sealed):
            try personal(&sealed)
            value = .sealed(sealed)
        }
    }

    /// Visits the name, unless it is erased.
    @inlinable
    public mutating func author(_ value: inout Author) throws(Failure) {
        guard var name = value.name else { return }
        try text(&name)
        value.name = name
    }

    /// Visits the integer, unless it is erased.
    @inlinable
    public mutating func personalInteger(_ value: inout PersonalInteger) throws(Failure) {
        guard var integer = value.value else { return }
        try self.integer(&integer)
        value.value = integer
    }
}

/// A visitor of a record's own fields, which it takes whole: no value is ever shown to it.
@usableFromInline
protocol FieldListVisitor: FieldVisitor where Failure == Never {}

extension FieldListVisitor {
    @inlinable mutating func integer(_ value: inout Int64) {}
    @inlinable mutating func boolean(_ value: inout Bool) {}
    @inlinable mutating func text(_ value: inout String) {}
    @inlinable mutating func digest(_ value: inout Digest) {}
    @inlinable mutating func personal(_ value: inout PersonalText) {}
    @inlinable mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {}
    @inlinable mutating func optional<Value: FieldValue>(_ value: inout Value?) {}
    @inlinable mutating func list<Value: FieldValue>(_ value: inout [Value]) {}
    @inlinable mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {}
    @inlinable mutating func record<Value: Record>(_ value: inout Value) {}
}

/// A value that a field can have.
public protocol FieldValue: Hashable, Sendable {
    /// The empty value that a reader fills in.
    static var blank: Self { get }

    /// Default of a field that the input leaves out; `nil` if the field is required.
    static var absent: Self? { get }

    /// `true` if JSON writes it as one value: no record, list or map.
    static var isScalar: Bool { get }

    /// The limit of incoming values where the field declares none.
    static var limit: Limit { get }

    /// The value, if its versions share what is the same in them.
    var sharedParts: (any SharedParts)? { get }

    static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Self
    ) throws(Visitor.Failure)
}

extension FieldValue {
    @inlinable public static var absent: Self? { nil }
    @inlinable public static var isScalar: Bool { true }
    @inlinable public var sharedParts: (any SharedParts)? { nil }
    public static var limit: Limit { .standard }

    /// Visits a value in place, without copying an optional value.
    @inlinable
    mutating func visit<Visitor: FieldVisitor>(
        with visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try Self.visit(&visitor, &self)
    }
}

/// A value made of named fields: an event's payload, a command, a projection's state.
///
/// A field is declared twice: as a property with its first value, and in the list of `fields`.
///
///     public struct Borrowed: EventPayload {
///         public static let kind: EventKind = "lending.borrowed.v1"
///         public var copy = ""
///         public var member = ""
///         public static var blank: Self { Self() }
///         public var tags: [Tag] { [Tag("copy", copy), Tag("member", member)] }
///
///         public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
///             try field("copy", &copy)
///             try field("member", &member)
///         }
///     }
public protocol Record: FieldValue {
    /// Fields that together hold a place; `nil` for a record without one.
    static var places: PlaceFields? { get }
    /// The field that tells the elements of a list from each other; `nil` for a record without one.
    ///
    /// Two versions of a list are compared by it. An integer or a text.
    static var elementKey: String? { get }

    /// Shows each field to the visitor, always in the same order.
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure)
}

extension Record {
    public static var places: PlaceFields? { nil }
    public static var elementKey: String? { nil }

    /// A record that differs from the blank one in what `change` sets.
    public init<Failure: Error>(
        _ change: (inout Self) throws(Failure) -> Void
    ) throws(Failure) {
        self = .blank
        try change(&self)
    }

    @inlinable public static var isScalar: Bool { false }

    @inlinable
    public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Self
    ) throws(Visitor.Failure) {
        try visitor.record(&value)
    }
}
