import Daybook
import DaybookInvestigation
import DaybookLog

/// Warnings about tags in a line's condition whose noun (`baby` in `baby:7`) no event has.
///
/// An item with a mistyped tag matches no event. The line is not refused, because the first event
/// of another program may introduce the noun.
struct UnknownNounWarnings {
    /// Names of the log and of the areas, among them the known nouns.
    private let knownNames: KnownNames
    /// Nouns of the events of earlier lines, and nouns about which a warning was printed.
    private var handledNouns: Set<String> = []

    init(_ knownNames: KnownNames) { self.knownNames = knownNames }

    /// Warns about each unknown noun in the condition of a line.
    mutating func check(_ line: AppendLine) throws {
        if case .event(let event) = line.body {
            handledNouns.formUnion(event.tags.map { String($0.noun) })
        }
        let tags = line.condition?.query.items?.flatMap(\.tags) ?? []
        let unseen = Set(tags.map { String($0.noun) }).subtracting(handledNouns)
        guard !unseen.isEmpty else { return }
        let known = try mappingLogErrors { try knownNames.nouns() }
        for noun in unseen.subtracting(known).sorted() {
            StandardError.message(
                "standard input:\(line.number): failIfEventsMatch: no event has a tag that begins "
                    + "with '\(noun):', so no event matches an item with this tag"
                    + "\(NearestNames.hint(for: noun, in: known))")
        }
        handledNouns.formUnion(unseen)
    }
}
