/// A visitor that a record passes its fields to, in order, such as a reader or a writer.
///
/// A record lists its fields once, in `Record.fields`. The binary form, JSON, comparisons and
/// schemas are all produced by visitors of this list. A visitor may replace the values, as a reader
/// does, or leave them unchanged, as a writer does.
public protocol FieldVisitor<Failure> {
    /// The error that the visitor throws; `Never` for none.
    associatedtype Failure: Error

    /// Visits a field. A record calls this once for each of its fields.
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) throws(Failure)

    /// Visits a field that declares a limit for new values; the default ignores the limit.
    mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) throws(Failure)

    /// Visits a field of a projection's state that only the projection's own code uses.
    ///
    /// The field is stored with the state, but not shown to people. The default visits it like any
    /// other field.
    mutating func internalField<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(Failure)

    /// Visits a field that a later release of the program added at the end of an event's layout.
    ///
    /// The field is `nil` in an event that an earlier release stored. The default visits it like
    /// any other field.
    mutating func addedField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(Failure)

    /// Visits a field that JSON omits if its value is `nil`; by default like any other field.
    mutating func optionalField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(Failure)

    /// Visits an integer.
    mutating func integer(_ value: inout Int64) throws(Failure)
    /// Visits the position of an event; by default as an integer.
    mutating func position(_ value: inout Position) throws(Failure)
    /// Visits a point in time, as microseconds since 1970; by default as an integer.
    mutating func moment(_ value: inout Int64) throws(Failure)
    /// Visits a boolean.
    mutating func boolean(_ value: inout Bool) throws(Failure)
    /// Visits a text.
    mutating func text(_ value: inout String) throws(Failure)
    /// Visits a text that may be a person's words, but is stored as a text; by default as a text.
    mutating func freeText(_ value: inout String) throws(Failure)
    /// Visits a value that is given as JSON text; by default as a text.
    mutating func json(_ value: inout String) throws(Failure)
    /// Visits ten times a number that people see with one decimal; by default as an integer.
    mutating func tenths(_ value: inout Int64) throws(Failure)
    /// Visits a text that an input may also give as a number or a boolean; by default as a text.
    mutating func scalar(_ value: inout String) throws(Failure)
    /// Visits a digest, the first 8 bytes of a SHA-256.
    mutating func digest(_ value: inout Digest) throws(Failure)
    /// Visits a text about a person, of which the binary form contains only a salted hash.
    mutating func personal(_ value: inout PersonalText) throws(Failure)
    /// Visits a text that is plain in some values, as in older events, and personal in others.
    ///
    /// The default visits a plain text with `text`, and a sealed text with `personal`.
    mutating func sealable(_ value: inout SealableText) throws(Failure)
    /// Visits a user's name; by default as a text, or not at all if the name is erased.
    mutating func author(_ value: inout Author) throws(Failure)
    /// Visits an integer about a person; by default as an integer, or not at all if erased.
    mutating func personalInteger(_ value: inout PersonalInteger) throws(Failure)
    /// Visits a case of an enum that is stored as a number.
    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) throws(Failure)
    /// Visits an optional value.
    mutating func optional<Value: FieldValue>(_ value: inout Value?) throws(Failure)
    /// Visits a list.
    mutating func list<Value: FieldValue>(_ value: inout [Value]) throws(Failure)
    /// Visits a dictionary whose keys are texts.
    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) throws(Failure)
    /// Visits a record, usually by visiting its fields.
    mutating func record<Value: Record>(_ value: inout Value) throws(Failure)
}

extension FieldVisitor {
    /// Visits one field: `try field("copy", &copy)`.
    @inlinable @inline(__always) public mutating func callAsFunction<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(Failure) {
        try field(name, &value)
    }

    /// Visits two fields.
    @inlinable @inline(__always) public mutating func callAsFunction<A: FieldValue, B: FieldValue>(
        _ a: String, _ first: inout A, _ b: String, _ second: inout B
    ) throws(Failure) {
        try field(a, &first)
        try field(b, &second)
    }

    /// Visits three fields.
    @inlinable @inline(__always)
    public mutating func callAsFunction<A: FieldValue, B: FieldValue, C: FieldValue>(
        _ a: String, _ first: inout A, _ b: String, _ second: inout B, _ c: String,
        _ third: inout C
    ) throws(Failure) {
        try field(a, &first)
        try field(b, &second)
        try field(c, &third)
    }

    /// Visits four fields.
    @inlinable @inline(__always)
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
    @inlinable @inline(__always) public mutating func callAsFunction<Value: FieldValue>(
        _ name: String, _ value: inout Value, _ limit: @autoclosure () -> Limit
    ) throws(Failure) {
        try field(name, &value, limit: limit())
    }

