extension Record {
    /// True if a field, at any depth, holds personal data that a log stores separately.
    ///
    /// Internal fields also count, because they are stored with a state.
    public static var holdsPersonalValues: Bool {
        var finder = PersonalFieldFinder()
        var value = Self.blank
        finder.record(&value)
        return finder.hasFound
    }
}

/// A visitor that finds the personal fields of a type by visiting a blank value of it.
private struct PersonalFieldFinder: FieldVisitor {
    typealias Failure = Never

    /// True once a personal field was visited.
    private(set) var hasFound = false

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        find(Value.self)
    }

    /// Visits a blank value of a type.
    private mutating func find<Value: FieldValue>(_ type: Value.Type) {
        var value = Value.blank
        Value.visit(&self, &value)
    }

    mutating func integer(_ value: inout Int64) {}
    mutating func boolean(_ value: inout Bool) {}
    mutating func text(_ value: inout String) {}
    mutating func digest(_ value: inout Digest) {}
    /// Ignores the text, because the record stores only its salted hash, the seal.
    mutating func personal(_ value: inout PersonalText) {}
    mutating func author(_ value: inout Author) { hasFound = true }
    mutating func personalInteger(_ value: inout PersonalInteger) { hasFound = true }
    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {}
    mutating func optional<Value: FieldValue>(_ value: inout Value?) { find(Value.self) }
    mutating func list<Value: FieldValue>(_ value: inout [Value]) { find(Value.self) }
    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) { find(Value.self) }

    mutating func record<Value: Record>(_ value: inout Value) { value.fields(&self) }
}
