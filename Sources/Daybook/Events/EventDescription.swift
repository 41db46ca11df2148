/// One kind of event, as tools see it.
public struct EventDescription: Sendable {
    /// The kind that is described.
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
    /// Parts of the payload that a log stores separately when the event is appended.
    public let parts: @Sendable (RawSpan) throws(CorruptPayload) -> [PayloadPart]
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
    /// Fields of the payload, in order.
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
    /// The older kind.
    public let from: EventKind
    /// The kind of the next version.
    public let to: EventKind
    /// Converts a payload from its older binary form to the newer one.
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

/// Reads the field `by` of a payload: the user who wrote it, unless erased.
struct AuthorReader: FieldListVisitor {
    private(set) var author: String?

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        guard name == "by" else { return }
        author = (value as? Author)?.name
    }
}
