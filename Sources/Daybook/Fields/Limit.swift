/// The allowed values of a field in new data, declared with the field in `Record.fields`.
///
/// Only new data is checked: facts and commands in an input, events that result from a command, and
/// payloads that a program checks itself. Stored history is never refused, so code that computes
/// with stored values must handle any value.
public struct Limit: Hashable, Sendable {
    /// Range of allowed values for an integer, or for each integer in a list or map.
    public var values: ClosedRange<Int64>
    /// Largest number of UTF-8 bytes in a text, in each text of a list or map, or in a map's key.
    public var mostBytes: Int
    /// Largest number of elements in a list or map.
    public var mostElements: Int
    /// True if a text must be the name of a time zone in the tz database, or a fixed UTC offset.
    public var namesZone: Bool
    /// True if the field repeats values of an earlier event, so that no limit is checked within it.
    public var holdsHistory: Bool

    /// Creates a limit; by default it is equal to `standard`.
    public init(
        values: ClosedRange<Int64> = .min ... .max, mostBytes: Int = 65_536,
        mostElements: Int = 1_000_000, namesZone: Bool = false, holdsHistory: Bool = false
    ) {
        self.values = values
        self.mostBytes = mostBytes
        self.mostElements = mostElements
        self.namesZone = namesZone
        self.holdsHistory = holdsHistory
    }

    /// The limit of a field that declares none: any integer, texts of at most 64 KiB, and lists and
    /// maps of at most a million elements.
    public static let standard = Limit()
    /// Equal to `standard`; marks a field that takes whatever a device reports, even if wrong.
    public static let any = Limit()
    /// No limit, so that a correction can repeat a wrong value of an earlier event unchanged.
    public static let history = Limit(holdsHistory: true)

    /// Creates a limit for integers: only values in the range.
    public static func values(_ values: ClosedRange<Int64>) -> Limit { Limit(values: values) }

    /// Creates a limit for texts: at most `most` bytes of UTF-8.
    public static func bytes(_ most: Int) -> Limit { Limit(mostBytes: most) }

    /// Creates a limit for lists and maps: at most `most` elements.
    public static func elements(_ most: Int) -> Limit { Limit(mostElements: most) }

    /// A point in time in the years 1900 to 2199, as microseconds since 1970.
    public static let moment = Limit(
        values: Instant.possibleUs.lowerBound...Instant.possibleUs.upperBound - 1)

    /// A point in time in the years 0 to 9999, as in RFC 3339, in microseconds since 1970.
    public static let time = Limit(values: -62_167_219_200_000_000...253_402_300_799_999_999)
    /// The name of a time zone; a reader of input that has a tz database looks the name up.
    public static let zone = Limit(namesZone: true)
    /// Minutes after midnight, 0 to 1,439.
    public static let minuteOfDay = Limit(values: 0...1_439)
    /// An offset from UTC in seconds, positive to the east, at most 18 hours either way.
    public static let offsetS = Limit(values: -64_800...64_800)
    /// A count from 0 to 10¹².
    public static let count = Limit(values: 0...1_000_000_000_000)
    /// The position of an event in a log, up to 2⁵³; 0 is the position before the first event.
    public static let position = Limit(values: 0...(1 << 53))
    /// A duration in milliseconds, up to 400 days.
    public static let spanMs = Limit(values: 0...400 * 86_400_000)
    /// A duration in seconds, up to 400 days.
    public static let spanS = Limit(values: 0...400 * 86_400)

    /// Returns the allowed integers, such as `expected 0 to 1439`; `nil` if `value` is allowed.
    public func expectation(of value: Int64) -> String? {
        guard !values.contains(value) else { return nil }
        guard self == .moment || self == .time else {
            return "expected \(values.lowerBound) to \(values.upperBound)"
        }
        let ends = [values.lowerBound, values.upperBound].map {
            Timestamp.text(Instant(microseconds: $0))
        }
        return "expected a time from \(ends[0]) to \(ends[1])"
    }

