/// The description of a projection type, with which tools fold and show its states by name.
public struct ProjectionDescription: Sendable {
    /// The name under which tools list the projection.
    public let name: String
    /// The noun of the tags that name the projection's entities.
    ///
    /// If the noun is `launch`, an event with the tag `launch:l1` belongs to the entity `l1`.
    public let noun: String
    /// The noun and a colon, with which the tags of the projection's entities begin.
    public let prefix: String
    /// A one-line description for listings.
    public let summary: String
    /// The kinds of events that the projection folds.
    public let kinds: Set<EventKind>
    /// The nouns (tag prefixes, such as `baby`) of other entities whose ids the states contain.
    ///
    /// When such an entity gets a new id, the states that contain the old id must change too.
    public private(set) var followedNouns: Set<String>
    /// The followed nouns of entities that are renamed under another noun, by that other noun.
    ///
    /// `["profile": "baby"]`: an event that renames a baby has the tag of the baby's profile.
    public private(set) var followedNounsByTagNoun: [String: String] = [:]
    /// The noun of the last part of compound ids; `nil` if the ids are not compound.
    ///
    /// A wallet's id is `user/household`, so a renaming of the household also renames the wallet.
    public private(set) var lastPartNoun: String?
    /// The fields of the state, in order.
    package var fields: [FieldDescription] { makeFields() }
    /// Returns the value of `fields`.
    @usableFromInline let makeFields: @Sendable () -> [FieldDescription]
    /// Mistakes in the definition of the state's type, found by trying it with generated values.
    ///
    /// Each is a sentence; the list is empty if no mistake was found.
    public var faults: [String] { findFaults() }
    /// Returns the value of `faults`.
    private let findFaults: @Sendable () -> [String]
    /// The first mistake in the state's stored enums, such as repeated case names; else `nil`.
    var storedEnumFault: String? { findStoredEnumFault() }
    /// Returns the value of `storedEnumFault`.
    private let findStoredEnumFault: @Sendable () -> String?
    /// True if a state contains users' names or personal integers.
    ///
    /// A log stores these apart from its events, so that they can be erased. A state with them must
    /// not be stored in a file.
    public var holdsPersonalValues: Bool { findsPersonalValues() }
    /// Returns the value of `holdsPersonalValues`.
    private let findsPersonalValues: @Sendable () -> Bool
    /// The operations of each fold of the projection, by the rule set under which it is used.
    private var folds: [RuleSet: FoldOperations] { lazyFolds.value }
    /// Creates the value of `folds` at its first use.
    private var lazyFolds: LazyValue<[RuleSet: FoldOperations]>

    /// The place where the projection is declared.
    public let place: SourcePlace

    /// Creates the description of a projection with the same fold under every rule set.
    ///
    /// - Parameters:
    ///   - noun: the noun of the tags that name the entities, such as `launch` in `launch:l1`.
    ///   - followed: the nouns of other entities whose ids the states contain.
    ///   - standard: the projection type.
    ///   - fileID: the module and file of the declaration; by default those of the call.
    ///   - line: the line of the declaration.
    @inlinable
    public init<Standard: Projection>(
        _ name: String, noun: String, following followed: Set<String> = [], _ summary: String,
        _ standard: Standard.Type, fileID: String = #fileID, line: Int = #line
    ) {
        let place = SourcePlace(fileID: fileID, line: line)
        self.init(name, noun: noun, followed, summary, standard, place) {
            [.standard: FoldOperations(Standard.self)]
        }
    }

    /// Returns a copy that also follows renamings of entities by events with tags of another noun.
    ///
    /// - Parameters:
    ///   - noun: the noun of the renamed entities.
    ///   - other: the noun of the tags of the events that rename them.
    public func following(_ noun: String, renamedAs other: String) -> ProjectionDescription {
        var description = self
        description.followedNouns.insert(noun)
        description.followedNounsByTagNoun[other] = noun
        return description
    }

    /// A function for each event kind that returns the followed entities in an event's payload.
    private var payloadReaders: [EventKind: @Sendable (RecordedEvent) -> [FollowedEntity]] = [:]

    /// Returns a copy that also follows renamings of entities named only in events' payloads.
    ///
    /// - Parameters:
    ///   - events: the set of the events that name them.
    ///   - entities: returns the followed entities that such an event names.
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

    /// Returns the entities with followed nouns that an event names in its tags or payload.
    ///
    /// Their ids are those in the event, which may have been replaced since.
    package func followedEntities(in event: RecordedEvent) -> [FollowedEntity] {
        guard !followedNouns.isEmpty else { return [] }
        let tagged: [FollowedEntity] = event.tags.compactMap { tag in
            let noun = String(tag.noun)
            let followed = followedNouns.contains(noun) ? noun : followedNounsByTagNoun[noun]
            return followed.map { FollowedEntity($0, String(tag.id)) }
        }
        return tagged + (payloadReaders[event.kind]?(event) ?? [])
    }

    /// Returns a copy for entities whose ids, like `user/household`, end in another entity's id.
    ///
    /// A renaming of the other entity also renames this projection's entity.
    ///
    /// - Parameter noun: the noun of the other entity.
    public func endingIn(_ noun: String) -> ProjectionDescription {
        var description = self
        description.lastPartNoun = noun
        return description
    }

