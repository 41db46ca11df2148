import CivilTime

/// One part of the app's model: its events, what decides them, and what reads them.
///
/// Tools know an area through these descriptions alone, so that a new area needs no code in them.
public protocol Area: FileFormats {
    /// The first part of its kinds: `launch`.
    static var name: String { get }
    static var events: [EventDescription] { get }
    static var commands: [CommandDescription] { get }
    static var projections: [ProjectionDescription] { get }
    static var flows: [FlowDescription] { get }
    static var reports: [ReportDescription] { get }
    static var upcasters: [Upcaster] { get }
    static var audits: [AuditDescription] { get }
    static var machines: [StateMachine] { get }
    static var publications: [PublicationDescription] { get }
    /// The names of the rule sets it has beside `standard`.
    static var rules: [RuleSet] { get }
    /// Nouns of tags without personal data: weeks, versions.
    static var plainNouns: Set<String> { get }
    /// The nouns of its tags that name people, whose texts can be erased.
    static var people: PersonNouns { get }
}

extension Area {
    public static var flows: [FlowDescription] { [] }
    public static var reports: [ReportDescription] { [] }
    public static var upcasters: [Upcaster] { [] }
    public static var audits: [AuditDescription] { [] }
    public static var machines: [StateMachine] { [] }
    public static var publications: [PublicationDescription] { [] }
    public static var rules: [RuleSet] { [] }
    public static var plainNouns: Set<String> { [] }
    public static var people: PersonNouns { PersonNouns() }
}

extension Area where Self: Projection, Event: DecidedEvents {
    /// The area's own kinds among the events that it decides on.
    public static var events: [EventDescription] {
        Event.kinds.filter { $0.kind.name.hasPrefix("\(name).") }.map(\.description)
    }
}

/// One kind of event, as tools see it.
public struct EventDescription: Sendable {
    public let kind: EventKind
    /// The payload as a JSON object. Personal texts are asked for by the number of their field
    /// among the personal ones; `nil` means erased.
    public let json: @Sendable ([UInt8], (UInt32) -> String?) throws(CorruptPayload) -> String
    /// The same as an answer for programs, with moments as RFC 3339 texts.
    public let answer: @Sendable ([UInt8], (UInt32) -> String?) throws(CorruptPayload) -> String
    /// The leaves of the payload, for tables; personal texts as for `json`.
    public let leaves:
        @Sendable (RawSpan, (UInt32) -> String?) throws(CorruptPayload) -> [FlatFields.Leaf]
    /// The payload that a tree describes, as an event at time 0.
    public let read: @Sendable (Tree, String, InputRules) throws(InputError) -> NewEvent
    /// The payload written again from what was read: equal to it, unless it is not canonical.
    public let rewritten: @Sendable (RawSpan) throws(CorruptPayload) -> [UInt8]
    /// The tags the payload asks for.
    public let tags: @Sendable (RawSpan) throws(CorruptPayload) -> [Tag]
    /// The seals of the personal fields, in order.
    public let seals: @Sendable (RawSpan) throws(CorruptPayload) -> [[UInt8]]
    /// The number of personal texts that lie in clear, as an earlier version recorded them.
    public let clearTexts: @Sendable (RawSpan) throws(CorruptPayload) -> Int
    /// Parts of the payload that a log stores separately when the event is appended.
    public let parts: @Sendable (RawSpan) throws(CorruptPayload) -> [NewEvent.Part]
    /// `true` if the payload may have such parts.
    public var holdsPersonalValues: Bool { findsPersonalValues() }
    private let findsPersonalValues: @Sendable () -> Bool
    /// The values outside the limits of their fields.
    public let outOfLimits: @Sendable (RawSpan) throws(CorruptPayload) -> [OutOfLimit]
    /// The user that the payload's field `by` names.
    public let author: @Sendable (RawSpan) throws(CorruptPayload) -> String?
    /// A generated payload.
    public let sample: @Sendable (inout Sampler) -> [UInt8]
    /// The nouns whose entities it may give other ids, and by which noun's tags it is found.
    public let renames: [String: String]
    /// Reads the renamings in a payload; `nil` for a kind that renames nothing.
    public let renamings: (@Sendable (RawSpan) throws(CorruptPayload) -> [Renaming])?
    public var fields: [FieldDescription] { fieldsOf() }
    private let fieldsOf: @Sendable () -> [FieldDescription]
    /// Faults of the payload's type, found by trying it.
    public var faults: [String] { findFaults() }
    private let findFaults: @Sendable () -> [String]
    var misnamedEnum: String? { findMisnamedEnum() }
    private let findMisnamedEnum: @Sendable () -> String?