    /// Returns a description of the allowed length of a text; `nil` if the text is not too long.
    public func expectation(of text: String) -> String? {
        text.utf8.count <= mostBytes ? nil : "expected at most \(mostBytes) bytes"
    }

    /// Returns a description of the allowed numbers of elements; `nil` if `count` is allowed.
    public func expectation(ofElements count: Int) -> String? {
        count <= mostElements ? nil : "expected at most \(mostElements) elements"
    }
}

/// A value outside the limit of its field.
public struct OutOfLimit: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the field within the checked record: `points[2].latE9`.
    public var field: String
    /// A description of the allowed values: `expected 0 to 1439`.
    public var expected: String
    /// The integer found, or the size of the text, list or map found: `70000 bytes`.
    public var found: String

    public var description: String { "field '\(field)': \(expected), found \(found)" }
}

extension Record {
    /// An error for each value in this record, at any depth, that is outside its field's limit.
    public var outOfLimits: [OutOfLimit] {
        var checker = LimitChecker(.standard)
        var value = self
        checker.record(&value)
        return checker.errors
    }

    /// Throws an error for the first value outside its limit.
    ///
    /// Tools check facts with it, and a program should call it before it appends payloads itself.
    public func checkLimits() throws(OutOfLimit) {
        if let first = outOfLimits.first { throw first }
    }
}

/// A visitor that finds values outside the limits of their fields.
///
/// It creates paths only for these values, because an audit checks every event of a log.
private struct LimitChecker: FieldListVisitor {
    /// An error for each value found outside its limit, with a path relative to the visited value.
    private(set) var errors: [OutOfLimit] = []
    /// The limit of the visited value, or of the integers and texts in a visited list or map.
    private let limit: Limit

    init(_ limit: Limit) { self.limit = limit }

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        field(name, &value, limit: Value.limit)
    }

    mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) {
        check(&value, limit()) { name.joined(to: $0) }
    }

    /// Checks a field or element; `path` turns a path within it into one within the visited value.
    private mutating func check<Value: FieldValue>(
        _ value: inout Value, _ limit: Limit, path: (String) -> String
    ) {
        guard !limit.holdsHistory else { return }
        var checker = LimitChecker(limit)
        Value.visit(&checker, &value)
        for var inner in checker.errors {
            inner.field = path(inner.field)
            errors.append(inner)
        }
    }

    /// Adds an error about the visited value to `errors`, unless `expected` is `nil`.
    private mutating func report(_ expected: String?, _ found: @autoclosure () -> String) {
        guard let expected else { return }
        errors.append(OutOfLimit(field: "", expected: expected, found: found()))
    }

    mutating func integer(_ value: inout Int64) { report(limit.expectation(of: value), "\(value)") }

    mutating func text(_ value: inout String) {
        report(limit.expectation(of: value), "\(value.utf8.count) bytes")
    }

    mutating func personal(_ value: inout PersonalText) {
        if var text = value.text { self.text(&text) }
    }

    mutating func optional<Value: FieldValue>(_ value: inout Value?) { value?.visit(with: &self) }

    mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        report(limit.expectation(ofElements: value.count), "\(value.count) elements")
        for index in value.indices {
            check(&value[index], limit) { "[\(index)]".joined(to: $0) }
        }
    }

    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        report(limit.expectation(ofElements: value.count), "\(value.count) elements")
        for (key, element) in value.sortedByKeyBytes() {
            report(limit.expectation(of: key), "a name of \(key.utf8.count) bytes")
            var element = element
            check(&element, limit) { key.joined(to: $0) }
        }
    }

    mutating func record<Value: Record>(_ value: inout Value) { value.fields(&self) }
}

extension String {
    /// Returns the path with an inner one appended: `points[2]` and `latE9` give `points[2].latE9`.
    fileprivate func joined(to path: String) -> String {
        path.isEmpty || path.hasPrefix("[") ? self + path : "\(self).\(path)"
    }
}
