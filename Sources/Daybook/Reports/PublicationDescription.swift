/// An answer that was handed out or made final, and that can be made again from other events.
public struct Publication: Sendable {
    /// `daily report of b, 2026-03-08`
    public var title: String
    /// The rule set that made the report.
    public var rules: RuleSet
    /// The last event it was made from.
    public var position: Position
    /// The events that it may depend on.
    public var query: ReportQuery
    /// The digest of the text that was handed out; `nil` where none is kept.
    public var digest: Digest?
    /// Candidate renderings, which the note does not distinguish; the digest picks one, else the
    /// first.
    public var variants: [Variant]

    /// One way to make it from events.
    public struct Variant: Sendable {
        /// Makes the report again.
        public let make: @Sendable ([RecordedEvent], ReportContext) throws(ReportError) -> Made

        public init(
            _ make: @escaping @Sendable ([RecordedEvent], ReportContext) throws(ReportError) -> Made
        ) {
            self.make = make
        }

        /// The answer of a report.
        public init<Body: PublishedReport>(_ report: Body) {
            let lists = KeyedLists(FieldDescription.fields(of: Body.Answer.self, isInput: false))
            let left = Body.momentFields.subtracting(lists.keyFields)
            self.init { (events, context) throws(ReportError) in
                var prepared = PreparedReport([report], context)
                let content = try prepared.content(from: events)
                return Made(
                    leaves: content.leaves.filter { !left.contains($0.field) }, text: content.json,
                    lists: lists)
            }
        }
    }

    /// An answer that was made again.
    public struct Made: Sendable {
        /// The fields of the answer without those that tell only when it was made.
        public var leaves: [FlatFields.Leaf]
        /// The whole of it.
        public var text: String
        /// The lists whose elements have keys, which are among the leaves.
        public var lists: KeyedLists

        public init(
            leaves: [FlatFields.Leaf], text: String = "", lists: KeyedLists = KeyedLists([])
        ) {
            self.leaves = leaves
            self.text = text
            self.lists = lists
        }

        /// The fields in which a later answer differs, and the keys that elements got in place of
        /// others: another id of the same entity is no difference.
        public func changes(
            to later: Made
        ) -> (changes: [FieldChange], keys: [String: String]) {
            let fields = lists.keyFields
            let (changes, keys) = FieldChange.between(leaves, later.leaves, lists)
                .separatedFromNewKeys
            let others = changes.filter {
                !($0.before != nil && $0.after != nil && fields.contains($0.field))
            }
            return (others, keys)
        }

        /// Gives elements their newer keys.
        public mutating func rename(_ keys: [String: String]) {
            guard !keys.isEmpty else { return }
            let fields = lists.keyFields
            for index in leaves.indices where fields.contains(leaves[index].field) {
                leaves[index].value = keys[leaves[index].value] ?? leaves[index].value
            }
        }
    }

    public init(
        _ title: String, rules: RuleSet, position: Position, from query: Query,
        withEntities entities: ReportQuery.Entities, digest: Digest? = nil, variants: [Variant]
    ) {
        self.title = title
        self.rules = rules
        self.position = position
        self.query = ReportQuery(query, entities: entities)
        self.digest = digest
        self.variants = variants
    }
}

/// A kind of event that notes a publication.
public struct PublicationDescription: Sendable {
    /// The kind of the event that records it.
    public let kind: EventKind
    /// The publication that a payload notes; `nil` for one that cannot be made again.
    ///
    /// Its second argument gives every id of an entity, by the noun of its tags and one of them.
    public let publication:
        @Sendable (RawSpan, (String, String) -> [String]) throws(CorruptPayload) -> Publication?

    public init<Payload: EventPayload>(
        _ payload: Payload.Type,
        _ publication:
            @escaping @Sendable (Payload, (String, String) -> [String]) -> Publication?
    ) {
        kind = Payload.kind
        self.publication = { (bytes, ids) throws(CorruptPayload) in
            publication(try BinaryReader.read(Payload.self, from: bytes), ids)
        }
    }
}
