/// Values that a field may have when it comes in, declared beside the field in `Record.fields`.
///
/// Only what comes in is checked: a fact or a command that is read, the events that a command
/// makes, or a payload that a program checks. Stored history is never refused by a limit; whoever reckons with it survives any value.
public struct Limit: Hashable, Sendable {
    /// Values of an integer, also of each one in a list or map.
    public var values: ClosedRange<Int64>
    /// Bytes of a text in UTF-8, also of each one in a list, and of a map's keys.
    public var mostBytes: Int
    /// Elements of a list or map.
    public var mostElements: Int
    /// True for a text that names a zone of the tz database, or a fixed offset.
    public var namesZone: Bool
    /// True for a record of what the log held before, in which no limit refuses anything.
    public var holdsHistory: Bool

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

    /// The limit of a field without one of its own: any integer, 64 KiB of text.
    public static let standard = Limit()

    /// Any integer, on purpose: what a device said is kept, however wrong.
    public static let any = Limit()

    /// Values as an earlier event has them: whoever corrects one beyond its limit records it as it
    /// was.
    public static let history = Limit(holdsHistory: true)

    /// Integers in a range.
    public static func values(_ values: ClosedRange<Int64>) -> Limit { Limit(values: values) }

    /// Texts of at most so many bytes of UTF-8.
    public static func bytes(_ most: Int) -> Limit { Limit(mostBytes: most) }

    /// Lists and maps of at most so many elements.
    public static func elements(_ most: Int) -> Limit { Limit(mostElements: most) }

    /// Microseconds since 1970 of a moment in the years 1900 to 2199.
    public static let moment = Limit(
        values: Instant.possibleUs.lowerBound...Instant.possibleUs.upperBound - 1)

    /// Microseconds since 1970 of a time in the years 0 to 9999, as RFC 3339 can write it: a notice
    /// may last to the year 9999.
    public static let time = Limit(
        values: -62_167_219_200_000_000...253_402_300_799_999_999)

    /// The name of a zone, which whoever reads it looks up where there is a tz database.
    public static let zone = Limit(namesZone: true)

    /// Minutes after midnight.
    public static let minuteOfDay = Limit(values: 0...1_439)

    /// Seconds east of UTC: 18 hours either way.
    public static let offsetS = Limit(values: -64_800...64_800)

    /// A number of times.
    public static let count = Limit(values: 0...1_000_000_000_000)

    /// A position of a log; 0 lies in front of the first event.
    public static let position = Limit(values: 0...(1 << 53))

    /// A length of time in milliseconds, up to 400 days.
    public static let spanMs = Limit(values: 0...400 * 86_400_000)

    /// A length of time in seconds, up to 400 days.
    public static let spanS = Limit(values: 0...400 * 86_400)
}

extension Limit {
    /// The expected range of a value; `nil` for one within the limit.
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

    /// Describes the expectation that a text misses; `nil` if it keeps the limit.
    public func expectation(of text: String) -> String? {
        text.utf8.count <= mostBytes ? nil : "expected at most \(mostBytes) bytes"
    }

    /// Describes the expectation that a number of elements misses; `nil` if it keeps the limit.
    public func expectation(ofElements count: Int) -> String? {
        count <= mostElements ? nil : "expected at most \(mostElements) elements"
    }
}

/// A value outside the limit of its field.
public struct OutOfLimit: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the field: `points[2].latE9`.
    public var field: String
    /// `expected 0 to 1439`.
    public var expected: String
    /// The integer, or a size: `70000 bytes`.
    public var found: String

    public var description: String { "field '\(field)': \(expected), found \(found)" }
}

extension Record {
    /// The values of this record and of those in it that lie outside the limits of their fields.
    public var outOfLimits: [OutOfLimit] {
        var checker = LimitChecker(.standard)
        var value = self
        checker.record(&value)
        return checker.found
    }

    /// Refuses a value outside the limit of its field, for programs that append payloads of their
    /// own: the same check that facts pass when a tool reads them.
    public func checkLimits() throws(OutOfLimit) {
        if let first = outOfLimits.first { throw first }
    }
}

/// Holds a record's values to the limits of their fields.
///
/// Paths are made for what is found alone, since an audit checks every event of a log.
private struct LimitChecker: FieldVisitor {
    typealias Failure = Never

    /// Paths from the checked value: `[2].latE9`.
    private(set) var found: [OutOfLimit] = []
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

    private mutating func note(_ expected: String?, _ found: @autoclosure () -> String) {
        guard let expected else { return }
        self.found.append(OutOfLimit(field: "", expected: expected, found: found()))
    }

    mutating func integer(_ value: inout Int64) { note(limit.expectation(of: value), "\(value)") }

    mutating func boolean(_ value: inout Bool) {}

    mutating func text(_ value: inout String) {
        note(limit.expectation(of: value), "\(value.utf8.count) bytes")
    }

    mutating func digest(_ value: inout Digest) {}

    mutating func personal(_ value: inout PersonalText) {
        guard let text = value.text else { return }
        note(limit.expectation(of: text), "\(text.utf8.count) bytes")
    }

    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {}

    mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        guard var some = value else { return }
        Value.visit(&self, &some)
    }

    mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        note(limit.expectation(ofElements: value.count), "\(value.count) elements")
        for index in value.indices {
            check(&value[index], limit) { "[\(index)]".joined(to: $0) }
        }
    }

    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        note(limit.expectation(ofElements: value.count), "\(value.count) elements")
        for (key, element) in value.sortedByKeyBytes() {
            note(limit.expectation(of: key), "a name of \(key.utf8.count) bytes")
            var element = element
            check(&element, limit) { key.joined(to: $0) }
        }
    }

    mutating func record<Value: Record>(_ value: inout Value) {
        value.fields(&self)
    }
}

extension String {
    /// The path of a field within what this names: `points[2].latE9`.
    fileprivate func joined(to path: String) -> String {
        path.isEmpty || path.hasPrefix("[") ? self + path : "\(self).\(path)"
    }
}
