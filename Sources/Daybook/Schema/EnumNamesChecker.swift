/// A visitor that finds a stored enum whose cases have wrong numbers or names, in a type's fields.
struct EnumNamesChecker: FieldVisitor {
    typealias Failure = Never

    /// The first mistake found in an enum, such as `Condition has 2 names for 3 cases`; else `nil`.
    private(set) var fault: String?

    /// Returns the first mistake in the stored enums of a type and its fields; `nil` if none.
    static func check<Value: FieldValue>(_ type: Value.Type) -> String? {
        var checker = EnumNamesChecker()
        var value = Value.blank
        Value.visit(&checker, &value)
        return checker.fault
    }

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        fault = fault ?? Self.check(Value.self)
    }

    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {
        let codes = Value.allCases.map { Int($0.rawValue) }
        let names = Value.names
        if codes != Array(0..<codes.count) {
            fault = "the cases of \(Value.self) are not numbered 0, 1, 2 and so on"
        } else if names.count != codes.count {
            fault = "\(Value.self) has \(names.count) names for \(codes.count) cases"
        } else if Set(names).count != names.count {
            fault = "two cases of \(Value.self) have the same name"
        }
    }

    mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        fault = Self.check(Value.self)
    }

    mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        fault = Self.check(Value.self)
    }

    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        fault = Self.check(Value.self)
    }

    mutating func record<Value: Record>(_ value: inout Value) { value.fields(&self) }
    mutating func integer(_ value: inout Int64) {}
    mutating func boolean(_ value: inout Bool) {}
    mutating func text(_ value: inout String) {}
    mutating func digest(_ value: inout Digest) {}
    mutating func personal(_ value: inout PersonalText) {}
}
