/// A generator of records with random values. Equal seeds give equal records on every machine.
///
/// Texts come from a short list, so that generated ids collide. Integers are small, large or
/// negative numbers, HTTP status codes, or points in time within one week, because programs treat
/// these integers differently.
package struct Sampler: FieldVisitor, Sendable {
    public typealias Failure = Never

    /// The state of the random number generator.
    private var state: UInt64
    /// The nesting depth of the current record; from 4 on, optionals, lists and maps remain empty.
    private var depth = 0

    /// The earliest generated point in time, 2026-01-01, in microseconds since 1970.
    public static let earliestUs: Int64 = 1_767_225_600_000_000

    /// Creates a generator; equal seeds give equal values.
    public init(seed: UInt64) { state = seed }

    /// Returns the next random number, uniformly distributed over all 64-bit numbers (SplitMix64).
    public mutating func next() -> UInt64 {
        state &+= UInt64.mixingStep
        return state.mixed
    }

    /// Returns a random number from 0 to `count - 1`.
    public mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

    /// Returns a record of the type whose fields have generated values.
    public mutating func record<Value: Record>(_ type: Value.Type) -> Value {
        var value = Value.blank
        value.fields(&self)
        return value
    }

    public mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        Value.visit(&self, &value)
    }

    public mutating func integer(_ value: inout Int64) {
        switch below(8) {
        case 0: value = Int64(below(4))
        case 1: value = Int64(below(1_000))
        case 2: value = [200, 401, 403, 409, 418, 419, 500][below(7)]
        case 3: value = Int64(below(10_000_000))
        case 4: value = -Int64(below(1_000))
        default: value = Self.earliestUs + Int64(below(7 * 24 * 60)) * 60_000_000
        }
    }

    public mutating func boolean(_ value: inout Bool) { value = below(2) == 1 }

    public mutating func text(_ value: inout String) {
        value = ["a", "a", "a", "b", "b", "c", "", "1.2.0", "2026-01-02", "Asia/Seoul"][below(10)]
    }

    public mutating func digest(_ value: inout Digest) { value = Digest(bits: next() % 4) }

    public mutating func personal(_ value: inout PersonalText) { value = .blank }

    /// Generates a blank personal text or a plain text, each with a probability of 1/2.
    public mutating func sealable(_ value: inout SealableText) {
        guard below(2) == 0 else {
            value = .blank
            return
        }
        var plain = ""
        text(&plain)
        value = .plain(plain)
    }

    /// Generates an integer, or an erased one with a probability of 1/8.
    public mutating func personalInteger(_ value: inout PersonalInteger) {
        guard below(8) > 0 else {
            value = .erased
            return
        }
        var integer: Int64 = 0
        self.integer(&integer)
        value = PersonalInteger(integer)
    }

    public mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {
        value = Value(rawValue: UInt8(below(Value.names.count))) ?? value
    }

    public mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        guard below(2) == 1, depth < 4 else {
            value = nil
            return
        }
        var some = Value.blank
        Value.visit(&self, &some)
        value = some
    }

    public mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        value = []
        guard depth < 4 else { return }
        for _ in 0..<below(3) {
            var element = Value.blank
            Value.visit(&self, &element)
            value.append(element)
        }
    }

    public mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        value = [:]
        guard depth < 4 else { return }
        for _ in 0..<below(3) {
            var key = ""
            text(&key)
            var element = Value.blank
            Value.visit(&self, &element)
            value[key] = element
        }
    }

    public mutating func record<Value: Record>(_ value: inout Value) {
        depth += 1
        value.fields(&self)
        depth -= 1
    }
}

extension UInt64 {
    /// The number that SplitMix64 adds to its state at each step.
    public static let mixingStep: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The output of SplitMix64 for this state: each of its bits depends on all bits of the state.
    public var mixed: UInt64 {
        var bits = self
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
