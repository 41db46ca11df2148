extension Int64: FieldValue {
    @inlinable public static var blank: Int64 { 0 }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Int64
    ) throws(Visitor.Failure) {
        try visitor.integer(&value)
    }
}

/// A point in time as a field, which is stored as microseconds since 1970.
///
/// An input may also give the point in time as an RFC 3339 text, and answers show such a text.
extension Instant: FieldValue {
    public static var blank: Instant { .epoch }
    /// The default: a new value must be in the years 1900 to 2199.
    public static var limit: Limit { .moment }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Instant
    ) throws(Visitor.Failure) {
        var microseconds = value.microseconds
        try visitor.moment(&microseconds)
        value = Instant(microseconds: microseconds)
    }
}

extension Position: FieldValue {
    @inlinable public static var blank: Position { Position(0) }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Position
    ) throws(Visitor.Failure) {
        try visitor.position(&value)
    }
}

extension Bool: FieldValue {
    @inlinable public static var blank: Bool { false }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Bool
    ) throws(Visitor.Failure) {
        try visitor.boolean(&value)
    }
}

extension String: FieldValue {
    @inlinable public static var blank: String { "" }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout String
    ) throws(Visitor.Failure) {
        try visitor.text(&value)
    }
}

extension Optional: FieldValue where Wrapped: FieldValue {
    // Disfavored, so that `states[id] ?? .blank` is a blank state and not `nil`.
    @_disfavoredOverload @inlinable public static var blank: Wrapped? { nil }
    /// `nil`: an input may omit an optional field.
    @inlinable public static var absent: Wrapped?? { .some(nil) }
    @inlinable public static var isScalar: Bool { Wrapped.isScalar }
    /// The limit of a value that is not `nil`.
    public static var limit: Limit { Wrapped.limit }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Wrapped?
    ) throws(Visitor.Failure) {
        try visitor.optional(&value)
    }
}

extension Array: FieldValue where Element: FieldValue {
    @inlinable public static var blank: [Element] { [] }
    /// An empty list: an input may omit the field.
    @inlinable public static var absent: [Element]? { [] }
    @inlinable public static var isScalar: Bool { false }
    /// The limit of each element.
    public static var limit: Limit { Element.limit }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout [Element]
    ) throws(Visitor.Failure) {
        try visitor.list(&value)
    }
}

extension Dictionary: FieldValue where Key == String, Value: FieldValue {
    @inlinable public static var blank: [String: Value] { [:] }
    /// An empty dictionary: an input may omit the field.
    @inlinable public static var absent: [String: Value]? { [:] }
    @inlinable public static var isScalar: Bool { false }
    /// The limit of each value in the dictionary.
    public static var limit: Limit { Value.limit }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout [String: Value]
    ) throws(Visitor.Failure) {
        try visitor.map(&value)
    }
}

extension Digest: FieldValue {
    @inlinable public static var blank: Digest { Digest(bits: 0) }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Digest
    ) throws(Visitor.Failure) {
        try visitor.digest(&value)
    }
}

/// A text about a person, which can be erased without breaking the hash chain of the log.
///
/// The event contains the seal, SHA-256(salt ‖ text). The log stores the salt and the text in a
/// separate table.
public struct PersonalText: FieldValue, Hashable {
    /// The seal, a salted hash of 32 bytes; all zero until a log has computed it.
    public var seal: [UInt8] {
        get { sealBytes.array }
        set { sealBytes = SealBytes(newValue) }
    }
    /// The bytes of the seal, without an array, because most readers of an event ignore them.
    var sealBytes = SealBytes()
    /// The text; `nil` if it was not looked up or has been erased.
    public var text: String?

    /// The number of bytes of a seal.
    public static let sealByteCount = 32

    /// Creates a new text, whose seal the log computes when the event is appended.
    public init(_ text: String) { self.text = text }

    /// Creates a stored text with its seal; `nil` if the text was not looked up or has been erased.
    public init(seal: [UInt8], text: String? = nil) {
        sealBytes = SealBytes(seal)
        self.text = text
    }

    /// Creates a stored text that was not looked up, with the 32 bytes of its seal.
    init(seal: UnsafeBufferPointer<UInt8>) { unsafe sealBytes = SealBytes(seal) }

    public static var blank: PersonalText { PersonalText("") }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout PersonalText
    ) throws(Visitor.Failure) {
        try visitor.personal(&value)
    }
}

/// The 32 bytes of a seal, as four words in the order of memory.
struct SealBytes: Hashable, Sendable {
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var fourth: UInt64 = 0

    /// Creates a seal of zeros.
    init() {}

    /// Copies up to 32 bytes; those that are missing are zero.
    init(_ bytes: some Collection<UInt8>) {
        unsafe withUnsafeMutableBytes(of: &self) {
            unsafe $0.copyBytes(from: bytes.prefix(PersonalText.sealByteCount))
        }
    }

    /// The bytes as an array.
    var array: [UInt8] { unsafe withUnsafeBytes(of: self) { unsafe Array($0) } }
}

/// A value exactly as the input wrote it: a text, a number or a boolean.
///
/// Amounts are read as scalars, so that `4.5` remains an exact decimal number and is not rounded to
/// a binary fraction.
public struct Scalar: FieldValue, Hashable, ExpressibleByStringLiteral {
    /// The value as the input wrote it, without the quotation marks of a text.
    public var text: String

    public init(_ text: String) { self.text = text }

    public init(stringLiteral text: String) { self.text = text }

    public static var blank: Scalar { Scalar("") }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Scalar
    ) throws(Visitor.Failure) {
        try visitor.scalar(&value.text)
    }
}

/// A field of an answer that is given as finished JSON: an object, a list or a single value.
package struct JSONText: FieldValue {
    /// The JSON text of one value, copied unchanged into the answer's JSON.
    public var text: String

    public init(_ text: String) { self.text = text }

    public static var blank: JSONText { JSONText("null") }
    @inlinable public static var isScalar: Bool { false }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout JSONText
    ) throws(Visitor.Failure) {
        try visitor.json(&value.text)
    }
}

/// A number with one decimal, kept as whole tenths.
public struct Tenths: FieldValue, Hashable, Comparable {
    /// Ten times the number.
    public var tenths: Int64

    public init(tenths: Int64) { self.tenths = tenths }

    /// Creates the average `total / count`, halves away from zero; 0 if `count` is not positive.
    public init(_ total: Int64, per count: Int64) {
        tenths = Self.rounded(total.saturatingProduct(10), count)
    }

    /// Returns the quotient, halves rounded away from zero; 0 if the divisor is not positive.
    public static func rounded(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        guard divisor > 0 else { return 0 }
        let half = dividend < 0 ? -(divisor / 2) : divisor / 2
        return dividend.saturatingSum(half) / divisor
    }

    public static var blank: Tenths { Tenths(tenths: 0) }

    public static func < (a: Tenths, b: Tenths) -> Bool { a.tenths < b.tenths }

    /// The number with one decimal: `12.3`.
    public var text: String {
        let magnitude = tenths.magnitude
        return "\(tenths < 0 ? "-" : "")\(magnitude / 10).\(magnitude % 10)"
    }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Tenths
    ) throws(Visitor.Failure) {
        try visitor.tenths(&value.tenths)
    }
}
