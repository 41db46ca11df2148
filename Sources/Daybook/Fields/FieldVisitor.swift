/// A visitor of a record's fields in order, such as a reader, a writer or a schema.
///
/// A record lists its fields once, in `Record.fields`. Binary form, JSON, comparison and schema are
/// all visitors of this list. A visitor that only reads leaves the values unchanged.
public protocol FieldVisitor<Failure> {
    /// The error that the visitor throws; `Never` for none.
    associatedtype Failure: Error

    /// Visits a field.
    mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(Failure)

    /// Visits a field that declares a limit for new values; by default ignores the limit.
    mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) throws(Failure)

    /// Visits a field of a state that only the fold uses; by default like any other field.
    ///
    /// The field is stored with the state, but not shown to people.
    mutating func internalField<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(Failure)

    /// Visits a field that a later release added at the end of an event's layout.
    ///
    /// The field is `nil` in an event that was stored before. By default it is visited like any
    /// other field.
    mutating func addedField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(Failure)

    /// Visits a field that JSON leaves out if it is `nil`, instead of writing `null`.
    mutating func optionalField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(Failure)

    /// Visits an integer.
    mutating func integer(_ value: inout Int64) throws(Failure)
    /// Visits the position of an event; by default as an integer.
    mutating func position(_ value: inout Position) throws(Failure)
    /// Visits a moment, as microseconds since 1970; by default as an integer.
    mutating func moment(_ value: inout Int64) throws(Failure)
    /// Visits a boolean.
    mutating func boolean(_ value: inout Bool) throws(Failure)
    /// Visits a text.
    mutating func text(_ value: inout String) throws(Failure)
    /// Visits a ready-made JSON value; by default as a text.
    mutating func json(_ value: inout String) throws(Failure)
    /// Visits a number of tenths, shown to people with one decimal; by default as an integer.
    mutating func tenths(_ value: inout Int64) throws(Failure)
    /// Visits a text that an input may also give as a number or a boolean; by default as a text.
    mutating func scalar(_ value: inout String) throws(Failure)
    /// Visits a digest.
    mutating func digest(_ value: inout Digest) throws(Failure)
    /// Visits a personal text.
    mutating func personal(_ value: inout PersonalText) throws(Failure)
    /// Visits a text that may be personal; by default as a text or a personal text.
    ///
    /// The texts of some fields are plain in older events and personal in newer events.
    mutating func sealable(_ value: inout SealableText) throws(Failure)
    /// Visits a user's name; by default as a text, or not at all if it is erased.
    mutating func author(_ value: inout Author) throws(Failure)
    /// Visits an integer about a person; by default as an integer, or not at all if it is erased.
    mutating func personalInteger(_ value: inout PersonalInteger) throws(Failure)
    /// Visits a case of an enum that is stored as a number.
    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) throws(Failure)
    /// Visits an optional value.
    mutating func optional<Value: FieldValue>(_ value: inout Value?) throws(Failure)
    /// Visits a list.
    mutating func list<Value: FieldValue>(_ value: inout [Value]) throws(Failure)
    /// Visits a map from texts to values.
    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) throws(Failure)
    /// Visits a record, usually by visiting its fields.
    mutating func record<Value: Record>(_ value: inout Value) throws(Failure)
}

extension FieldVisitor {
    /// Visits one field: `try field("copy", &copy)`.
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

    /// Visits one field with a limit for new values: `try field("count", &count, .count)`.
    @inlinable
    @inline(__always)
    public mutating func callAsFunction<Value: FieldValue>(
        _ name: String, _ value: inout Value, _ limit: @autoclosure () -> Limit
    ) throws(Failure) {
        try field(name, &value, limit: limit())
    }

    /// Visits the field without its limit.
    @inlinable
    @inline(__always)
    public mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) throws(Failure) {
        try field(name, &value)
    }

    /// Visits the field like any other field.
    @inlinable
    public mutating func internalField<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(Failure) {
        try field(name, &value)
    }

    /// Visits the field like any other field.
    @inlinable
    public mutating func addedField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(Failure) {
        try field(name, &value)
    }

    /// Visits the field like any other field.
    @inlinable
    public mutating func optionalField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(Failure) {
        try field(name, &value)
    }

    /// Visits the position as an integer.
    @inlinable
    public mutating func position(_ value: inout Position) throws(Failure) {
        var number = Int64(clamping: value.rawValue)
        try integer(&number)
        value = Position(UInt64(clamping: number))
    }

    /// Visits the moment as an integer.
    @inlinable
    public mutating func moment(_ value: inout Int64) throws(Failure) { try integer(&value) }

    /// Visits the JSON as a text.
    @inlinable
    public mutating func json(_ value: inout String) throws(Failure) { try text(&value) }

    /// Visits the number of tenths as an integer.
    @inlinable
    public mutating func tenths(_ value: inout Int64) throws(Failure) { try integer(&value) }

    /// Visits the scalar as a text.
    @inlinable
    public mutating func scalar(_ value: inout String) throws(Failure) { try text(&value) }

    /// Visits a plain text as a text, and a sealed text as a personal text.
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

    /// Visits the name as a text, unless it is erased.
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

/// A visitor that handles a record's top-level fields as a whole, and ignores single values.
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

/// A type of value that a field can have.
public protocol FieldValue: Hashable, Sendable {
    /// The empty value, with which a reader starts.
    static var blank: Self { get }

    /// The value of a field that the input leaves out; `nil`, the default, if it is required.
    static var absent: Self? { get }

    /// True, the default, if the JSON of a value is neither an object nor a list.
    static var isScalar: Bool { get }

    /// The limit of new values if the field declares none; `Limit.standard` by default.
    static var limit: Limit { get }

    /// The value itself if its versions share unchanged parts; else `nil`, the default.
    var sharedParts: (any SharedParts)? { get }

    /// Passes the value to the visitor's method for its type.
    ///
    /// Afterwards it is the value that the visitor read, or unchanged.
    static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Self
    ) throws(Visitor.Failure)
}

extension FieldValue {
    /// `nil`, by default: a field is required.
    @inlinable public static var absent: Self? { nil }
    /// The default: the value is one number, text or boolean, and no list or record.
    @inlinable public static var isScalar: Bool { true }
    /// `nil`, by default: versions of a value share no parts.
    @inlinable public var sharedParts: (any SharedParts)? { nil }
    /// The standard limit, by default.
    public static var limit: Limit { .standard }

    /// Visits a value in place, without copying an optional value.
    @inlinable
    mutating func visit<Visitor: FieldVisitor>(
        with visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try Self.visit(&visitor, &self)
    }
}

/// A value with named fields: an event's payload, a command, a projection's state.
///
/// A field is declared twice: as a property with its initial value, and in the list of `fields`.
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
    /// The fields that together hold a geographic location; `nil`, the default, for none.
    static var places: PlaceFields? { get }
    /// Name of the field that identifies the record in a list; `nil`, the default, for none.
    ///
    /// Comparisons match the elements of two versions of a list by this field. It is an integer or
    /// a text.
    static var elementKey: String? { get }

    /// Passes each field to the visitor, always in the same order.
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure)
}

extension Record {
    /// The default: the record has no location.
    public static var places: PlaceFields? { nil }
    /// The default: elements of a list of this type are matched by their index.
    public static var elementKey: String? { nil }

    /// Creates a record from the blank record by changing some of its values.
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
