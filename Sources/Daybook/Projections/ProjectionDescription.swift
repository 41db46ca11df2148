/// The description of a projection type, with which tools fold and show states of any type.
public struct ProjectionDescription: Sendable {
    /// The name under which tools list the projection.
    public let name: String
    /// Noun of the tags that name its entities: an event with `launch:l1` belongs to the entity
    /// `l1` of a projection whose noun is `launch`.
    public let noun: String
    /// Prefix of the tags that name the projection's entities: the noun and a colon.
    public let prefix: String
    /// One line for listings.
    public let summary: String
    /// The kinds that the projection folds.
    public let kinds: Set<EventKind>
    /// Nouns of other entities whose ids the states contain, so that their renamings are read too.
    public private(set) var follows: Set<String>
    /// Followed nouns whose renamings have tags of another noun, by that noun.
    ///
    /// `["profile": "baby"]`: a renaming of a baby has the tag of the baby's profile.
    public private(set) var followedBy: [String: String] = [:]
    /// Noun of the last part of compound ids; `nil` if the ids are not compound.
    ///
    /// A wallet's id is `user/household`, so a renaming of the household also renames the wallet.
    public private(set) var lastPart: String?
    /// Fields of the state, in order.
    public var fields: [FieldDescription] { makeFields() }
    /// Returns the value of `fields`.
    @usableFromInline let makeFields: @Sendable () -> [FieldDescription]
    /// Faults of the state's type, found with generated values; empty for none.
    public var faults: [String] { findFaults() }
    /// Returns the value of `faults`.
    private let findFaults: @Sendable () -> [String]
    /// The fault of a stored enum in the fields, such as repeated names; `nil` if there is none.
    var misnamedEnum: String? { findMisnamedEnum() }
    /// Returns the value of `misnamedEnum`.
    private let findMisnamedEnum: @Sendable () -> String?
    /// True if a state holds personal data that a log stores separately from its events.
    ///
    /// Such a state must not be stored in a file.
    public var holdsPersonalValues: Bool { findsPersonalValues() }
    /// Returns the value of `holdsPersonalValues`.
    private let findsPersonalValues: @Sendable () -> Bool
    /// The operations of the fold for each rule set that has a separate fold.
    @usableFromInline var folds: [RuleSet: FoldOperations] = [:]
    /// Returns new operations for `folds`.
    private let makeFolds: @Sendable () -> [RuleSet: FoldOperations]

    /// Describes a projection with the same fold under every rule set.
    ///
    /// - Parameters:
    ///   - noun: the noun of the tags that name the entities, such as `launch` in `launch:l1`.
    ///   - follows: the nouns of other entities whose ids the states contain.
    @inlinable
    public init<Standard: Projection>(
        _ name: String, noun: String, following follows: Set<String> = [], _ summary: String,
        _ standard: Standard.Type
    ) {
        self.init(name, noun: noun, follows, summary, standard) {
            [.standard: FoldOperations(Standard.self)]
        }
    }

    /// Returns a copy that also follows entities whose renamings have tags of a different noun.
    ///
    /// - Parameters:
    ///   - noun: the noun of the followed entities.
    ///   - other: the noun of the renamings' tags.
    public func following(_ noun: String, renamedAs other: String) -> ProjectionDescription {
        var description = self
        description.follows.insert(noun)
        description.followedBy[other] = noun
        return description
    }

    /// Functions that return the followed entities in an event's payload, by its kind.
    private var payloadReaders: [EventKind: @Sendable (RecordedEvent) -> [FollowedEntity]] = [:]

    /// Returns a copy that also follows entities that events name only in their payloads.
    ///
    /// - Parameter entities: returns the followed entities that an event names.
    package func following<Event: EventSet>(
        in events: Event.Type, _ entities: @escaping @Sendable (Event) -> [FollowedEntity]
    ) -> ProjectionDescription {
        var description = self
        let reader = KindReader<Event>()
        for kind in Event.kinds {
            description.payloadReaders[kind.kind] = { event in
                // The fold itself throws an error for an event that cannot be read.
                guard let known = try? reader.read(event) else { return [] }
                return entities(known)
            }
        }
        return description
    }

    /// Returns the followed entities that an event names, with the ids that it gives them.
    package func followed(by event: RecordedEvent) -> [FollowedEntity] {
        guard !follows.isEmpty else { return [] }
        let tagged: [FollowedEntity] = event.tags.compactMap { tag in
            let noun = String(tag.noun)
            let followed = follows.contains(noun) ? noun : followedBy[noun]
            return followed.map { FollowedEntity($0, String(tag.id)) }
        }
        return tagged + (payloadReaders[event.kind]?(event) ?? [])
    }

