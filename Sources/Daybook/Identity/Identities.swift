/// Groups of ids that mean the same entity, learnt from the events seen so far.
public struct Identities: Sendable {
    /// Newer ids by noun and by the id that each replaced.
    private var replaced: [String: [String: String]] = [:]
    /// Ids that replaced others, by noun.
    private var replacing: [String: Set<String>] = [:]
    /// Kinds of the events that renamed something.
    private(set) var kinds: Set<EventKind> = []
    /// Nouns of the last parts of ids that are made of several, by the noun of the whole.
    private var lastParts: [String: String]

    /// Every id is an entity of its own.
    ///
    /// - Parameter lastParts: noun of the last part of an id, by the noun of the whole id.
    public init(lastParts: [String: String] = [:]) {
        self.lastParts = lastParts
    }

    /// - Parameter events: others than those that rename are passed over.
    public init(
        _ events: some Sequence<RecordedEvent>, in catalogue: Catalogue
    ) throws(FoldError) {
        self.init()
        for event in events { try take(event, in: catalogue) }
    }

    /// True if no entity has a second id.
    public var isEmpty: Bool { replaced.isEmpty }

    public mutating func take(
        _ event: RecordedEvent, in catalogue: Catalogue
    ) throws(FoldError) {
        let event = try catalogue.upcast(event)
        let renamings = try catalogue.renamings(by: event)
        guard !renamings.isEmpty else { return }
        lastParts = catalogue.lastParts
        kinds.insert(event.kind)
        for renaming in renamings { take(renaming) }
    }

    public mutating func take(_ renaming: Renaming) {
        let (noun, from, to) = (renaming.noun, renaming.from, renaming.to)
        guard replaced[noun, default: [:]].replace(from, by: to) else { return }
        replacing[noun, default: []].insert(to)
    }

    /// The id that an entity ended up with.
    public func newest(_ noun: String, _ id: String) -> String {
        guard let part = renamedPart(noun, id) else { return newestWhole(noun, id) }
        return part.before + newestWhole(part.noun, part.id)
    }

    /// Every id of the entity that `id` means, the newest first.
    public func all(_ noun: String, _ id: String) -> [String] {
        guard let part = renamedPart(noun, id) else { return allWhole(noun, id) }
        return allWhole(part.noun, part.id).map { part.before + $0 }
    }

    /// `true` if the id, or its last part, was replaced or replaced another.
    func isRenamed(_ noun: String, _ id: String) -> Bool {
        isRenamedWhole(noun, id) || renamedPart(noun, id) != nil
    }

    private func newestWhole(_ noun: String, _ id: String) -> String {
        replaced[noun]?.newest(id) ?? id
    }

    private func allWhole(_ noun: String, _ id: String) -> [String] {
        let newest = newestWhole(noun, id)
        let older = replaced[noun, default: [:]].keys.filter { newestWhole(noun, $0) == newest }
        return [newest] + older.sorted()
    }

    private func isRenamedWhole(_ noun: String, _ id: String) -> Bool {
        replaced[noun]?[id] != nil || replacing[noun]?.contains(id) == true
    }

    /// The last part of an id made of several, where that part has several ids; the longest one.
    ///
    /// It is an id as a whole: of a part made of several itself, the parts are not looked at.
    private func renamedPart(
        _ noun: String, _ id: String
    ) -> (before: String, noun: String, id: String)? {
        guard let last = lastParts[noun], !isEmpty else { return nil }
        for part in id.lastParts where isRenamedWhole(last, part.after) {
            return (part.before, last, part.after)
        }
        return nil
    }
}

extension String {
    /// The divisions of an id behind each of its `/`, from the first to the last.
    var lastParts: [(before: String, after: String)] {
        utf8.indices.filter { utf8[$0] == UInt8(ascii: "/") }.map {
            let start = utf8.index(after: $0)
            return (String(self[..<start]), String(self[start...]))
        }
    }
}

extension Catalogue {
    /// Renamings made by an event, which must be in its newest layout.
    public func renamings(by event: RecordedEvent) throws(FoldError) -> [Renaming] {
        guard let read = events[event.kind]?.renamings else { return [] }
        return try mappingPayloadErrors(of: event, try unsafe read(event.payload.contents.bytes))
    }

    /// The kinds that rename entities of a noun, with the noun of the tags they are found by.
    public func renamingKinds(of noun: String) -> [(kind: EventKind, foundBy: String)] {
        let noun = lastParts[noun] ?? noun
        return events.values.compactMap { event in event.renames[noun].map { (event.kind, $0) } }
            .sorted { $0.kind < $1.kind }
    }

    /// The noun and the ids whose renamings are those of entities: of an id made of several, what
    /// may be its last part.
    public func renamable(
        _ noun: String, _ ids: Set<String>
    ) -> (noun: String, ids: Set<String>) {
        guard let last = lastParts[noun] else { return (noun, ids) }
        return (last, Set(ids.flatMap { $0.lastParts.map(\.after) }))
    }
}
