extension Record {
    /// True if a field, at any depth, holds a user's name or a personal integer.
    ///
    /// A log stores these values apart from its events, so that they can be erased. The internal
    /// fields of a state are searched too, because they are stored with the state.
    public static var holdsPersonalValues: Bool {
        var finder = PersonalFieldFinder()
        var value = Self.blank
        finder.record(&value)
        return finder.hasFoundPersonalField
    }
}

/// A visitor that finds out whether a type has fields for users' names or personal integers.
///
/// It visits a blank value of the type.
private struct PersonalFieldFinder: FieldVisitor {
    typealias Failure = Never

    /// True if the visitor has visited a user's name or a personal integer.
    private(set) var hasFoundPersonalField = false

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        find(Value.self)
    }

    /// Visits a blank value of `type`, the type of a field or element.
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
    mutating func author(_ value: inout Author) { hasFoundPersonalField = true }
    mutating func personalInteger(_ value: inout PersonalInteger) { hasFoundPersonalField = true }
    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {}
    mutating func optional<Value: FieldValue>(_ value: inout Value?) { find(Value.self) }
    mutating func list<Value: FieldValue>(_ value: inout [Value]) { find(Value.self) }
    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) { find(Value.self) }

    mutating func record<Value: Record>(_ value: inout Value) { value.fields(&self) }
}
