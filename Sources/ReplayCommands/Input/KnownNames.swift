import ArgumentParser
import EventSourcing
import EventStorage
import Investigation

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
        try log.kinds().union(catalogue.events.keys).union(catalogue.upcasters.keys)
    }

    /// The nouns of entities: those that the log has tags of, and those that the areas name.
    func nouns() throws -> Set<String> {
        try log.nouns().union(catalogue.projections.values.map(\.noun))
            .union(catalogue.people.nouns.keys).union(catalogue.people.owners.keys)
            .union(catalogue.plainNouns)
    }

    /// Refuses a tag whose noun nothing has.
    func check(nounsOf tags: [EventSourcing.Tag], _ option: String) throws {
        guard !tags.isEmpty else { return }
        let nouns = try nouns()
        for tag in tags where !nouns.contains(String(tag.noun)) {
            let hint = NearestNames.hint(for: String(tag.noun), in: nouns)
            throw ValidationError("\(option): no event has a tag with '\(tag.noun)'\(hint)")
        }
    }
}
