/// The description of one event kind, with which tools read and show payloads of any type.
public struct EventDescription: Sendable {
    /// The event kind that is described.
    public let kind: EventKind
    /// Returns the leaves of a payload; the function returns a personal text by its index in it.
    package let leaves:
        @Sendable (RawSpan, (UInt32) -> String?) throws(CorruptPayload) -> [FlatFields.Leaf]
    /// Reads a payload from a tree, as an event at time 0; the `String` is the path, for errors.
    public let read: @Sendable (Tree, String, InputRules) throws(InputError) -> NewEvent
    /// Decodes a payload and encodes it again, which gives its canonical form.
    private let reencode: @Sendable (RawSpan) throws(CorruptPayload) -> [UInt8]
    /// Returns the tags with which an event with this payload is appended.
    public let tags: @Sendable (RawSpan) throws(CorruptPayload) -> [Tag]
    /// Decodes a payload as its type, and returns the seals (salted hashes) of its personal texts.
    private let typedSeals: @Sendable (RawSpan) throws(CorruptPayload) -> [[UInt8]]
    /// Returns a payload's sentence and author; the function returns a personal text by its index.
    private let say:
        @Sendable (RawSpan, (UInt32) -> String?, Wording) throws(CorruptPayload) -> EventSentence
    /// Decodes a payload as its type, and writes it as JSON.
    private let typedJSON:
        @Sendable (RawSpan, (UInt32) -> String?, inout JSONWriter) throws(CorruptPayload) -> Void
    /// The binary layout of payloads, by which they are read without their type.
    private let layout: LazyValue<PayloadLayout>
    /// Returns the parts of a payload that a log stores separately: names and personal integers.
    package let parts: @Sendable (RawSpan) throws(CorruptPayload) -> [PayloadPart]
    /// True if payloads of the kind may contain users' names or personal integers.
    public var holdsPersonalValues: Bool { findsPersonalValues() }
    private let findsPersonalValues: @Sendable () -> Bool
    /// Returns the values of a payload that are outside the limits of their fields.
    public let outOfLimits: @Sendable (RawSpan) throws(CorruptPayload) -> [OutOfLimit]
    /// Returns the user's name in a payload's field `by`; `nil` if erased or without this field.
    public let author: @Sendable (RawSpan) throws(CorruptPayload) -> String?
    package let sample: @Sendable (inout Sampler) -> [UInt8]
    /// Noun of the event's own tag, by the noun of the entities that the event may rename.
    ///
    /// `["baby": "profile"]`: an event that renames a baby has the tag of the baby's profile.
    public let renames: [String: String]
    /// Returns the renamings that a payload makes; `nil` if the kind renames no entities.
    public let renamings: (@Sendable (RawSpan) throws(CorruptPayload) -> [Renaming])?
    /// Fields of the payload, in order.
    package var fields: [FieldDescription] { makeFields() }
    private let makeFields: @Sendable () -> [FieldDescription]
    /// Mistakes in the payload's type as sentences, found by trying it with generated values.
    public var faults: [String] { findFaults() }
    private let findFaults: @Sendable () -> [String]
    /// The mistake in a stored enum of a field, such as a repeated name; `nil` if there is none.
    var storedEnumFault: String? { findStoredEnumFault() }
    private let findStoredEnumFault: @Sendable () -> String?

    /// Describes a payload type.
    public init<Payload: EventPayload>(_ payload: Payload.Type) {
        self.init(payload, PayloadLayout.lazy(of: Payload.self)) { (bytes) throws(CorruptPayload) in
            try BinaryReader.read(Payload.self, from: bytes).tags
        } sentence: { (bytes, text, wording) throws(CorruptPayload) in
            try BinaryReader.read(Payload.self, from: bytes).filled(text).spoken(wording)
        }
    }

