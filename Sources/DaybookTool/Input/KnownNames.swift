import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// Event kinds and nouns of a log and of the areas, to check the names that options give.
struct KnownNames {
    private let log: EventLog
    private let catalogue: Catalogue

    init(_ log: EventLog, _ catalogue: Catalogue) {
        self.log = log
        self.catalogue = catalogue
    }

    /// Returns the kinds that the values of an option name; a name without a version means all
    /// versions.
    ///
    /// - Throws: `ValidationError` for a kind that neither the areas nor the log have.
    func kinds(_ names: [String], _ option: String) throws -> Set<EventKind> {
        guard !names.isEmpty else { return [] }
        let known = try allKinds()
        var kinds: Set<EventKind> = []
        for name in names {
            let found = known.named(name)
            guard !found.isEmpty else {
                let stems = known.map { String($0.stem) } + known.map(\.name)
                let hint =
                    EventKind(name) == nil && EventKind(name + ".v1") == nil
                    ? "; expected a name like \(known.min()?.name ?? "launch.app-launched.v1")" : ""
                throw ValidationError(
                    "\(option): there is no kind of event '\(name)'\(hint)"
                        + "\(NearestNames.hint(for: name, in: stems))")
            }
            kinds.formUnion(found)
        }
        return kinds
    }

    /// Returns the kinds of the log and of the areas.
    func allKinds() throws -> Set<EventKind> {
        try log.contents.kinds().union(catalogue.events.keys).union(catalogue.upcasters.keys)
    }

    /// Returns the nouns of tags, such as `baby` in `baby:7`, in the log or declared by the areas.
    func nouns() throws(LogError) -> Set<String> {
        try log.contents.nouns().union(catalogue.projections.values.map(\.noun))
            .union(catalogue.people.nouns.keys).union(catalogue.people.owners.keys)
            .union(catalogue.plainNouns)
    }

    /// Throws a usage error for a tag whose noun neither the log nor an area has.
    func check(nounsOf tags: [Daybook.Tag], _ option: String) throws {
        guard !tags.isEmpty else { return }
        let nouns = try nouns()
        for tag in tags where !nouns.contains(String(tag.noun)) {
            let hint = NearestNames.hint(for: String(tag.noun), in: nouns)
            throw ValidationError("\(option): no event has a tag with '\(tag.noun)'\(hint)")
        }
    }
}

/// Warnings about nouns of tags that a line of `append` has in its condition, but no event has.
///
/// A condition on a mistyped tag never fails. The line is not refused, because the first event of
/// another program may introduce the noun.
struct UnknownNounWarnings {
    /// Nouns that the log and the areas know.
    private let names: KnownNames
    /// Nouns of the events of earlier lines, and nouns that were warned of.
    private var seen: Set<String> = []

    init(_ names: KnownNames) { self.names = names }

    /// Warns about each unknown noun in the condition of a line.
    mutating func check(_ line: AppendLine) throws {
        if case .event(let event) = line.body { seen.formUnion(event.tags.map { String($0.noun) }) }
        let tags = line.condition?.query.items?.flatMap(\.tags) ?? []
        let unseen = Set(tags.map { String($0.noun) }).subtracting(seen)
        guard !unseen.isEmpty else { return }
        let known = try mappingLogErrors { try names.nouns() }
        for noun in unseen.subtracting(known).sorted() {
            StandardError.message(
                "standard input:\(line.number): failIfEventsMatch: no event has a tag with '\(noun)', "
                    + "so this condition always holds\(NearestNames.hint(for: noun, in: known))")
        }
        seen.formUnion(unseen)
    }
}
