import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The names that a log and the program's areas know, for options that take one.
struct KnownNames {
    private let log: EventLog
    private let catalogue: Catalogue

    init(_ log: EventLog, _ catalogue: Catalogue) {
        self.log = log
        self.catalogue = catalogue
    }

    /// The kinds that an option names, each in one layout, or in all where it names no version.
    ///
    /// - Throws: a wrong use of the option for a kind that neither the areas nor the log know.
    func kinds(_ names: [String], _ option: String) throws -> Set<EventKind> {
        guard !names.isEmpty else { return [] }
        let known = try all()
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

    /// The kinds of the log and of the areas.
    func all() throws -> Set<EventKind> {
        try log.contents.kinds().union(catalogue.events.keys).union(catalogue.upcasters.keys)
    }

    /// The nouns of entities: those that the log has tags of, and those that the areas name.
    func nouns() throws(LogError) -> Set<String> {
        try log.contents.nouns().union(catalogue.projections.values.map(\.noun))
            .union(catalogue.people.nouns.keys).union(catalogue.people.owners.keys)
            .union(catalogue.plainNouns)
    }

    /// Refuses a tag whose noun nothing has.
    func check(nounsOf tags: [Daybook.Tag], _ option: String) throws {
        guard !tags.isEmpty else { return }
        let nouns = try nouns()
        for tag in tags where !nouns.contains(String(tag.noun)) {
            let hint = NearestNames.hint(for: String(tag.noun), in: nouns)
            throw ValidationError("\(option): no event has a tag with '\(tag.noun)'\(hint)")
        }
    }
}

/// Warns of nouns in the conditions of append lines that no event has: a condition on a mistyped
/// tag never fails. It refuses none, since another program's first event may bring the noun.
struct ConditionNouns {
    private let names: KnownNames
    /// Nouns of the events of earlier lines, and those that were warned of.
    private var seen: Set<String> = []

    init(_ names: KnownNames) { self.names = names }

    mutating func check(_ line: AppendLine) throws {
        if case .event(let event) = line.body { seen.formUnion(event.tags.map { String($0.noun) }) }
        let tags = line.condition?.query.items?.flatMap(\.tags) ?? []
        let unseen = Set(tags.map { String($0.noun) }).subtracting(seen)
        guard !unseen.isEmpty else { return }
        let known = try mappingLogErrors { try names.nouns() }
        for noun in unseen.subtracting(known).sorted() {
            StandardError.message(
                "standard input:\(line.number): failIfEventsMatch: no event has a tag with '\(noun)', "
                    + "so that this condition holds\(NearestNames.hint(for: noun, in: known))")
        }
        seen.formUnion(unseen)
    }
}
