/// A visitor that fills in the personal texts of a record, of which a payload holds only hashes.
struct PersonalFiller: FieldListVisitor {
    /// The texts to fill in, in the order of their fields; `nil` for an erased text.
    private let texts: [String?]
    /// The index in `texts` of the text for the next personal field.
    private var nextIndex = 0

    /// Returns a record with its personal texts, which `text` returns by index; `nil` if erased.
    static func fill<Value: Record>(_ value: Value, _ text: (UInt32) -> String?) -> Value {
        let count = UInt32(BinaryWriter(writing: value).seals.count)
        guard count > 0 else { return value }
        var value = value
        var filler = PersonalFiller(texts: (0..<count).map(text))
        filler.record(&value)
        return value
    }

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        Value.visit(&self, &value)
    }

    mutating func personal(_ value: inout PersonalText) {
        value.text = nextIndex < texts.count ? texts[nextIndex] : nil
        nextIndex += 1
    }

    mutating func optional<Value: FieldValue>(_ value: inout Value?) { value?.visit(with: &self) }

    mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        for index in value.indices { Value.visit(&self, &value[index]) }
    }

    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        for (key, element) in value.sortedByKeyBytes() {
            var element = element
            Value.visit(&self, &element)
            value[key] = element
        }
    }

    mutating func record<Value: Record>(_ value: inout Value) { value.fields(&self) }
}