    /// Describes a payload type; the functions are specialised for it if its module makes them.
    @usableFromInline init<Payload: EventPayload>(
        _ payload: Payload.Type, _ layout: LazyValue<PayloadLayout>,
        tags: @escaping @Sendable (RawSpan) throws(CorruptPayload) -> [Tag],
        sentence:
            @escaping @Sendable (RawSpan, (UInt32) -> String?, Wording)
            throws(CorruptPayload) -> EventSentence
    ) {
        kind = Payload.kind
        self.tags = tags
        say = sentence
        self.layout = layout
        typedJSON = { (bytes, personal, writer) throws(CorruptPayload) in
            let payload = try BinaryReader.read(Payload.self, from: bytes)
            writer.value(PersonalFiller.fill(payload, personal))
        }
        leaves = { (bytes, personal) throws(CorruptPayload) in
            let payload = try BinaryReader.read(Payload.self, from: bytes)
            return FlatFields.of(PersonalFiller.fill(payload, personal))
        }
        read = { (tree, path, rules) throws(InputError) in
            let payload = try TreeReader.read(Payload.self, from: tree, field: path, rules: rules)
            return NewEvent(payload, occurredAt: Instant(microseconds: 0))
        }
        reencode = { (bytes) throws(CorruptPayload) in
            BinaryWriter.bytes(try BinaryReader.read(Payload.self, from: bytes))
        }
        typedSeals = { (bytes) throws(CorruptPayload) in
            BinaryWriter(writing: try BinaryReader.read(Payload.self, from: bytes)).seals
        }
        parts = { (bytes) throws(CorruptPayload) in
            BinaryWriter(writing: try BinaryReader.read(Payload.self, from: bytes)).parts
        }
        findsPersonalValues = { Payload.holdsPersonalValues }
        outOfLimits = { (bytes) throws(CorruptPayload) in
            try BinaryReader.read(Payload.self, from: bytes).outOfLimits
        }
        author = { (bytes) throws(CorruptPayload) in
            var payload = try BinaryReader.read(Payload.self, from: bytes)
            var reader = AuthorReader()
            payload.fields(&reader)
            return reader.by?.name
        }
        sample = { BinaryWriter.bytes($0.record(Payload.self)) }
        makeFields = { FieldDescription.fields(of: Payload.self) }
        findFaults = {
            RecordCheck.faults(of: Payload.self) + SentenceCheck.faults(of: Payload.self)
        }
        findStoredEnumFault = { EnumNamesChecker.check(Payload.self) }
        renames = Payload.renames
        guard !renames.isEmpty else {
            renamings = nil
            return
        }
        renamings = { (bytes) throws(CorruptPayload) in
            try BinaryReader.read(Payload.self, from: bytes).renamings
        }
    }

    /// Returns a payload as a JSON object, with points in time as microseconds since 1970.
    ///
    /// - Parameter personalText: returns a personal text by the index of its field among the
    ///   payload's personal fields, from 0; `nil` if the text is erased.
    public func json(
        _ payload: [UInt8], _ personalText: (UInt32) -> String?
    ) throws(CorruptPayload) -> String {
        var writer = JSONWriter()
        try unsafe write(payload.contents.bytes, personalText, to: &writer)
        return writer.text
    }

    /// Returns a payload as `json(_:_:)` does, but with points in time as RFC 3339 texts.
    public func answer(
        _ payload: [UInt8], _ personalText: (UInt32) -> String?
    ) throws(CorruptPayload) -> String {
        var writer = JSONWriter(answer: true)
        try unsafe write(payload.contents.bytes, personalText, to: &writer)
        return writer.text
    }

    /// Writes a payload as a JSON object, with points in time in the form of the writer.
    package func write(
        _ payload: RawSpan, _ personalText: (UInt32) -> String?, to writer: inout JSONWriter
    ) throws(CorruptPayload) {
        do throws(CorruptPayload) {
            try layout.value.write(payload, personalText, to: &writer)
        } catch {
            // The payload's type also reads bytes that are not canonical, and its errors name the
            // faulty field.
            try typedJSON(payload, personalText, &writer)
        }
    }

    /// Returns what a payload means, and the user in its field `by`.
    ///
    /// - Parameter personalText: returns a personal text by its index in the payload; `nil` if the
    ///   text is erased.
    package func sentence(
        of payload: [UInt8], _ wording: Wording, _ personalText: (UInt32) -> String?
    ) throws(CorruptPayload) -> EventSentence {
        try unsafe say(payload.contents.bytes, personalText, wording)
    }

    /// Passes the values of a payload to a sink.
    func pass<Sink: LayoutSink>(
        _ payload: RawSpan, to sink: inout Sink
    ) throws(CorruptPayload) {
        let empty = sink
        do throws(CorruptPayload) {
            try LayoutWalk.passValues(of: payload, layout.value, to: &sink)
        } catch {
            // The payload's type also reads bytes that are not canonical.
            sink = empty
            let canonical = try reencode(payload)
            try unsafe LayoutWalk.passValues(of: canonical.contents.bytes, layout.value, to: &sink)
        }
    }