    public init<Payload: EventPayload>(_ payload: Payload.Type) {
        kind = Payload.kind
        json = { (bytes, personal) throws(CorruptPayload) in
            let payload = try BinaryReader.read(Payload.self, from: bytes)
            return JSONWriter.text(PersonalFiller.fill(payload, personal))
        }
        answer = { (bytes, personal) throws(CorruptPayload) in
            let payload = try BinaryReader.read(Payload.self, from: bytes)
            return JSONWriter.answer(PersonalFiller.fill(payload, personal))
        }
        leaves = { (bytes, personal) throws(CorruptPayload) in
            let payload = try BinaryReader.read(Payload.self, from: bytes)
            return FlatFields.of(PersonalFiller.fill(payload, personal))
        }
        read = { (tree, path, rules) throws(InputError) in
            let payload = try TreeReader.read(Payload.self, from: tree, field: path, rules: rules)
            return NewEvent(payload, occurredAt: Instant(microseconds: 0))
        }
        rewritten = { (bytes) throws(CorruptPayload) in
            BinaryWriter.bytes(try BinaryReader.read(Payload.self, from: bytes))
        }
        tags = { (bytes) throws(CorruptPayload) in
            try BinaryReader.read(Payload.self, from: bytes).tags
        }
        seals = { (bytes) throws(CorruptPayload) in
            var writer = BinaryWriter()
            var payload = try BinaryReader.read(Payload.self, from: bytes)
            writer.record(&payload)
            return writer.seals
        }
        clearTexts = { (bytes) throws(CorruptPayload) in
            var writer = BinaryWriter()
            var payload = try BinaryReader.read(Payload.self, from: bytes)
            writer.record(&payload)
            return writer.clearTexts
        }
        parts = { (bytes) throws(CorruptPayload) in
            var writer = BinaryWriter()
            var payload = try BinaryReader.read(Payload.self, from: bytes)
            writer.record(&payload)
            return writer.parts
        }
        findsPersonalValues = { Payload.holdsPersonalValues }
        outOfLimits = { (bytes) throws(CorruptPayload) in
            try BinaryReader.read(Payload.self, from: bytes).outOfLimits
        }
        author = { (bytes) throws(CorruptPayload) in
            var payload = try BinaryReader.read(Payload.self, from: bytes)
            var reader = AuthorReader()
            payload.fields(&reader)
            return reader.author
        }
        sample = { BinaryWriter.bytes($0.record(Payload.self)) }
        fieldsOf = { FieldDescription.fields(of: Payload.self) }
        findFaults = { RecordCheck.faults(of: Payload.self) }
        findMisnamedEnum = { EnumNamesChecker.check(Payload.self) }
        renames = Payload.renames
        guard !renames.isEmpty else {
            renamings = nil
            return
        }
        renamings = { (bytes) throws(CorruptPayload) in
            try BinaryReader.read(Payload.self, from: bytes).renamings
        }
    }
}

/// Turns the payload of a kind's version into the next version's.
public struct Upcaster: Sendable {
    public let from: EventKind
    public let to: EventKind
    public let upcast: @Sendable ([UInt8]) throws(CorruptPayload) -> [UInt8]
    /// A generated payload of the older kind.
    public let sample: @Sendable (inout Sampler) -> [UInt8]

    public init<Old: EventPayload, New: EventPayload>(
        _ convert: @escaping @Sendable (Old) -> New
    ) {
        from = Old.kind
        to = New.kind
        upcast = { (bytes) throws(CorruptPayload) in
            BinaryWriter.bytes(convert(try BinaryReader.read(Old.self, from: bytes)))
        }
        sample = { BinaryWriter.bytes($0.record(Old.self)) }
    }
}

/// The name and form of one field, for listings.
public struct FieldDescription: Hashable, Sendable {
    public var name: String
    /// `integer`, `text`, `text?`, `[text]`, `{integer}`, `one of a, b`, `object`.
    public var form: String
    /// The limit of incoming values, where the record declares one.
    public var declaredLimit: Limit?
    /// True for a moment, and for a list or map of moments: integers that people read as times.
    public var isMoment: Bool
    /// The fields of an object, also of one in a list.
    public var fields: [FieldDescription]
    /// Those of `fields` that hold a place.
    public var places: PlaceFields?
    /// JSON of the value that the field has where an input leaves it out; `nil` for none.
    public var defaultValue: String?
    /// The one of `fields` that tells the elements of a list from each other.
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

    /// True for a value that may be left out.
    public var isOptional: Bool {
        form.hasSuffix("?") || form.hasPrefix("[") || form.hasPrefix("{") || defaultValue != nil
    }

    /// True for a text about a person, in whatever form it is stored.
    public var isPersonal: Bool {
        (form.contains("person") || form.contains("sealable")) && !form.contains("integer")
    }

    /// The limit of incoming values.
    public var limit: Limit { declaredLimit ?? .standard }

    /// The fields of a record, in order.
    ///
    /// - Parameters:
    ///   - isInput: true where values come in, so that those of a type with a limit are held to it;
    ///     a projection's state takes any.
    ///   - fillsDefaults: true where a field that is left out has its declared first value.
    public static func fields<Value: Record>(
        of type: Value.Type, isInput: Bool = true, fillsDefaults: Bool = false
    ) -> [FieldDescription] {
        var visitor = SchemaVisitor(isInput: isInput, fillsDefaults: fillsDefaults)
        var value = Value.blank
        value.fields(&visitor)
        return visitor.fields
    }
}

private struct SchemaVisitor: FieldVisitor {
    typealias Failure = Never

    let isInput: Bool
    let fillsDefaults: Bool
    private(set) var fields: [FieldDescription] = []
    private var form = ""
    private var isMoment = false
    private var inner: [FieldDescription] = []
    private var places: PlaceFields?
    private var elementKey: String?

    init(isInput: Bool, fillsDefaults: Bool) {
        self.isInput = isInput
        self.fillsDefaults = fillsDefaults
    }

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        note(name, &value, isInput && Value.limit != .standard ? Value.limit : nil)
    }

    mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) {
        note(name, &value, limit())
    }

    private mutating func note<Value: FieldValue>(
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

    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    private func describe<Value: FieldValue>(_ type: Value.Type) -> SchemaVisitor {
        var visitor = SchemaVisitor(isInput: isInput, fillsDefaults: fillsDefaults)
        var value = Value.blank
        Value.visit(&visitor, &value)
        return visitor
    }

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
    mutating func text(_ value: inout String) { form = "text" }
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
        inner = FieldDescription.fields(
            of: Value.self, isInput: isInput, fillsDefaults: fillsDefaults)
        places = Value.places
        elementKey = Value.elementKey
    }
}
