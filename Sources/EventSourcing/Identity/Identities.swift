/// Groups of ids that mean the same entity, learnt from the events seen so far.
public struct Identities: Sendable {
    /// Newer ids by noun and by the id that each replaced.
    private var replaced: [String: [String: String]] = [:]
    /// Ids that replaced others, by noun.
    private var replacing: [String: Set<String>] = [:]
    /// Kinds of the events that renamed something.
    private(set) var kinds: Set<EventKind> = []

    /// Every id is an entity of its own.
    public init() {}

    /// - Parameter events: others than those that rename are passed over.
    public init(
        _ events: some Sequence<RecordedEvent>, in catalogue: Catalogue
    ) throws(FoldError) {
        for event in events { try take(event, in: catalogue) }
    }

    public var isEmpty: Bool { replaced.isEmpty }

    public mutating func take(
        _ event: RecordedEvent, in catalogue: Catalogue
    ) throws(FoldError) {
        let event = try catalogue.upcast(event)
        let renamings = try catalogue.renamings(by: event)
        if !renamings.isEmpty { kinds.insert(event.kind) }
        for renaming in renamings { take(renaming) }
    }

    public mutating func take(_ renaming: Renaming) {
        let (noun, from, to) = (renaming.noun, renaming.from, renaming.to)
        guard replaced[noun, default: [:]].replace(from, by: to) else { return }
        replacing[noun, default: []].insert(to)
    }

    /// The id that an entity ended up with.
    public func newest(_ noun: String, _ id: String) -> String {
        replaced[noun]?.newest(id) ?? id
    }

    /// Every id of the entity that `id` means, the newest first.
    public func all(_ noun: String, _ id: String) -> [String] {
        let newest = newest(noun, id)
        let older = replaced[noun, default: [:]].keys.filter { self.newest(noun, $0) == newest }
        return [newest] + older.sorted()
    }

    /// `true` if the id was replaced or replaced another.
    func isRenamed(_ noun: String, _ id: String) -> Bool {
        replaced[noun]?[id] != nil || replacing[noun]?.contains(id) == true
    }
}

extension Catalogue {
    /// Renamings made by an event, which must be in its newest layout.
    public func renamings(by event: RecordedEvent) throws(FoldError) -> [Renaming] {
        guard let read = events[event.kind]?.renamings else { return [] }
        do throws(CorruptPayload) {
            return try unsafe read(event.payload.contents.bytes)
        } catch {
            throw .corrupt(event.position, event.kind, error)
        }
    }

    /// The kinds that rename entities of a noun, with the noun of the tags they are found by.
    public func renamingKinds(of noun: String) -> [(kind: EventKind, foundBy: String)] {
        events.values.compactMap { event in event.renames[noun].map { (event.kind, $0) } }
            .sorted { $0.kind < $1.kind }
    }
}
