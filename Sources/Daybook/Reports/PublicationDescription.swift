/// A record in the log that a report was handed out or made final.
///
/// It contains what is needed to make the report again from events, for a comparison.
public struct Publication: Sendable {
    /// The report, its entity and its period as text: `daily report of b, 2026-03-08`.
    public var title: String
    /// The rule set by which the report was made.
    public var rules: RuleSet
    /// The position of the last event from which the report was made.
    public var position: Position
    /// The query for the events that the report may depend on.
    public var query: ReportQuery
    /// The digest of the text that was handed out; `nil` if the log contains no digest.
    public var digest: Digest?
    /// The versions of the report that may have been handed out; the log does not say which one.
    ///
    /// The version whose text has the stored digest is chosen; if none has, the first.
    package var variants: [Variant]

    /// A version of the report that can be made from events.
    package struct Variant: Sendable {
        /// Makes this version of the report from events in their newest layouts.
        public let make:
            @Sendable ([RecordedEvent], ReportContext) throws(ReportError) -> Reconstruction

        /// Creates a version of the report, which the function `make` makes from events.
        public init(
            _ make:
                @escaping @Sendable ([RecordedEvent], ReportContext) throws(ReportError) ->
                Reconstruction
        ) {
            self.make = make
        }

        /// Creates the version of the report that `report` answers.
        public init<Body: PublishedReport>(_ report: Body) {
            let lists = KeyedLists(FieldDescription.fields(ofAnswer: Body.blankAnswer))
            let left = Body.incidentalFields.subtracting(lists.keyFields)
            self.init { (events, context) throws(ReportError) in
                var prepared = PreparedReport([report], context)
                let content = try prepared.content(from: events)
                return Reconstruction(
                    leaves: content.leaves.filter { !left.contains($0.field) }, text: content.json,
                    lists: lists)
            }
        }
    }

    /// A report that was made again from events, for a comparison.
    package struct Reconstruction: Sendable {
        /// The leaves (single values) of the answer, except those of `incidentalFields` that are
        /// not keys of list elements.
        public var leaves: [FlatFields.Leaf]
        /// The text of the whole answer, whose digest is compared with `Publication.digest`.
        public var text: String
        /// The lists of the answer whose elements have keys, by which a comparison matches them.
        public var lists: KeyedLists

        public init(
            leaves: [FlatFields.Leaf], text: String = "", lists: KeyedLists = KeyedLists([])
        ) {
            self.leaves = leaves
            self.text = text
            self.lists = lists
        }

        /// Returns the leaves that differ in `later`, and the new keys of elements by the old ones.
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

        /// Replaces the keys of list elements by the new keys, given by the old keys.
        public mutating func rename(_ keys: [String: String]) {
            guard !keys.isEmpty else { return }
            let fields = lists.keyFields
            for index in leaves.indices where fields.contains(leaves[index].field) {
                leaves[index].value = keys[leaves[index].value] ?? leaves[index].value
            }
        }
    }

    /// Creates a publication of a report, from its arguments.
    ///
    /// - Parameters:
    ///   - entities: the entities in these events whose whole histories are read too.
    ///   - bookkeeping: the events that introduce or rename the report's entity; `nil` for none.
    ///   - reports: the report, or the versions of it that may have been handed out. The one whose
    ///     text has the digest is chosen; if none has, the first.
    public init(
        _ title: String, rules: RuleSet, position: Position, from query: Query,
        withEntities entities: ReportQuery.Entities,
        bookkeeping: ReportQuery.Bookkeeping? = nil, digest: Digest? = nil,
        of reports: [any PublishedReport]
    ) {
        self.init(
            title, rules: rules, position: position, from: query, withEntities: entities,
            bookkeeping: bookkeeping, digest: digest, variants: reports.map { $0.variant })
    }

    /// Creates a publication, whose report depends on events of `query` and of their `entities`.
    package init(
        _ title: String, rules: RuleSet, position: Position, from query: Query,
        withEntities entities: ReportQuery.Entities,
        bookkeeping: ReportQuery.Bookkeeping? = nil, digest: Digest? = nil, variants: [Variant]
    ) {
        self.title = title
        self.rules = rules
        self.position = position
        self.query = ReportQuery(query, entities: entities, bookkeeping: bookkeeping)
        self.digest = digest
        self.variants = variants
    }
}

extension PublishedReport {
    fileprivate var variant: Publication.Variant { Publication.Variant(self) }
}

/// The description of an event kind that records that a report was handed out or made final.
public struct PublicationDescription: Sendable {
    /// The event kind.
    public let kind: EventKind
    /// Reads the publication from an event's payload; `nil` if its report cannot be made again.
    ///
    /// The second argument is a function that returns all ids that an entity has had, from the noun
    /// of the entity's tags and one of the ids.
    package let readPublication:
        @Sendable (RawSpan, (String, String) -> [String]) throws(CorruptPayload) -> Publication?

    /// Creates the description of the event kind of a payload type.
    ///
    /// - Parameter publication: returns the publication of an event; `nil` if its report cannot be
    ///   made again. The second argument returns all ids that an entity has had, from the noun of
    ///   the entity's tags and one of the ids.
    public init<Payload: EventPayload>(
        _ payload: Payload.Type,
        _ publication: @escaping @Sendable (Payload, (String, String) -> [String]) -> Publication?
    ) {
        kind = Payload.kind
        readPublication = { (bytes, ids) throws(CorruptPayload) in
            publication(try BinaryReader.read(Payload.self, from: bytes), ids)
        }
    }
}
