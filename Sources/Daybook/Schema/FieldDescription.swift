/// The description of one field of a record, for listings and for tools that read values.
@usableFromInline
package struct FieldDescription: Hashable, Sendable {
    /// The name of the field.
    public var name: String
    /// The form of the field's value, such as `integer`, `text`, `one of a, b` or `object`.
    ///
    /// `text?` is an optional text, `[text]` a list of texts, `{integer}` a map from texts to
    /// integers, `position` the position of an event, and `value` any JSON.
    public var form: String
    /// The limit for new values that the record declares for the field; `nil` if it declares none.
    public var declaredLimit: Limit?
    /// True if the field is a point in time, or a list or map of points in time.
    ///
    /// These are integers that people read as times.
    public var isMoment: Bool
    /// The fields of the object, or of each object in the list or map; empty for other forms.
    public var fields: [FieldDescription]
    /// The names of those fields of the object that hold a geographic location; `nil` if none do.
    public var places: PlaceFields?
    /// The value, as JSON, that the field gets if an input omits it; `nil` if there is no default.
    public var defaultValue: String?
    /// The name of the field that identifies each object in the list; `nil` if none does.
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

    /// True if the field is a user's name or a text about a person.
    public var isPersonal: Bool {
        (form.contains("person") || form.contains("sealable")) && !form.contains("integer")
    }

    /// The limit for new values: the declared limit, or the standard limit if none is declared.
    public var limit: Limit { declaredLimit ?? .standard }

    /// Returns the descriptions of a record's fields, in order.
    ///
    /// - Parameters:
    ///   - isInput: true if the record is part of an input; a field then has its type's limit as
    ///     declared limit. False for a projection's state or an answer, which have no limits.
    ///   - fillsDefaults: true if a field that an input omits gets its property's initial value.
    public static func fields<Value: Record>(
        of type: Value.Type, isInput: Bool = true, fillsDefaults: Bool = false
    ) -> [FieldDescription] {
        SchemaVisitor(isInput: isInput, fillsDefaults: fillsDefaults).fields(of: Value.blank)
    }

    /// Returns the descriptions of an answer's fields, which may depend on its values.
    static func fields(ofAnswer blank: some Record) -> [FieldDescription] {
        SchemaVisitor(isInput: false, fillsDefaults: false).fields(of: blank)
    }
}

/// A visitor that describes the fields of a type by visiting a blank value of the type.
private struct SchemaVisitor: FieldVisitor {
    typealias Failure = Never

    /// True if the record is part of an input; a field then has its type's limit as declared limit.
    let isInput: Bool
    /// True if a field that an input omits gets the initial value of its property.
    let fillsDefaults: Bool
    /// The types of the enclosing records. A record within one of its own type is described without
    /// its fields, because the description would have no end.
    private var enclosingTypes: Set<ObjectIdentifier> = []
    /// The descriptions of the record's fields visited so far.
    private(set) var fields: [FieldDescription] = []
    /// The form of the visited value, for `FieldDescription.form`.
    private var form = ""
    /// True if the visited value is a point in time, or a list or map of points in time.
    private var isMoment = false
    /// The fields of the visited value, if it is a record or a list or map of records.
    private var innerFields: [FieldDescription] = []
    /// The location fields of the visited record, or of each record in the visited list or map.
    private var places: PlaceFields?
    /// The name of the field that identifies the visited record among the elements of a list.
    private var elementKey: String?

    init(isInput: Bool, fillsDefaults: Bool) {
        self.isInput = isInput
        self.fillsDefaults = fillsDefaults
    }

    /// A new visitor for a field of the current record.
    private var nested: SchemaVisitor {
        var visitor = SchemaVisitor(isInput: isInput, fillsDefaults: fillsDefaults)
        visitor.enclosingTypes = enclosingTypes
        return visitor
    }

    /// Returns the descriptions of a record's fields; none for a record within one of its own type.
    func fields<Value: Record>(of blank: Value) -> [FieldDescription] {
        var visitor = nested
        guard visitor.enclosingTypes.insert(ObjectIdentifier(Value.self)).inserted else {
            return []
        }
        var value = blank
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

    /// Describes a field and adds the description to `fields`.
    private mutating func addField<Value: FieldValue>(
        _ name: String, _ value: inout Value, _ limit: Limit?
    ) {
        let described = describe(Value.self)
        var field = FieldDescription(
            name: name, form: described.form, limit: limit, isMoment: described.isMoment,
            fields: described.innerFields, places: described.places,
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

    /// Returns a visitor that has visited a blank value of a type, and so holds its form.
    private func describe<Value: FieldValue>(_ type: Value.Type) -> SchemaVisitor {
        var visitor = nested
        var value = Value.blank
        Value.visit(&visitor, &value)
        return visitor
    }

    /// Describes an optional, list or map of values of a type.
    ///
    /// - Parameter pattern: returns its form, such as `[text]`, given the form of a value.
    private mutating func describeContainer<Value: FieldValue>(
        _ type: Value.Type, _ pattern: (String) -> String
    ) {
        let described = describe(type)
        form = pattern(described.form)
        isMoment = described.isMoment
        innerFields = described.innerFields
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
        describeContainer(Value.self) { "\($0)?" }
    }

    mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        describeContainer(Value.self) { "[\($0)]" }
    }

    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        describeContainer(Value.self) { "{\($0)}" }
    }

    mutating func record<Value: Record>(_ value: inout Value) {
        form = "object"
        innerFields = fields(of: Value.blank)
        places = Value.places
        elementKey = Value.elementKey
    }
}
