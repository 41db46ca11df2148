package import Daybook

/// The faults of an area that the compiler cannot find.
///
/// The check tries the area's records, folds and commands with generated values. It finds a
/// property missing from `fields`, an event kind missing from an event set, a noun that no tag has,
/// an event without the tag by which a command looks for it, an event with a value outside its
/// limits, a sentence of an event that is no line for people, a fold that loses a field of its state,
/// and everything that `Catalogue` refuses.
package struct AreaCheck {
    /// Sentences about the faults, first those of the definitions of events, commands and
    /// projections, then those of nouns, folds, queries and decisions.
    public let faults: [String]

    /// The number of seeds of the histories on which each projection and command is tried.
    private static let historyCount = 24
    /// The number of events in the longest generated histories.
    private static let historyLength = 24

    /// Checks an area and collects its faults; `others` are areas whose events it reads, and `formats`
    /// list further file formats.
    public init(
        _ area: any Area.Type, with others: [any Area.Type] = [],
        formats: [any FileFormats.Type] = []
    ) {
        do throws(InvalidCatalogue) {
            let catalogue = try Catalogue([area] + others, formats: formats)
            let history = HistorySampler(catalogue)
            faults =
                area.events.flatMap { event in event.faults.map { "\(event.kind): \($0)" } }
                + area.commands.flatMap { command in command.faults.map { "\(command.name): \($0)" }
                }
                + area.projections.flatMap { projection in
                    projection.faults.map { "\(projection.name): \($0)" }
                }
                + Self.nounFaults(area, catalogue, history)
                + area.projections.flatMap { Self.foldFaults($0, history) }
                + area.commands.flatMap { Self.queryFaults($0, catalogue, history) }
                + area.commands.flatMap { Self.decisionFaults($0, history) }
        } catch {
            faults = ["\(error)"]
        }
    }

    /// Returns a fault for each declared noun, such as `baby` in `baby:7`, that no tag has.
    private static func nounFaults(
        _ area: any Area.Type, _ catalogue: Catalogue, _ history: HistorySampler
    ) -> [String] {
        let projections = area.projections.filter { projection in
            !history.nouns(of: projection.kinds).contains(projection.noun)
        }
        let all = history.nouns(of: Set(catalogue.events.keys))
        let people = Array(area.people.nouns.keys) + area.people.owners.keys + area.plainNouns
        return projections.map {
            "the projection '\($0.name)' has the noun '\($0.noun)', but no event that it reads has "
                + "a tag with this noun"
        }
            + people.sorted().filter { !all.contains($0) }.map {
                "the area lists '\($0)' as a noun of tags, but no event has a tag with this noun"
            }
    }

    /// Returns a fault for each noun in a command's query that the queried events' tags lack.
    private static func queryFaults(
        _ command: CommandDescription, _ catalogue: Catalogue, _ history: HistorySampler
    ) -> [String] {
        var faults: [String] = []
        for seed in 1...4 as ClosedRange<UInt64> {
            for item in history.query(of: command, seed)?.items ?? [] {
                let nouns = Set(item.tags.map { String($0.noun) })
                for noun in nouns.sorted() {
                    faults += history.kindsWithoutTag(item.kinds, noun).map {
                        "the event \($0) has the field '\(noun)', but no tag with this noun, "
                            + "although the command '\(command.name)' looks for such a tag"
                    }
                    let carriers = item.kinds.isEmpty ? Set(catalogue.events.keys) : item.kinds
                    guard !history.nouns(of: carriers).contains(noun) else { continue }
                    faults.append(
                        "the command '\(command.name)' looks for tags with the noun '\(noun)', but "
                            + "no event of the kinds in its query has such a tag")
                }
            }
        }
        return Set(faults).sorted()
    }

    /// Returns a fault if a fold gives a different state after its state was written and read back.
    private static func foldFaults(
        _ projection: ProjectionDescription, _ history: HistorySampler
    ) -> [String] {
        for rules in projection.rules {
            for seed in 0..<historyCount {
                do throws(FoldError) {
                    var unbroken = projection.fold(rules)
                    var resumed = projection.fold(rules)
                    for event in history.events(UInt64(seed) + 1, historyLength, projection.kinds) {
                        try unbroken.apply(event)
                        try resumed.apply(event)
                        let bytes = resumed.bytes
                        do throws(CorruptPayload) {
                            try unsafe resumed.restore(bytes.contents.bytes)
                        } catch {
                            return [
                                "the state of '\(projection.name)' cannot be read back: \(error)"
                            ]
                        }
                        guard resumed.bytes == unbroken.bytes else {
                            return [
                                "\(projection.name): a fold that is resumed after \(event.kind) "
                                    + "gives a different state; store every field of the state"
                            ]
                        }
                    }
                } catch {
                    return ["\(projection.name): \(error)"]
                }
            }
        }
        return []
    }

    /// Returns the first fault of a command's decisions on generated histories.
    ///
    /// A command is faulty if it decides an event that its model's event set lacks or that has a
    /// value outside the limits of its field, or if its decision changes when only the newest event
    /// of each query item in `newest` is folded.
    private static func decisionFaults(
        _ command: CommandDescription, _ history: HistorySampler
    ) -> [String] {
        for seed in 0..<historyCount {
            for length in [0, 1, historyLength] {
                let events = history.events(UInt64(seed) + 1, length, nil)
                    .filter(history.isWithinLimits)
                guard let outcome = history.outcome(of: command, UInt64(seed) + 1, events) else {
                    continue
                }
                let short = history.outcome(
                    of: command, UInt64(seed) + 1, events, foldsOnlyNewest: true)
                guard short == outcome else {
                    return [
                        "the command '\(command.name)' decides differently if only the newest "
                            + "event is folded for each query item that 'newest' returns"
                    ]
                }
                switch outcome {
                case .refused(let refusal) where refusal.code == "unlistedKind":
                    return [refusal.message]
                case .refused(let refusal) where refusal.code == Refusal.outOfLimit:
                    return [
                        "the command '\(command.name)' is refused, because \(refusal.message); "
                            + "the command's fields do not declare that limit"
                    ]
                case .refused, .events: break
                }
            }
        }
        return []
    }
}
