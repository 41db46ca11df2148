import Daybook
import DaybookInput

/// A generator of a catalogue's events and commands; equal seeds give equal results.
struct HistorySampler {
    /// The catalogue with the event kinds and commands to generate.
    let catalogue: Catalogue
    /// The catalogue's event kinds in order.
    private let descriptions: [EventDescription]

    init(_ catalogue: Catalogue) {
        self.catalogue = catalogue
        descriptions = catalogue.events.keys.sorted().compactMap { catalogue.events[$0] }
    }

    /// Returns the nouns of the tags that generated events of these kinds have.
    func nouns(of kinds: Set<EventKind>) -> Set<String> {
        var nouns: Set<String> = []
        for seed in 1...16 as ClosedRange<UInt64> {
            for event in events(seed, 4 * kinds.count, kinds) {
                nouns.formUnion(event.tags.map { String($0.noun) })
            }
        }
        return nouns
    }

    /// Returns the event kinds that have a field named like the noun, but no tag with the noun.
    func kindsWithoutTag(_ kinds: Set<EventKind>, _ noun: String) -> [EventKind] {
        kinds.sorted().filter { kind in
            catalogue.events[kind]?.fields.contains { $0.name == noun } == true
                && !nouns(of: [kind]).contains(noun)
        }
    }

    /// Returns the query of a generated command on an empty log; `nil` if the command is invalid.
    func query(of command: CommandDescription, _ seed: UInt64) -> Query? {
        var sampler = Sampler(seed: seed)
        return try? pendingDecision(command, &sampler).query
    }

    /// Returns a generated command that has folded no events yet.
    private func pendingDecision(
        _ command: CommandDescription, _ sampler: inout Sampler
    ) throws(InputError) -> any PendingDecision {
        let tree = try JSONParser.parse(command.sample(&sampler).utf8)
        return try command.read(
            tree, "", InputRules.standard,
            CommandContext(now: Instant(microseconds: Sampler.earliestUs)))
    }

    /// Returns generated events of the kinds, with tags; `nil` for all kinds but the log's own.
    func events(_ seed: UInt64, _ count: Int, _ kinds: Set<EventKind>?) -> [RecordedEvent] {
        let known = descriptions.filter {
            kinds?.contains($0.kind) ?? !Catalogue.kindsOfTheLog.contains($0.kind)
        }
        guard !known.isEmpty, count > 0 else { return [] }
        var sampler = Sampler(seed: seed)
        return (1...count).map { number in
            let description = known[sampler.below(known.count)]
            var event = sampler.event(UInt64(number), description.kind, description.sample)
            event.tags = tags(of: event, description)
            return event
        }
    }

    /// Returns the valid tags that an event's payload gives it; empty if the payload is invalid.
    private func tags(of event: RecordedEvent, _ description: EventDescription) -> [Tag] {
        let tags = unsafe try? description.tags(event.payload.contents.bytes)
        return tags?.filter(\.isValid) ?? []
    }

    /// True if all values of an event are within the limits of their fields.
    func isWithinLimits(_ event: RecordedEvent) -> Bool {
        guard let description = catalogue.events[event.kind] else { return true }
        let found = unsafe try? description.outOfLimits(event.payload.contents.bytes)
        return found?.isEmpty ?? false
    }

    /// Returns the outcome of a generated command; `nil` if the command or an event cannot be read.
    func outcome(
        of command: CommandDescription, _ seed: UInt64, _ events: [RecordedEvent],
        foldsOnlyNewest: Bool = false
    ) -> Outcome? {
        var sampler = Sampler(seed: seed)
        guard let pending = try? pendingDecision(command, &sampler) else { return nil }
        return outcome(of: pending, events, foldsOnlyNewest)
    }

    /// Folds the events that the command needs, and decides it; `nil` if an event cannot be read.
    private func outcome(
        of pending: some PendingDecision, _ events: [RecordedEvent], _ foldsOnlyNewest: Bool
    ) -> Outcome? {
        var pending = pending
        do throws(FoldError) {
            _ = try pending.gatherNewest { (query, newest, pending) throws(FoldError) in
                let short = foldsOnlyNewest ? newest : []
                for place in query.indices(
                    among: events.map { ($0.kind, $0.tags) }, newestOf: short)
                {
                    try pending.fold(events[place])
                }
            }
        } catch {
            return nil
        }
        return pending.outcome()
    }
}
