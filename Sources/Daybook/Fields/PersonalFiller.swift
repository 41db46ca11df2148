/// A visitor that fills in the personal texts of a record, of which a payload holds only hashes.
struct PersonalFiller: FieldVisitor {
    typealias Failure = Never

    /// The texts to fill in, in the order of their fields; `nil` for an erased text.
    private let texts: [String?]
    /// The index in `texts` of the text for the next personal field.
    private var nextIndex = 0

    private init(_ texts: [String?]) {
        self.texts = texts
    }

    /// Returns a copy of a record with its personal texts filled in.
    ///
    /// - Parameter text: returns the personal text with an index, counted from 0; `nil` if erased.
    static func fill<Value: Record>(_ value: Value, _ text: (UInt32) -> String?) -> Value {
        var value = value
        var writer = BinaryWriter()
        writer.record(&value)
        guard !writer.seals.isEmpty else { return value }
        var filler = PersonalFiller((0..<UInt32(writer.seals.count)).map(text))
        filler.record(&value)
        return value
    }

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        Value.visit(&self, &value)
    }

    mutating func integer(_ value: inout Int64) {}
    mutating func boolean(_ value: inout Bool) {}
    mutating func text(_ value: inout String) {}
    mutating func digest(_ value: inout Digest) {}
    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {}

    mutating func personal(_ value: inout PersonalText) {
        value.text = nextIndex < texts.count ? texts[nextIndex] : nil
        nextIndex += 1
    }

    mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        guard var some = value else { return }
        Value.visit(&self, &some)
        value = some
    }

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

    mutating func record<Value: Record>(_ value: inout Value) {
        value.fields(&self)
    }
}
