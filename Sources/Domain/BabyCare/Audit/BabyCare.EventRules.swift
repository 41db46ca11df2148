import CivilTime
import EventSourcing

// What an event does that it may not do: B2 to B5, and B10.
extension BabyCare {
    /// What is wrong with an event about an entry as it stood before.
    static func problems(of event: Event, about before: Entry?) -> [Problem] {
        switch event {
        case .entryOpened, .entryRecorded:
            guard let before else { return [] }
            return [Problem("B3", "a new entry", "it is \(before.state.name)")]
        case .entryClosed:
            if let before, before.state == .closed, before.isEstimated { return [] }
            return wrongState(before, [.open])
        case .endEstimated: return wrongState(before, [.open])
        case .entriesMerged: return wrongState(before, [.closed])
        case .entryEdited(let edited):
            guard let before, before.state == .open || before.state == .closed else {
                return wrongState(before, [.open, .closed])
            }
            return priorProblems(edited, before)
        case .entryCancelled(let cancelled):
            guard let before, before.state == .open || before.state == .closed else {
                return wrongState(before, [.open, .closed])
            }
            guard cancelled.previousState != before.state else { return [] }
            return [
                Problem(
                    "B4", "previousState \(before.state.name)",
                    "previousState \(cancelled.previousState.name)")
            ]
        case .entryRestored(let restored): return restoreProblems(restored, before)
        default: return []
        }
    }

    /// B3.
    private static func wrongState(_ before: Entry?, _ allowed: [EntryState]) -> [Problem] {
        guard let before else {
            return [Problem("B3", names(allowed), "nothing began it")]
        }
        guard !allowed.contains(before.state) else { return [] }
        return [Problem("B3", names(allowed), before.state.name)]
    }

    private static func names(_ states: [EntryState]) -> String {
        states.map(\.name).joined(separator: " or ")
    }

    /// B4: only what the edit sets is compared; more may stand beside it.
    private static func priorProblems(_ edited: EntryEdited, _ before: Entry) -> [Problem] {
        let (set, prior) = (edited.set, edited.prior)
        let fields: [(String, isSet: Bool, Int64?, Int64?)] = [
            ("startedUs", set.startedUs != nil, before.startedUs, prior.startedUs),
            ("endedUs", set.endedUs != nil, before.endedUs, prior.endedUs),
            (
                "declaredDurationS", set.declaredDurationS != nil, before.declaredDurationS,
                prior.declaredDurationS
            ),
        ]
        var problems: [Problem] = []
        for (name, isSet, stood, said) in fields where isSet && stood != said {
            problems.append(Problem("B4", "\(name) \(text(stood))", "\(name) \(text(said))"))
        }
        if set.value != nil, let problem = difference(before.value, prior.value ?? Value()) {
            problems.append(problem)
        }
        // Names of people are no part of an entry, so that nothing is said of them.
        let (stood, said) = (Meta(before.meta).words, prior.meta?.words ?? [:])
        if set.meta != nil, stood != said.filter({ !Meta.isPersonal($0.key) }) {
            // What stands in them may be a person's words.
            problems.append(Problem("B4", keys(stood), keys(said)))
        }
        return problems
    }

    private static func difference(_ stood: Value, _ said: Value) -> Problem? {
        let change = FieldChange.between(
            FlatFields.of(stood, path: "value"), FlatFields.of(said, path: "value")
        ).first
        guard let change else { return nil }
        return Problem(
            "B4", "\(change.path) \(change.before ?? "null")",
            "\(change.path) \(change.after ?? "null")")
    }

    private static func keys(_ meta: [String: String]) -> String {
        "meta {\(meta.keys.sorted().joined(separator: ", "))}"
    }

    private static func text(_ number: Int64?) -> String { number.map { "\($0)" } ?? "null" }

    /// B5.
    private static func restoreProblems(
        _ restored: EntryRestored, _ before: Entry?
    ) -> [Problem] {
        guard let before, before.state == .cancelled else {
            return [Problem("B5", "cancelled", before?.state.name ?? "nothing began it")]
        }
        if let into = before.mergedInto {
            return [Problem("B5", "cancelled", "merged into \(into)")]
        }
        let previous = before.previousState ?? .closed
        guard restored.toState != previous else { return [] }
        return [Problem("B5", "to \(previous.name)", "to \(restored.toState.name)")]
    }

    /// B2 and B10, for times that were set just now.
    static func problems(
        from before: Entry?, to after: Entry, _ envelope: Envelope
    ) -> [Problem] {
        var problems: [Problem] = []
        let startIsNew = before?.startedUs != after.startedUs
        if let end = after.endedUs, end < after.startedUs, startIsNew || before?.endedUs != end {
            problems.append(
                Problem(
                    "B2", "an end at or after \(time(after.startedUs))", "it ends at \(time(end))"))
        }
        if startIsNew, after.startedUs > envelope.recordedAt.microseconds {
            problems.append(
                Problem(
                    "B10", "a start by \(Timestamp.text(envelope.recordedAt))",
                    "it starts at \(time(after.startedUs))"))
        }
        return problems
    }

    static func time(_ microseconds: Int64) -> String {
        Timestamp.text(Instant(microseconds: microseconds))
    }
}
