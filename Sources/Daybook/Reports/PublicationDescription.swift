/// A report that was handed out or made final, and that can be made again from events.
package struct Publication: Sendable {
    /// The report, its subject and its period: `daily report of b, 2026-03-08`.
    public var title: String
    /// The rule set that made the report.
    public var rules: RuleSet
    /// The position of the last event that the report was made from.
    public var position: Position
    /// The query of the events that the report may depend on.
    public var query: ReportQuery
    /// The digest of the text that was handed out; `nil` if none was stored.
    public var digest: Digest?
    /// Candidate versions of the report, which the note in the log does not distinguish.
    ///
    /// The version whose text has the stored digest is chosen, else the first.
    public var variants: [Variant]

    /// A version of the report that can be made from events.
    public struct Variant: Sendable {
        /// Makes this version of the report from events in their newest layouts.
        public let make:
            @Sendable ([RecordedEvent], ReportContext) throws(ReportError) -> Reconstruction

        /// Creates a version from the function that makes it.
        public init(
            _ make:
                @escaping @Sendable ([RecordedEvent], ReportContext) throws(ReportError) ->
                Reconstruction
        ) {
            self.make = make
        }

        /// Creates the version that is the answer of a report.
        public init<Body: PublishedReport>(_ report: Body) {
            let lists = KeyedLists(FieldDescription.fields(of: Body.Answer.self, isInput: false))
            let left = Body.momentFields.subtracting(lists.keyFields)
            self.init { (events, context) throws(ReportError) in
                var prepared = PreparedReport([report], context)
                let content = try prepared.content(from: events)
                return Reconstruction(
                    leaves: content.leaves.filter { !left.contains($0.field) }, text: content.json,
                    lists: lists)
            }
        }
    }

    /// A report that was made again from events.
    public struct Reconstruction: Sendable {
        /// The leaves (single values) of the answer, without its `momentFields`.
        public var leaves: [FlatFields.Leaf]
        /// The text of the whole answer, from which the digest is computed.
        public var text: String
        /// The lists of the answer whose elements have keys.
        public var lists: KeyedLists

        public init(
            leaves: [FlatFields.Leaf], text: String = "", lists: KeyedLists = KeyedLists([])
        ) {
            self.leaves = leaves
            self.text = text
            self.lists = lists
        }

        /// Returns the leaves that differ in a later answer, and new element keys by old key.
        ///
        /// A new id of the same entity does not count as a difference.
        public func changes(
            to later: Reconstruction
        ) -> (changes: [FieldChange], keys: [String: String]) {
            let fields = lists.keyFields
            let (changes, keys) = FieldChange.between(leaves, later.leaves, lists)
                .separatedFromNewKeys
            let others = changes.filter {
                !($0.before != nil && $0.after != nil && fields.contains($0.field))
            }
            return (others, keys)
        }

        /// Replaces the keys of elements.
        ///
        /// - Parameter keys: the new keys by the old.
        public mutating func rename(_ keys: [String: String]) {
            guard !keys.isEmpty else { return }
            let fields = lists.keyFields
            for index in leaves.indices where fields.contains(leaves[index].field) {
                leaves[index].value = keys[leaves[index].value] ?? leaves[index].value
            }
        }
    }

    /// Describes a publication, with the histories of the entities that its events name.
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

/// A kind of event that records that a report was handed out or made final.
public struct PublicationDescription: Sendable {
    /// The kind of the event.
    public let kind: EventKind
    /// Reads the publication that a payload records; `nil` if it cannot be made again.
    ///
    /// The second argument returns every id of an entity, given the noun of its tags and one id.
    package let publication:
        @Sendable (RawSpan, (String, String) -> [String]) throws(CorruptPayload) -> Publication?

    /// Describes a kind of event.
    ///
    /// - Parameter publication: returns the publication that a payload records; its second argument
    ///   returns every id of an entity, given the noun of its tags and one id.
    package init<Payload: EventPayload>(
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
