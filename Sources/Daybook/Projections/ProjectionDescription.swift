/// One projection, as tools see it.
public struct ProjectionDescription: Sendable {
    /// The name that tools list it under.
    public let name: String
    /// Noun of the tags that name its entities: an event with `launch:l1` belongs to the entity
    /// `l1` of a projection whose noun is `launch`.
    public let noun: String
    /// Prefix of those tags: the noun and a colon.
    public let prefix: String
    /// One line for listings.
    public let summary: String
    /// The kinds that it folds, in every version.
    public let kinds: Set<EventKind>
    /// Nouns of other entities whose ids its states hold, so that it must see their renamings.
    public private(set) var follows: Set<String>
    /// Followed nouns by the noun whose tags their renamings carry, where that is another.
    public private(set) var followedBy: [String: String] = [:]
    /// Noun of the last part of its ids, which are replaced with it: a wallet is `user/household`.
    public private(set) var lastPart: String?
    /// Fields of the state, in order.
    public var fields: [FieldDescription] { fieldsOf() }
    @usableFromInline let fieldsOf: @Sendable () -> [FieldDescription]
    /// Faults of the state's type, found by trying it.
    public var faults: [String] { findFaults() }
    private let findFaults: @Sendable () -> [String]
    var misnamedEnum: String? { findMisnamedEnum() }
    private let findMisnamedEnum: @Sendable () -> String?
    /// `true` if a state holds personal data that a log stores separately from its events; such a
    /// state must not be stored in a file.
    public var holdsPersonalValues: Bool { findsPersonalValues() }
    private let findsPersonalValues: @Sendable () -> Bool
    @usableFromInline var folds: [RuleSet: FoldOperations] = [:]
    private let makeFolds: @Sendable () -> [RuleSet: FoldOperations]

    @inlinable
    public init<Standard: Projection>(
        _ name: String, noun: String, following follows: Set<String> = [], _ summary: String,
        _ standard: Standard.Type
    ) {
        self.init(name, noun: noun, follows, summary, standard) {
            [.standard: FoldOperations(Standard.self)]
        }
    }

    /// A copy that follows entities of a noun, whose renamings are found by tags of another.
    public func following(_ noun: String, renamedAs other: String) -> ProjectionDescription {
        var description = self
        description.follows.insert(noun)
        description.followedBy[other] = noun
        return description
    }

    private var payloadReaders: [EventKind: @Sendable (RecordedEvent) -> [FollowedEntity]] = [:]

    /// A copy that also follows what events name in their payloads, without a tag of its noun.
    ///
    /// - Parameter entities: those of one event.
    public func following<Event: EventSet>(
        in events: Event.Type, _ entities: @escaping @Sendable (Event) -> [FollowedEntity]
    ) -> ProjectionDescription {
        var description = self
        let reader = KindReader<Event>()
        for kind in Event.kinds {
            description.payloadReaders[kind.kind] = { event in
                // An event that cannot be read ends the fold, which says so.
                guard let known = try? reader.read(event) else { return [] }
                return entities(known)
            }
        }
        return description
    }

    /// The followed entities that an event is about, as it names them.
    public func followed(by event: RecordedEvent) -> [FollowedEntity] {
        guard !follows.isEmpty else { return [] }
        let tagged: [FollowedEntity] = event.tags.compactMap { tag in
            let noun = String(tag.noun)
            let followed = follows.contains(noun) ? noun : followedBy[noun]
            return followed.map { FollowedEntity($0, String(tag.id)) }
        }
        return tagged + (payloadReaders[event.kind]?(event) ?? [])
    }

    /// A copy whose ids end in `/` and the id of another noun, and are replaced with that.
    public func endingIn(_ noun: String) -> ProjectionDescription {
        var description = self
        description.lastPart = noun
        return description
    }

    /// - Parameter rules: another fold of the same fields, under the rule set of that name.
    @inlinable
    public init<Standard: Projection, Other: Projection>(
        _ name: String, noun: String, following follows: Set<String> = [], _ summary: String,
        _ standard: Standard.Type, under rules: RuleSet, _ other: Other.Type
    ) {
        self.init(name, noun: noun, follows, summary, standard) {
            [.standard: FoldOperations(Standard.self), rules: FoldOperations(Other.self)]
        }
    }

