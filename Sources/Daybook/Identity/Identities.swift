/// The ids that mean the same entity, according to the renamings seen so far.
package struct Identities: Sendable {
    /// The id that replaced another id, by the noun of the entity's tags and the replaced id.
    private var replacements: [String: [String: String]] = [:]
    /// The ids that replaced other ids, by the noun of the entity's tags.
    private var replacingIDs: [String: Set<String>] = [:]
    /// Kinds of the renaming events that were added so far.
    private(set) var kinds: Set<EventKind> = []
    /// Noun of the last part of a compound id like `user/household`, by the noun of the whole id.
    private var lastParts: [String: String]

    /// Creates identities without renamings: each id means a different entity.
    public init(lastParts: [String: String] = [:]) { self.lastParts = lastParts }

    /// Collects the renamings that the events make.
    public init(_ events: some Sequence<RecordedEvent>, in catalogue: Catalogue) throws(FoldError) {
        self.init()
        for event in events { try add(event, in: catalogue) }
    }

    /// True if no entity has a second id.
    public var isEmpty: Bool { replacements.isEmpty }

    /// Adds the renamings that an event makes, if any; the event may have an older layout.
    public mutating func add(_ event: RecordedEvent, in catalogue: Catalogue) throws(FoldError) {
        let event = try catalogue.upcast(event)
        let renamings = try catalogue.renamings(by: event)
        guard !renamings.isEmpty else { return }
        lastParts = catalogue.lastParts
        kinds.insert(event.kind)
        for renaming in renamings { add(renaming) }
    }

    /// Adds a renaming, unless its old id was replaced before, or ids would then form a circle.
    public mutating func add(_ renaming: Renaming) {
        let (noun, from, to) = (renaming.noun, renaming.from, renaming.to)
        guard replacements[noun, default: [:]].replace(from, by: to) else { return }
        replacingIDs[noun, default: []].insert(to)
    }

    /// Returns the newest id of the entity that `id` means; `id` itself if never replaced.
    public func newest(_ noun: String, _ id: String) -> String {
        guard let part = renamedPart(noun, id) else { return newestWhole(noun, id) }
        return part.before + newestWhole(part.noun, part.id)
    }

    /// Returns every id of the entity that `id` means, the newest first.
    public func all(_ noun: String, _ id: String) -> [String] {
        guard let part = renamedPart(noun, id) else { return allWhole(noun, id) }
        return allWhole(part.noun, part.id).map { part.before + $0 }
    }

    /// Returns the ids, undivided, that were replaced by an id, directly or through other ids.
    public func replaced(_ noun: String, by id: String) -> Set<String> {
        guard let replacements = replacements[noun] else { return [] }
        var found: Set<String> = []
        var fresh: Set = [id]
        while !fresh.isEmpty {
            fresh = Set(replacements.filter { fresh.contains($0.value) }.keys).subtracting(found)
            found.formUnion(fresh)
        }
        return found
    }

    /// True if the id, or its last part, was replaced by another id or replaced one.
    func isRenamed(_ noun: String, _ id: String) -> Bool {
        isRenamedWhole(noun, id) || renamedPart(noun, id) != nil
    }

    /// Returns the newest id of the entity, without dividing a compound id.
    private func newestWhole(_ noun: String, _ id: String) -> String {
        replacements[noun]?.newest(id) ?? id
    }

    /// Returns every id of the entity, the newest first, without dividing a compound id.
    private func allWhole(_ noun: String, _ id: String) -> [String] {
        let newest = newestWhole(noun, id)
        let older = replacements[noun, default: [:]].keys.filter { newestWhole(noun, $0) == newest }
        return [newest] + older.sorted()
    }

    /// True if the undivided id was replaced by another id or replaced one.
    private func isRenamedWhole(_ noun: String, _ id: String) -> Bool {
        replacements[noun]?[id] != nil || replacingIDs[noun]?.contains(id) == true
    }

    /// Returns the longest renamed last part of a compound id, and the text before that part.
    ///
    /// `nil` if no last part was renamed. The last part is looked up as a whole id, even if it is
    /// compound itself.
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
    /// The two halves of an id at each `/`: for `a/b/c`, (`a/`, `b/c`) and (`a/b/`, `c`).
    var lastParts: [(before: String, after: String)] {
        utf8.indices.filter { utf8[$0] == UInt8(ascii: "/") }.map {
            let start = utf8.index(after: $0)
            return (String(self[..<start]), String(self[start...]))
        }
    }
}

extension Catalogue {
    /// Returns the renamings that an event makes; the event must be in its newest layout.
    public func renamings(by event: RecordedEvent) throws(FoldError) -> [Renaming] {
        guard let read = events[event.kind]?.renamings else { return [] }
        return try mappingPayloadErrors(of: event, try unsafe read(event.payload.contents.bytes))
    }

    /// Returns the event kinds that rename entities of a noun, each with the noun of the tag by
    /// which queries find its events.
    public func renamingKinds(of noun: String) -> [(kind: EventKind, foundBy: String)] {
        let noun = lastParts[noun] ?? noun
        return events.values.compactMap { event in event.renames[noun].map { (event.kind, $0) } }
            .sorted { $0.kind < $1.kind }
    }

    /// Returns the noun and the ids under which renamings of these entities are recorded.
    ///
    /// For compound ids: the noun of the last part, and every possible last part.
    public func renamable(_ noun: String, _ ids: Set<String>) -> (noun: String, ids: Set<String>) {
        guard let last = lastParts[noun] else { return (noun, ids) }
        return (last, Set(ids.flatMap { $0.lastParts.map(\.after) }))
    }
}
