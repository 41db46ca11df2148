import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// Known event kinds and tag nouns (`baby` in `baby:7`), to check the names that options give.
///
/// A name is known if the log or an area has it.
struct KnownNames {
    private let log: EventLog
    private let catalogue: Catalogue

    init(_ log: EventLog, _ catalogue: Catalogue) {
        self.log = log
        self.catalogue = catalogue
    }

    /// Returns the event kinds with the given names, the values of an option; a name without a
    /// version means all versions.
    ///
    /// - Throws: `ValidationError` for a name that no event kind of the areas or the log has.
    func kinds(_ names: [String], _ option: String) throws -> Set<EventKind> {
        guard !names.isEmpty else { return [] }
        let known = try allEventKinds()
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

    /// Returns the event kinds of the log and of the areas.
    func allEventKinds() throws -> Set<EventKind> {
        try log.contents.kinds().union(catalogue.events.keys).union(catalogue.upcasters.keys)
    }

    /// Returns the nouns of tags, such as `baby` in `baby:7`, in the log or declared by the areas.
    func nouns() throws(LogError) -> Set<String> {
        try log.contents.nouns().union(catalogue.projections.values.map(\.noun))
            .union(catalogue.people.nouns.keys).union(catalogue.people.owners.keys)
            .union(catalogue.plainNouns)
    }

    /// Throws a usage error for a tag whose noun occurs neither in the log nor in an area.
    func check(nounsOf tags: [Daybook.Tag], _ option: String) throws {
        guard !tags.isEmpty else { return }
        let nouns = try nouns()
        for tag in tags where !nouns.contains(String(tag.noun)) {
            let hint = NearestNames.hint(for: String(tag.noun), in: nouns)
            throw ValidationError(
                "\(option): no event has a tag that begins with '\(tag.noun):'\(hint)")
        }
    }
}