    @usableFromInline
    init<Standard: Projection>(
        _ name: String, noun: String, _ follows: Set<String>, _ summary: String,
        _ standard: Standard.Type,
        _ makeFolds: @escaping @Sendable () -> [RuleSet: FoldOperations]
    ) {
        self.name = name
        self.noun = noun
        self.summary = summary
        self.follows = follows
        prefix = "\(noun):"
        kinds = Standard.kinds
        fieldsOf = { FieldDescription.fields(of: Standard.State.self, isInput: false) }
        findFaults = { RecordCheck.faults(of: Standard.State.self) }
        findMisnamedEnum = { EnumNamesChecker.check(Standard.State.self) }
        findsPersonalValues = { Standard.State.holdsPersonalValues }
        self.makeFolds = makeFolds
        folds = makeFolds()
    }

    /// A copy that shares no reference-counted object with the original, so that threads, each with
    /// its own copy, do not contend for the counts.
    public var unshared: ProjectionDescription {
        var description = self
        description.folds = makeFolds()
        return description
    }

    /// The reason why it has no answer under a rule set, where its standard one would be false.
    private var refusals: [RuleSet: String] = [:]

    /// A copy that has no answer under a rule set.
    ///
    /// - Parameter reason: goes on from "there is no … by these rules: ".
    public func without(_ rules: RuleSet, because reason: String) -> ProjectionDescription {
        var description = self
        description.refusals[rules] = reason
        return description
    }

    private var stateRefusals: [RuleSet: @Sendable (Fold) -> String?] = [:]

    /// A copy that has no answer under a rule set for some states.
    ///
    /// - Parameter reason: a sentence for a state whose answer would be false.
    public func refusing<Model: Projection>(
        _ rules: RuleSet, _ model: Model.Type,
        _ reason: @escaping @Sendable (Model.State) -> String?
    ) -> ProjectionDescription {
        var description = self
        description.stateRefusals[rules] = { $0.state(of: model).flatMap(reason) }
        return description
    }

    /// A sentence where it has no answer under a rule set for a state.
    public func refusal(of fold: Fold, _ rules: RuleSet) -> String? {
        stateRefusals[rules]?(fold)
    }

    /// A sentence where it has no answer under a rule set.
    public func refusal(of rules: RuleSet) -> String? {
        refusals[rules].map { "there is no '\(name)' by the \(rules) rules: \($0)" }
    }

    /// The rule sets it has its own fold for.
    public var rules: [RuleSet] {
        [.standard] + folds.keys.filter { $0 != .standard }.sorted { $0.name < $1.name }
    }

    /// The rule set under which a projection type folds its events; `nil` for a type that does not.
    public func rules<Target: Projection>(of projection: Target.Type) -> RuleSet? {
        rules.first { folds[$0]?.projection == ObjectIdentifier(projection) }
    }

    /// A fold from the start; the standard one where the projection has no other.
    public func fold(_ rules: RuleSet) -> Fold {
        guard let operations = folds[rules] ?? folds[.standard] else {
            preconditionFailure("the initialiser always sets the standard fold")
        }
        return Fold(operations)
    }

    /// The events of one entity, or of all of them.
    public func query(key: String?) -> Query {
        Query(Query.Item(kinds: kinds, tags: Set(key.map { [tag($0)] } ?? [])))
    }

    /// The tag that events of this entity carry.
    public func tag(_ key: String) -> Tag { Tag(stored: "\(noun):\(key)".nfc) }

    /// The entities an event belongs to, by the ids it names; `EntityWalk` knows their newest.
    public func keys(of event: RecordedEvent) -> [String] {
        var keys: [String] = []
        for tag in event.tags where tag.text.utf8.starts(with: prefix.utf8) {
            keys.append((String(tag.text.utf8.dropFirst(prefix.utf8.count)) ?? "").nfc)
        }
        return keys
    }
}

/// An entity whose id a projection of another holds.
public struct FollowedEntity: Hashable, Sendable {
    /// The noun of the entity's tags.
    public var noun: String
    public var id: String

    /// - Parameter id: in any Unicode form.
    public init(_ noun: String, _ id: String) {
        self.noun = noun
        self.id = id.nfc
    }
}
