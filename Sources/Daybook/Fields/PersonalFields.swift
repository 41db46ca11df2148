extension Record {
    /// True if a field, at any depth, holds a user's name or a personal integer.
    ///
    /// A log stores these values apart from its events. A state's internal fields are searched too.
    public static var holdsPersonalValues: Bool {
        var finder = PersonalFieldFinder()
        var value = Self.blank
        finder.record(&value)
        return finder.hasFoundPersonalField
    }
}

/// A visitor of a blank value that finds fields for users' names or personal integers.
private struct PersonalFieldFinder: FieldListVisitor {
    /// True if the visitor has visited a user's name or a personal integer.
    private(set) var hasFoundPersonalField = false

    /// Visits a blank value of `type`, the type of a field or element.
    private mutating func find<Value: FieldValue>(_ type: Value.Type) {
        var value = Value.blank
        Value.visit(&self, &value)
    }

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        find(Value.self)
    }

    mutating func author(_ value: inout Author) { hasFoundPersonalField = true }
    mutating func personalInteger(_ value: inout PersonalInteger) { hasFoundPersonalField = true }
    mutating func optional<Value: FieldValue>(_ value: inout Value?) { find(Value.self) }
    mutating func list<Value: FieldValue>(_ value: inout [Value]) { find(Value.self) }
    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) { find(Value.self) }
    mutating func record<Value: Record>(_ value: inout Value) { value.fields(&self) }
}
