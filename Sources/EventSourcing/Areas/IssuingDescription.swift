/// An answer that was handed out or made final, and that can be made again from other events.
public struct IssuedAnswer: Sendable {
    /// `daily report of b, 2026-03-08`
    public var title: String
    public var rules: RuleSet
    /// The last event it was made from.
    public var position: Position
    /// The events that it may depend on.
    public var query: Query
    /// With them, all events of the entities that they are about, by the noun of their tags.
    public var entityNoun: String
    /// Of the text that was handed out; `nil` where none is kept.
    public var digest: Digest?
    /// The ways that it may have been made in, which the event does not tell apart: the one whose
    /// text has the digest is right, else the first.
    public var variants: [Variant]

    /// One way to make it from events.
    public struct Variant: Sendable {
        public let make: @Sendable ([RecordedEvent], ReportContext) throws(ReportError) -> Made

        public init(
            _ make: @escaping @Sendable ([RecordedEvent], ReportContext) throws(ReportError) -> Made
        ) {
            self.make = make
        }
    }

    /// An answer that was made again.
    public struct Made: Sendable {
        /// What it says, without what tells only when it was made.
        public var leaves: [FlatFields.Leaf]
        /// The whole of it.
        public var text: String

        public init(leaves: [FlatFields.Leaf], text: String = "") {
            self.leaves = leaves
            self.text = text
        }
    }

    public init(
        _ title: String, rules: RuleSet, position: Position, from query: Query,
        withEntities entityNoun: String, digest: Digest? = nil, variants: [Variant]
    ) {
        self.title = title
        self.rules = rules
        self.position = position
        self.query = query
        self.entityNoun = entityNoun
        self.digest = digest
        self.variants = variants
    }
}

/// A kind of event that says what somebody was told.
public struct IssuingDescription: Sendable {
    public let kind: EventKind
    /// The answer that a payload tells of; `nil` for one that cannot be made again.
    ///
    /// Its second argument gives every id of an entity, by the noun of its tags and one of them.
    public let answer:
        @Sendable (RawSpan, (String, String) -> [String]) throws(CorruptPayload) -> IssuedAnswer?

    public init<Payload: EventPayload>(
        _ payload: Payload.Type,
        _ answer: @escaping @Sendable (Payload, (String, String) -> [String]) -> IssuedAnswer?
    ) {
        kind = Payload.kind
        self.answer = { (bytes, ids) throws(CorruptPayload) in
            answer(try BinaryReader.read(Payload.self, from: bytes), ids)
        }
    }
}