    /// Returns a copy with ids like `user/household`, which end in an id and are renamed with it.
    ///
    /// - Parameter noun: the noun of the id at the end.
    public func endingIn(_ noun: String) -> ProjectionDescription {
        var description = self
        description.lastPart = noun
        return description
    }

    /// Describes a projection with a second fold of the same fields, for a rule set.
    ///
    /// - Parameter rules: the rule set under which `other` folds.
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
        makeFields = { FieldDescription.fields(of: Standard.State.self, isInput: false) }
        findFaults = { RecordCheck.faults(of: Standard.State.self) }
        findMisnamedEnum = { EnumNamesChecker.check(Standard.State.self) }
        findsPersonalValues = { Standard.State.holdsPersonalValues }
        self.makeFolds = makeFolds
        folds = makeFolds()
    }

    /// A copy that shares no reference-counted object with the original.
    ///
    /// Threads that each use a separate copy do not contend for reference counts.
    public var unshared: ProjectionDescription {
        var description = self
        description.folds = makeFolds()
        return description
    }

    /// The reasons why the projection has no answer, by rule set.
    private var refusals: [RuleSet: String] = [:]

    /// Returns a copy that has no answer under a rule set, as the standard fold would be wrong.
    ///
    /// - Parameter reason: a clause that ends the sentence "there is no '…' by the … rules: ".
    public func without(_ rules: RuleSet, because reason: String) -> ProjectionDescription {
        var description = self
        description.refusals[rules] = reason
        return description
    }

    /// Functions that return the reason why a state has no answer, by rule set.
    private var stateRefusals: [RuleSet: @Sendable (Fold) -> String?] = [:]

    /// Returns a copy that has no answer under a rule set for some states.
    ///
    /// - Parameter reason: returns a sentence for a state whose answer would be wrong, else `nil`.
    public func refusing<Model: Projection>(
        _ rules: RuleSet, _ model: Model.Type,
        _ reason: @escaping @Sendable (Model.State) -> String?
    ) -> ProjectionDescription {
        var description = self
        description.stateRefusals[rules] = { $0.state(of: model).flatMap(reason) }
        return description
    }

    /// Returns the reason why a state has no answer under a rule set; `nil` if it has an answer.
    public func refusal(of fold: Fold, _ rules: RuleSet) -> String? {
        stateRefusals[rules]?(fold)
    }

    /// Returns the reason why there is no answer under a rule set; `nil` if there is an answer.
    public func refusal(of rules: RuleSet) -> String? {
        refusals[rules].map { "there is no '\(name)' by the \(rules) rules: \($0)" }
    }

    /// The rule sets for which the projection has a separate fold, `standard` first.
    public var rules: [RuleSet] {
        [.standard] + folds.keys.filter { $0 != .standard }.sorted { $0.name < $1.name }
    }

    /// Returns the rule set under which a projection type is the fold; `nil` if under none.
    public func rules<Target: Projection>(of projection: Target.Type) -> RuleSet? {
        rules.first { folds[$0]?.projection == ObjectIdentifier(projection) }
    }

    /// Returns a new fold for a rule set; the standard fold if the rule set has no separate fold.
    public func fold(_ rules: RuleSet) -> Fold {
        guard let operations = folds[rules] ?? folds[.standard] else {
            preconditionFailure(
                "internal error: the standard fold is missing, although the initialiser sets it")
        }
        return Fold(operations)
    }

    /// Returns the query of one entity's events, or of all entities' events if `key` is `nil`.
    public func query(key: String?) -> Query {
        Query(Query.Item(kinds: kinds, tags: Set(key.map { [tag($0)] } ?? [])))
    }

    /// Returns the tag of an entity's events.
    public func tag(_ key: String) -> Tag { Tag(stored: "\(noun):\(key)".nfc) }

    /// Returns the ids of the entities that an event belongs to, as they occur in its tags.
    ///
    /// `EntityWalk` resolves each id to the newest.
    public func keys(of event: RecordedEvent) -> [String] {
        var keys: [String] = []
        for tag in event.tags where tag.text.utf8.starts(with: prefix.utf8) {
            keys.append((String(tag.text.utf8.dropFirst(prefix.utf8.count)) ?? "").nfc)
        }
        return keys
    }
}

/// An entity whose id occurs in the states of other entities.
package struct FollowedEntity: Hashable, Sendable {
    /// The noun of the entity's tags, such as `baby` in `baby:7`.
    public var noun: String
    /// The id of the entity, in Unicode normalisation form C.
    public var id: String

    /// Creates a followed entity.
    ///
    /// - Parameter id: in any Unicode normalisation form.
    public init(_ noun: String, _ id: String) {
        self.noun = noun
        self.id = id.nfc
    }
}
