/// Which version of the rules an answer follows.
public enum RuleSet: UInt8, Choice {
    /// Daybook's own: the source documents wherever they state a rule that holds.
    case standard
    /// The source documents to the letter, their traps included.
    case source

    public static let names = ["standard", "source"]

    /// An input that names no rules means the standard ones.
    public static var absent: RuleSet? { .standard }
}

/// A projection under way, whatever its type.
public protocol Fold: Sendable {
    mutating func apply(_ event: RecordedEvent) throws(FoldError)
    /// The state as a JSON object.
    var json: String { get }
    /// The state's leaves, to compare with those before or after.
    var leaves: [FlatFields.Leaf] { get }
}

/// One projection, as tools see it.
public struct ProjectionDescription: Sendable {
    public let name: String
    /// The noun of the tag that tells its entities apart; an event with `launch:l1` belongs to
    /// the entity `l1` of a projection whose noun is `launch`.
    public let noun: String
    public let summary: String
    public let kinds: Set<EventKind>
    /// Nouns of other entities that its states name by their ids, so that it needs to be told when
    /// one of them gets another.
    public let follows: Set<String>
    public var fields: [FieldDescription] { fieldsOf() }
    private let fieldsOf: @Sendable () -> [FieldDescription]
    private let folds: [RuleSet: @Sendable () -> any Fold]

    public init<Standard: Projection>(
        _ name: String, noun: String, following follows: Set<String> = [], _ summary: String,
        _ standard: Standard.Type
    ) {
        self.init(name, noun: noun, follows, summary, standard, folds: [:])
    }

    public init<Standard: Projection, Source: Projection>(
        _ name: String, noun: String, _ summary: String, _ standard: Standard.Type,
        source: Source.Type
    ) {
        self.init(
            name, noun: noun, [], summary, standard, folds: [.source: { TypedFold<Source>() }])
    }

    private init<Standard: Projection>(
        _ name: String, noun: String, _ follows: Set<String>, _ summary: String,
        _ standard: Standard.Type,
        folds: [RuleSet: @Sendable () -> any Fold]
    ) {
        self.name = name
        self.noun = noun
        self.summary = summary
        self.follows = follows
        kinds = Standard.kinds
        fieldsOf = { FieldDescription.fields(of: Standard.State.self) }
        var folds = folds
        folds[.standard] = { TypedFold<Standard>() }
        self.folds = folds
    }

    /// The rule sets it has its own fold for.
    public var rules: [RuleSet] { RuleSet.allCases.filter { folds[$0] != nil } }

    /// A fold from the start; the standard one where the projection has no other.
    public func fold(_ rules: RuleSet) -> any Fold {
        guard let make = folds[rules] ?? folds[.standard] else {
            preconditionFailure("the initialiser always sets the standard fold")
        }
        return make()
    }

    /// The events of one entity, or of all of them.
    public func query(key: String?) -> Query {
        Query(Query.Item(kinds: kinds, tags: Set(key.map { [tag($0)] } ?? [])))
    }

    /// The tag that events of this entity carry.
    public func tag(_ key: String) -> Tag { Tag(stored: "\(noun):\(key)") }

    /// The entities an event belongs to, by the ids it names; `EntityWalk` knows their newest.
    public func keys(of event: RecordedEvent) -> [String] {
        event.tags.filter { $0.noun == noun }.map { String($0.id) }
    }
}

private struct TypedFold<Target: Projection>: Fold {
    private var state = Target.State()
    private let reader = KindReader<Target.Event>()

    mutating func apply(_ event: RecordedEvent) throws(FoldError) {
        guard let known = try reader.read(event) else { return }
        Target.evolve(&state, with: known, event.envelope)
    }

    var json: String { JSONWriter.text(state) }

    var leaves: [FlatFields.Leaf] { FlatFields.of(state) }
}