    /// Creates the description of a projection with a second fold for one rule set.
    ///
    /// - Parameters:
    ///   - standard: the projection type for all other rule sets.
    ///   - rules: the rule set under which `other` is the fold.
    ///   - other: the second projection type, whose state has the same fields.
    ///   - fileID: the module and file of the declaration; by default those of the call.
    ///   - line: the line of the declaration.
    @inlinable
    public init<Standard: Projection, Other: Projection>(
        _ name: String, noun: String, following followed: Set<String> = [], _ summary: String,
        _ standard: Standard.Type, under rules: RuleSet, _ other: Other.Type,
        fileID: String = #fileID, line: Int = #line
    ) {
        let place = SourcePlace(fileID: fileID, line: line)
        self.init(name, noun: noun, followed, summary, standard, place) {
            [.standard: FoldOperations(Standard.self), rules: FoldOperations(Other.self)]
        }
    }

    @usableFromInline
    init<Standard: Projection>(
        _ name: String, noun: String, _ followed: Set<String>, _ summary: String,
        _ standard: Standard.Type, _ place: SourcePlace,
        _ makeFolds: @escaping @Sendable () -> [RuleSet: FoldOperations]
    ) {
        self.name = name
        self.noun = noun
        self.summary = summary
        self.place = place
        followedNouns = followed
        prefix = "\(noun):"
        kinds = Standard.kinds
        makeFields = { FieldDescription.fields(of: Standard.State.self, isInput: false) }
        findFaults = { RecordCheck.faults(of: Standard.State.self) }
        findStoredEnumFault = { EnumNamesChecker.check(Standard.State.self) }
        findsPersonalValues = { Standard.State.holdsPersonalValues }
        lazyFolds = LazyValue(makeFolds)
    }

    /// A copy whose folds share no reference-counted object with those of the original.
    ///
    /// If each thread uses its own copy, the threads do not contend for reference counts.
    public var unshared: ProjectionDescription {
        var description = self
        description.lazyFolds = lazyFolds.unshared
        return description
    }

    /// The reason for each rule set under which the projection has no states.
    private var refusals: [RuleSet: String] = [:]

    /// Returns a copy that refuses a rule set under which the standard fold would be wrong.
    ///
    /// - Parameter reason: a clause; messages put it after "the projection '…' has no states …: ".
    public func without(_ rules: RuleSet, because reason: String) -> ProjectionDescription {
        var description = self
        description.refusals[rules] = reason
        return description
    }

    /// A function for each rule set that returns why a state gives no answer; else `nil`.
    private var stateRefusals: [RuleSet: @Sendable (Fold) -> String?] = [:]

    /// Returns a copy that gives no answer under a rule set for some states.
    ///
    /// - Parameters:
    ///   - model: the projection type that folds the states.
    ///   - reason: returns a sentence for a state whose answer would be wrong, else `nil`.
    public func refusing<Model: Projection>(
        _ rules: RuleSet, _ model: Model.Type,
        _ reason: @escaping @Sendable (Model.State) -> String?
    ) -> ProjectionDescription {
        var description = self
        description.stateRefusals[rules] = { $0.state(of: model).flatMap(reason) }
        return description
    }

    /// Returns the reason why a fold's state gives no answer under a rule set, else `nil`.
    public func refusal(of fold: Fold, _ rules: RuleSet) -> String? {
        stateRefusals[rules]?(fold)
    }

    /// Returns a sentence if the projection has no states under a rule set, else `nil`.
    public func refusal(of rules: RuleSet) -> String? {
        refusals[rules].map {
            "the projection '\(name)' has no states under the rule set '\(rules)': \($0)"
        }
    }

    /// The rule sets for which the projection has its own fold, `standard` first.
    public var rules: [RuleSet] {
        [.standard] + folds.keys.filter { $0 != .standard }.sorted { $0.name < $1.name }
    }

    /// Returns the rule set for which `projection` is the fold; `nil` if it is the fold for none.
    public func rules<Target: Projection>(of projection: Target.Type) -> RuleSet? {
        rules.first { folds[$0]?.projection == ObjectIdentifier(projection) }
    }

    /// Returns a blank fold for a rule set; the standard fold if there is none for the rule set.
    public func fold(_ rules: RuleSet) -> Fold {
        guard let operations = folds[rules] ?? folds[.standard] else {
            preconditionFailure(
                "internal error: the standard fold is missing, although the initialiser sets it")
        }
        return Fold(operations)
    }

    /// Returns the query for the events that the projection folds.
    ///
    /// - Parameter key: the id of the entity whose events match; `nil` for those of all entities.
    public func query(key: String?) -> Query {
        Query(Query.Item(kinds: kinds, tags: key.map { [tag($0)] } ?? []))
    }

    /// Returns the tag that the events of an entity have.
    ///
    /// - Parameter key: the id of the entity.
    public func tag(_ key: String) -> Tag { Tag(stored: "\(noun):\(key)".nfc) }

    /// Returns the ids of the projection's entities that an event belongs to, taken from its tags.
    ///
    /// An id may have been replaced since; `EntityWalk` finds the newest id.
    public func keys(of event: RecordedEvent) -> [String] {
        var keys: [String] = []
        for tag in event.tags where tag.text.utf8.starts(with: prefix.utf8) {
            keys.append((String(tag.text.utf8.dropFirst(prefix.utf8.count)) ?? "").nfc)
        }
        return keys
    }
}

/// A reference to an entity whose id occurs in the states of other entities.
package struct FollowedEntity: Hashable, Sendable {
    /// The noun of the entity's tags, such as `baby` in `baby:7`.
    public var noun: String
    /// The id of the entity, in Unicode normalisation form C.
    public var id: String

    /// Creates a reference to an entity.
    ///
    /// - Parameter id: the id of the entity, in any Unicode normalisation form.
    public init(_ noun: String, _ id: String) {
        self.noun = noun
        self.id = id.nfc
    }
}