    /// Returns the values outside their limits, and the user in the field `by`; `nil` for none.
    package func outOfLimitsAndAuthor(
        _ payload: RawSpan
    ) throws(CorruptPayload) -> (outOfLimits: [OutOfLimit], author: String?) {
        let known: (author: String?, isWithinLimits: Bool)
        do throws(CorruptPayload) {
            known = try layout.value.authorAndLimitCheck(in: payload)
        } catch {
            return (try outOfLimits(payload), try author(payload))
        }
        return (known.isWithinLimits ? [] : try outOfLimits(payload), known.author)
    }

    /// True if events of the kind may have personal texts.
    package var hasPersonalTexts: Bool { layout.value.hasSeals }

    /// Returns the offsets of the seals (salted hashes) of personal texts; `nil` if not canonical.
    package func canonicalSealOffsets(_ payload: RawSpan) -> [Int]? {
        try? layout.value.sealOffsets(in: payload)
    }

    /// Returns the seals (salted hashes) of the personal texts, and true if a payload is canonical.
    package func inspect(
        _ payload: RawSpan
    ) throws(CorruptPayload) -> (isCanonical: Bool, seals: [[UInt8]]) {
        let offsets: [Int]
        do throws(CorruptPayload) {
            offsets = try layout.value.sealOffsets(in: payload)
        } catch {
            let canonical = try reencode(payload)
            let isCanonical = unsafe payload.withUnsafeBytes { unsafe $0.elementsEqual(canonical) }
            return (isCanonical, try typedSeals(payload))
        }
        let seals = offsets.map { offset in
            unsafe payload.extracting(offset..<offset + PersonalText.sealByteCount)
                .withUnsafeBytes { unsafe Array($0) }
        }
        return (true, seals)
    }

    /// Returns a recorded event as a new one, for another log; `nil` if a value is erased.
    ///
    /// - Parameter texts: the personal texts that are not erased, by their index in the payload.
    package func newEvent(
        copying event: RecordedEvent, _ texts: [UInt32: String]
    ) throws(CorruptPayload) -> NewEvent? {
        let payload = unsafe event.payload.contents.bytes
        let offsets = try layout.value.sealOffsets(in: payload)
        guard try layout.value.erasedCount(in: payload) == 0 else { return nil }
        var personal: [PayloadText] = []
        for (index, offset) in offsets.enumerated() {
            guard let text = texts[UInt32(index)] else { return nil }
            personal.append(PayloadText(offset: offset, text: text))
        }
        return NewEvent(
            kind: event.kind, tags: event.tags, occurredAt: event.envelope.occurredAt,
            zone: event.zone, offsetS: event.envelope.offsetS, payload: event.payload,
            personal: personal, parts: try parts(payload))
    }

    /// Returns the seals (salted hashes) of a payload's personal texts, in order.
    package func seals(_ payload: RawSpan) throws(CorruptPayload) -> [[UInt8]] {
        try inspect(payload).seals
    }
}

/// A conversion of payloads from one version of an event kind to the next version.
public struct Upcaster: Sendable {
    /// The event kind that the upcaster converts from.
    public let from: EventKind
    /// The event kind of the next version, which the upcaster converts to.
    public let to: EventKind
    /// Converts a payload in binary form to the layout of the next version.
    public let upcast: @Sendable ([UInt8]) throws(CorruptPayload) -> [UInt8]
    /// Returns a generated payload of the older kind.
    package let sample: @Sendable (inout Sampler) -> [UInt8]

    /// Creates an upcaster from a conversion of decoded payloads.
    public init<Old: EventPayload, New: EventPayload>(_ convert: @escaping @Sendable (Old) -> New) {
        from = Old.kind
        to = New.kind
        upcast = { (bytes) throws(CorruptPayload) in
            BinaryWriter.bytes(convert(try BinaryReader.read(Old.self, from: bytes)))
        }
        sample = { BinaryWriter.bytes($0.record(Old.self)) }
    }
}

/// A visitor that reads the author of a payload from its field `by`.
struct AuthorReader: FieldListVisitor {
    /// The user in the field `by`; `nil` if the field is missing.
    private(set) var by: Author?

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        guard name == "by" else { return }
        by = value as? Author
    }
}
