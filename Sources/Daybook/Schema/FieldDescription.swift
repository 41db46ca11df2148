/// The name and form of one field, for listings.
public struct FieldDescription: Hashable, Sendable {
    /// The field's name.
    public var name: String
    /// The form of the value, such as `integer`, `text`, `one of a, b` or `object`.
    ///
    /// `text?` is an optional text, `[text]` a list of texts, `{integer}` a map to integers,
    /// `position` the position of an event, and `value` any JSON.
    public var form: String
    /// The limit of incoming values that the record declares; `nil` for none.
    public var declaredLimit: Limit?
    /// True for a moment, and for a list or map of moments: integers that people read as times.
    public var isMoment: Bool
    /// The fields of an object, or of the objects in a list or map; else empty.
    public var fields: [FieldDescription]
    /// The fields that together hold a geographic place; `nil` for none.
    public var places: PlaceFields?
    /// The default that the field takes if an input omits it, as JSON; `nil` for none.
    public var defaultValue: String?
    /// The name of the field that identifies an element of a list; `nil` for none.
    public var elementKey: String?

    public init(
        name: String, form: String, limit: Limit? = nil, isMoment: Bool = false,
        fields: [FieldDescription] = [], places: PlaceFields? = nil, elementKey: String? = nil
    ) {
        self.name = name
        self.form = form
        declaredLimit = limit
        self.isMoment = isMoment
        self.fields = fields
        self.places = places
        self.elementKey = elementKey
    }

    /// True if an input may omit the field.
    public var isOptional: Bool {
        form.hasSuffix("?") || form.hasPrefix("[") || form.hasPrefix("{") || defaultValue != nil
    }

    /// True for a text about a person, in whatever form it is stored.
    public var isPersonal: Bool {
        (form.contains("person") || form.contains("sealable")) && !form.contains("integer")
    }

    /// The limit of incoming values: the declared limit, else the standard limit.
    public var limit: Limit { declaredLimit ?? .standard }

    /// Returns the fields of a record, in order.
    ///
    /// - Parameters:
    ///   - isInput: true for a record that comes in, so that a type's limit counts as declared;
    ///     false for a projection's state, which takes any value.
    ///   - fillsDefaults: true if a missing field takes its declared first value.
    public static func fields<Value: Record>(
        of type: Value.Type, isInput: Bool = true, fillsDefaults: Bool = false
    ) -> [FieldDescription] {
        SchemaVisitor(isInput: isInput, fillsDefaults: fillsDefaults).fields(of: type)
    }
}

/// A visitor that lists the fields of a type by visiting a blank value of it.
private struct SchemaVisitor: FieldVisitor {
    typealias Failure = Never

    /// True for a record that comes in, whose fields have the limits of their types.
    let isInput: Bool
    /// True if a missing field takes its declared first value.
    let fillsDefaults: Bool
    /// The types of the enclosing records; a record within itself is listed without fields.
    private var outer: Set<ObjectIdentifier> = []
    /// The fields of the visited record so far.
    private(set) var fields: [FieldDescription] = []
    /// The form of the visited value, as in `FieldDescription.form`.
    private var form = ""
    private var isMoment = false
    /// The fields of the visited value, if it is a record or consists of records.
    private var inner: [FieldDescription] = []
    private var places: PlaceFields?
    private var elementKey: String?

    init(isInput: Bool, fillsDefaults: Bool) {
        self.isInput = isInput
        self.fillsDefaults = fillsDefaults
    }

    /// A visitor for a value inside the current record.
    private var nested: SchemaVisitor {
        var visitor = SchemaVisitor(isInput: isInput, fillsDefaults: fillsDefaults)
        visitor.outer = outer
        return visitor
    }

    /// Returns the fields of a record; empty for a record within itself.
    func fields<Value: Record>(of type: Value.Type) -> [FieldDescription] {
        var visitor = nested
        guard visitor.outer.insert(ObjectIdentifier(type)).inserted else { return [] }
        var value = Value.blank
        value.fields(&visitor)
        return visitor.fields
    }

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        addField(name, &value, isInput && Value.limit != .standard ? Value.limit : nil)
    }

    mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) {
        addField(name, &value, limit())
    }

    /// Adds the description of a field to `fields`.
    private mutating func addField<Value: FieldValue>(
        _ name: String, _ value: inout Value, _ limit: Limit?
    ) {
        let described = describe(Value.self)
        var field = FieldDescription(
            name: name, form: described.form, limit: limit, isMoment: described.isMoment,
            fields: described.inner, places: described.places,
            elementKey: described.elementKey)
        if fillsDefaults, Value.isScalar, Value.absent == nil, value != Value.blank {
            field.defaultValue = JSONWriter.text(value)
        }
        fields.append(field)
    }

    mutating func optionalField<Value: FieldValue>(_ name: String, _ value: inout Value?) {
        field(name, &value)
        // A field that may be null or left out has the form `text?`, not `text??`.
        if let form = fields.last?.form, form.hasSuffix("??") {
            fields[fields.count - 1].form.removeLast()
        }
    }

    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    /// Returns a visitor that has visited a blank value of a type.
    private func describe<Value: FieldValue>(_ type: Value.Type) -> SchemaVisitor {
        var visitor = nested
        var value = Value.blank
        Value.visit(&visitor, &value)
        return visitor
    }

    /// Describes an optional, list or map; `pattern` makes its form from that of its element.
    private mutating func wrap<Value: FieldValue>(_ type: Value.Type, _ pattern: (String) -> String)
    {
        let described = describe(type)
        form = pattern(described.form)
        isMoment = described.isMoment
        inner = described.inner
        places = described.places
        elementKey = described.elementKey
    }

    mutating func integer(_ value: inout Int64) { form = "integer" }
    mutating func moment(_ value: inout Int64) {
        form = "integer"
        isMoment = true
    }
    mutating func tenths(_ value: inout Int64) { form = "number with one decimal" }
    mutating func boolean(_ value: inout Bool) { form = "boolean" }
    mutating func position(_ value: inout Position) { form = "position" }
    mutating func text(_ value: inout String) { form = "text" }
    mutating func json(_ value: inout String) { form = "value" }
    mutating func scalar(_ value: inout String) { form = "text or number" }
    mutating func digest(_ value: inout Digest) { form = "digest" }
    mutating func personal(_ value: inout PersonalText) { form = "personal text" }
    mutating func sealable(_ value: inout SealableText) { form = "sealable text" }
    mutating func author(_ value: inout Author) { form = "person" }
    mutating func personalInteger(_ value: inout PersonalInteger) { form = "personal integer" }

    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {
        form = "one of " + Value.names.joined(separator: ", ")
    }

    mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        wrap(Value.self) { "\($0)?" }
    }

    mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        wrap(Value.self) { "[\($0)]" }
    }

    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        wrap(Value.self) { "{\($0)}" }
    }

    mutating func record<Value: Record>(_ value: inout Value) {
        form = "object"
        inner = fields(of: Value.self)
        places = Value.places
        elementKey = Value.elementKey
    }
}