    /// Visits a field of a state that may have no value, because no event has set it.
    ///
    /// Without a value it is visited as `nil`, so that no answer shows the blank value as a fact.
    ///
    /// - Parameter isSet: true if an event has set the field, also to the blank value; any other
    ///   value was set in any case.
    @inlinable public mutating func callAsFunction<Value: FieldValue>(
        _ name: String, _ value: inout Value, isSet: Bool
    ) throws(Failure) {
        var set = isSet || value != .blank ? value : nil
        try field(name, &set)
        if let set { value = set }
    }

    /// Visits a field of a state, and visits a blank id, point in time or digest as `nil`.
    @inlinable public mutating func unlessBlank<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(Failure) {
        try self(name, &value, isSet: false)
    }

    @inlinable @inline(__always) public mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) throws(Failure) {
        try field(name, &value)
    }

    @inlinable public mutating func internalField<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(Failure) {
        try field(name, &value)
    }

    @inlinable public mutating func addedField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(Failure) {
        try field(name, &value)
    }

    @inlinable public mutating func optionalField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(Failure) {
        try field(name, &value)
    }

    @inlinable public mutating func position(_ value: inout Position) throws(Failure) {
        var number = Int64(clamping: value.rawValue)
        try integer(&number)
        value = Position(UInt64(clamping: number))
    }

    @inlinable
    public mutating func moment(_ value: inout Int64) throws(Failure) { try integer(&value) }
    @inlinable
    public mutating func freeText(_ value: inout String) throws(Failure) { try text(&value) }
    @inlinable public mutating func json(_ value: inout String) throws(Failure) { try text(&value) }
    @inlinable
    public mutating func tenths(_ value: inout Int64) throws(Failure) { try integer(&value) }
    @inlinable
    public mutating func scalar(_ value: inout String) throws(Failure) { try text(&value) }

    @inlinable public mutating func sealable(_ value: inout SealableText) throws(Failure) {
        switch value {
        case .plain(var plain):
            try text(&plain)
            value = .plain(plain)
        case .sealed(var sealed):
            try personal(&sealed)
            value = .sealed(sealed)
        }
    }

    @inlinable public mutating func author(_ value: inout Author) throws(Failure) {
        guard var name = value.name else { return }
        try text(&name)
        value.name = name
    }

    @inlinable
    public mutating func personalInteger(_ value: inout PersonalInteger) throws(Failure) {
        guard var integer = value.value else { return }
        try self.integer(&integer)
        value.value = integer
    }
}

/// A visitor that acts on some fields or values; its methods for values by default do nothing.
@usableFromInline protocol FieldListVisitor: FieldVisitor where Failure == Never {}

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

/// A type whose values can be the fields of records.
public protocol FieldValue: Equatable, Sendable {
    /// The empty value, such as 0 or an empty text; a reader replaces it with the value read.
    static var blank: Self { get }

    /// The value of a field that an input omits; `nil`, the default, if the field is required.
    static var absent: Self? { get }

    /// True if the JSON of a value is neither an object nor a list; true by default.
    static var isScalar: Bool { get }

    /// The limit of new values in fields that declare none; `Limit.standard` by default.
    static var limit: Limit { get }

    /// This value, if its versions can share the memory of unchanged parts; `nil` by default.
    var sharedParts: (any SharedParts)? { get }

    /// Passes the value, which the visitor may replace, to the method for its type, such as `text`.
    static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Self
    ) throws(Visitor.Failure)
}

extension FieldValue {
    @inlinable public static var absent: Self? { nil }
    @inlinable public static var isScalar: Bool { true }
    @inlinable public var sharedParts: (any SharedParts)? { nil }
    public static var limit: Limit { .standard }

    /// Passes this value to the visitor in place, so that `value?.visit(with:)` makes no copy.
    @inlinable mutating func visit<Visitor: FieldVisitor>(
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
    /// The names of the fields that hold a geographic location; `nil` by default.
    static var places: PlaceFields? { get }
    /// The name of the field that identifies the record in a list; `nil` by default.
    ///
    /// Comparisons match the elements of two versions of a list by this field, which must be an
    /// integer or a text.
    static var elementKey: String? { get }

    /// Passes each field to the visitor, always in the same order.
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure)
}

extension Record {
    public static var places: PlaceFields? { nil }
    public static var elementKey: String? { nil }

    /// Creates a record from the blank record, whose values `change` sets.
    public init<Failure: Error>(_ change: (inout Self) throws(Failure) -> Void) throws(Failure) {
        self = .blank
        try change(&self)
    }

    @inlinable public static var isScalar: Bool { false }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Self
    ) throws(Visitor.Failure) {
        try visitor.record(&value)
    }
}
