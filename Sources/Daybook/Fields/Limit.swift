/// The values that a field may have in new data, declared with the field in `Record.fields`.
///
/// Only new data is checked: facts and commands that are read, events that a command gives, and
/// payloads that a program checks itself. Stored history is never refused, so code that computes
/// with stored values must handle any value.
public struct Limit: Hashable, Sendable {
    /// Allowed values of an integer, and of each integer in a list or map.
    public var values: ClosedRange<Int64>
    /// Largest number of UTF-8 bytes of a text, of each text in a list or map, and of a map's keys.
    public var mostBytes: Int
    /// Largest number of elements of a list or map.
    public var mostElements: Int
    /// True if a text must name a zone of the tz database or a fixed offset.
    public var namesZone: Bool
    /// True for a record that repeats values of an earlier event, in which no limit is checked.
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

    /// The limit of a field that declares none: any integer, and texts of up to 64 KiB.
    public static let standard = Limit()

    /// No bounds: declares that a device's value is recorded even if it is clearly wrong.
    public static let any = Limit()

    /// Values of an earlier event, without limits.
    ///
    /// A correction of a value outside its limit also records the earlier value unchanged.
    public static let history = Limit(holdsHistory: true)

    /// Returns the limit of integers in a range.
    public static func values(_ values: ClosedRange<Int64>) -> Limit { Limit(values: values) }

    /// Returns the limit of texts with at most `most` bytes of UTF-8.
    public static func bytes(_ most: Int) -> Limit { Limit(mostBytes: most) }

    /// Returns the limit of lists and maps with at most `most` elements.
    public static func elements(_ most: Int) -> Limit { Limit(mostElements: most) }

    /// Microseconds since 1970 of a moment in the years 1900 to 2199.
    public static let moment = Limit(
        values: Instant.possibleUs.lowerBound...Instant.possibleUs.upperBound - 1)

    /// Microseconds since 1970 of a time in the years 0 to 9999.
    ///
    /// RFC 3339 can express these times. A notice, for example, may last to the year 9999.
    public static let time = Limit(
        values: -62_167_219_200_000_000...253_402_300_799_999_999)

    /// The name of a time zone, which a reader of input looks up if it has a tz database.
    public static let zone = Limit(namesZone: true)

    /// Minutes after midnight.
    public static let minuteOfDay = Limit(values: 0...1_439)

    /// Seconds east of UTC, up to 18 hours in both directions.
    public static let offsetS = Limit(values: -64_800...64_800)

    /// A count from 0 to 10¹².
    public static let count = Limit(values: 0...1_000_000_000_000)

    /// A position of a log up to 2⁵³; 0 is the position before the first event.
    public static let position = Limit(values: 0...(1 << 53))

    /// A duration in milliseconds, up to 400 days.
    public static let spanMs = Limit(values: 0...400 * 86_400_000)

    /// A duration in seconds, up to 400 days.
    public static let spanS = Limit(values: 0...400 * 86_400)
}

extension Limit {
    /// Returns what is allowed instead of an integer, `expected 0 to 1439`; `nil` if it is allowed.
    public func expectation(of value: Int64) -> String? {
        guard !values.contains(value) else { return nil }
        guard self == .moment || self == .time else {
            return "expected \(values.lowerBound) to \(values.upperBound)"
        }
        let ends = [values.lowerBound, values.upperBound].map {
            Timestamp.text(Instant(microseconds: $0))
        }
        return "expected a moment from \(ends[0]) to \(ends[1])"
    }

    /// Returns what is allowed instead of a text that is too long; `nil` if the text is allowed.
    public func expectation(of text: String) -> String? {
        text.utf8.count <= mostBytes ? nil : "expected at most \(mostBytes) bytes"
    }

    /// Returns what is allowed instead of a number of elements; `nil` if the number is allowed.
    public func expectation(ofElements count: Int) -> String? {
        count <= mostElements ? nil : "expected at most \(mostElements) elements"
    }
}

/// A value outside the limit of its field.
public struct OutOfLimit: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the field: `points[2].latE9`.
    public var field: String
    /// The allowed values: `expected 0 to 1439`.
    public var expected: String
    /// The integer, or the size of a text, list or map: `70000 bytes`.
    public var found: String

    public var description: String { "field '\(field)': \(expected), found \(found)" }
}

extension Record {
    /// The values of this record, at any depth, that are outside the limits of their fields.
    public var outOfLimits: [OutOfLimit] {
        var checker = LimitChecker(.standard)
        var value = self
        checker.record(&value)
        return checker.found
    }

    /// Throws an error for the first value outside the limit of its field.
    ///
    /// For programs that append payloads themselves; tools check the facts that they read in the
    /// same way.
    public func checkLimits() throws(OutOfLimit) {
        if let first = outOfLimits.first { throw first }
    }
}

/// A visitor that finds values outside the limits of their fields.
///
/// Paths are created only for these values, because an audit checks every event of a log.
private struct LimitChecker: FieldVisitor {
    typealias Failure = Never

    /// Values outside their limits, with paths relative to the checked value: `[2].latE9`.
    private(set) var found: [OutOfLimit] = []
    /// The limit of the visited value, and of the integers and texts in it.
    private let limit: Limit

    init(_ limit: Limit) {
        self.limit = limit
    }

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        field(name, &value, limit: Value.limit)
    }

    mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) {
        check(&value, limit()) { name.joined(to: $0) }
    }

    /// Checks a field or element, and prefixes the paths of its findings with `path`.
    private mutating func check<Value: FieldValue>(
        _ value: inout Value, _ limit: Limit, path: (String) -> String
    ) {
        guard !limit.holdsHistory else { return }
        var checker = LimitChecker(limit)
        Value.visit(&checker, &value)
        for var inner in checker.found {
            inner.field = path(inner.field)
            found.append(inner)
        }
    }

    /// Adds a finding about the visited value, unless `expected` is `nil`.
    private mutating func report(_ expected: String?, _ found: @autoclosure () -> String) {
        guard let expected else { return }
        self.found.append(OutOfLimit(field: "", expected: expected, found: found()))
    }

    mutating func integer(_ value: inout Int64) { report(limit.expectation(of: value), "\(value)") }

    mutating func boolean(_ value: inout Bool) {}

    mutating func text(_ value: inout String) {
        report(limit.expectation(of: value), "\(value.utf8.count) bytes")
    }

    mutating func digest(_ value: inout Digest) {}

    mutating func personal(_ value: inout PersonalText) {
        guard let text = value.text else { return }
        report(limit.expectation(of: text), "\(text.utf8.count) bytes")
    }

    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {}

    mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        guard var some = value else { return }
        Value.visit(&self, &some)
    }

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

    mutating func record<Value: Record>(_ value: inout Value) {
        value.fields(&self)
    }
}

extension String {
    /// Returns the path of a field within the value that this path names: `points[2].latE9`.
    fileprivate func joined(to path: String) -> String {
        path.isEmpty || path.hasPrefix("[") ? self + path : "\(self).\(path)"
    }
}
