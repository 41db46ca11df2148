import Daybook

// Rules B2 to B5 and B10: illegal transitions and times of single events.
extension BabyCare {
    /// Returns the problems of an event under the rules B3 to B5.
    ///
    /// - Parameter before: the entry before the event; `nil` if no event had created the entry.
    static func problems(of event: Event, about before: SharedEntry?) -> [Problem] {
        switch event {
        case .entryOpened, .entryRecorded:
            before.map { [Problem("B3", "a new entry", "the entry is already \($0.state.name)")] }
                ?? []
        case .entryClosed:
            // Closing a closed entry is legal only to replace an estimated end.
            before?.state == .closed && before?.isEstimated == true
                ? [] : stateProblems(EndEstimated.self, before)
        case .endEstimated: stateProblems(EndEstimated.self, before)
        case .entriesMerged: stateProblems(EntriesMerged.self, before)
        case .mergeUndone(let undone): undoProblems(undone, before)
        case .entryEdited(let edited):
            stateProblems(EntryEdited.self, before) { priorProblems(edited, $0) }
        case .entryCancelled(let cancelled):
            stateProblems(EntryCancelled.self, before) { before in
                guard cancelled.previousState != before.state else { return [] }
                return [
                    Problem(
                        "B4", "previousState \(before.state.name)",
                        "previousState \(cancelled.previousState.name)")
                ]
            }
        case .entryRestored(let restored): restoreProblems(restored, before)
        default: []
        }
    }

    /// Returns a B3 problem if the entry's state forbids the event; else the result of `others`.
    private static func stateProblems(
        _ payload: (some EventPayload).Type, _ before: SharedEntry?,
        else others: (SharedEntry) -> [Problem] = { _ in [] }
    ) -> [Problem] {
        if let before, lifecycle.allows(payload, in: before.state) { return others(before) }
        let legal = EntryState.allCases.filter { lifecycle.allows(payload, in: $0) }
        let names = legal.map(\.name).joined(separator: " or ")
        return [Problem("B3", names, before?.state.name ?? "no event created the entry")]
    }

    /// Returns a B4 problem for each former value in an edit that differs from the entry's value.
    private static func priorProblems(_ edited: EntryEdited, _ before: SharedEntry) -> [Problem] {
        let (set, prior) = (edited.set, edited.prior)
        let fields: [(String, isSet: Bool, Int64?, Int64?)] = [
            (
                "startedUs", set.started != nil, before.started.microseconds,
                prior.started?.microseconds
            ),
            ("endedUs", set.ended != nil, before.ended?.microseconds, prior.ended?.microseconds),
            (
                "declaredDurationS", set.declaredDurationS != nil, before.file.declaredDurationS,
                prior.declaredDurationS
            ),
        ]
        var problems: [Problem] = []
        for (name, isSet, known, said) in fields where isSet && known != said {
            problems.append(
                Problem("B4", "\(name) \(numberText(known))", "\(name) \(numberText(said))"))
        }
        if set.value != nil, let problem = valueProblem(before.value, prior.value ?? Value()) {
            problems.append(problem)
        }
        // Names of people are not part of a folded entry, and are left out on both sides.
        let (known, said) = (Meta(before.meta).plainTexts, prior.meta?.plainTexts ?? [:])
        if set.meta != nil, known != said.filter({ !Meta.isPersonal($0.key) }) {
            // Values may be a person's words and are not shown, so the problem names only keys.
            problems.append(Problem("B4", keysText(known), keysText(said)))
        }
        return problems
    }

    /// Returns a B4 problem for the first field in which the values differ; `nil` if none does.
    private static func valueProblem(_ known: Value, _ said: Value) -> Problem? {
        let change = FieldChange.between(
            FlatFields.of(known, path: "value"), FlatFields.of(said, path: "value")
        ).first
        guard let change else { return nil }
        return Problem(
            "B4", "\(change.path) \(change.before ?? "null")",
            "\(change.path) \(change.after ?? "null")")
    }

    /// Returns the sorted metadata keys as a text for findings.
    private static func keysText(_ meta: [String: String]) -> String {
        "meta {\(meta.keys.sorted().joined(separator: ", "))}"
    }

    /// Returns a number as a text for findings; `null` for `nil`.
    private static func numberText(_ number: Int64?) -> String { number.map { "\($0)" } ?? "null" }

    /// Returns a B5 problem if the restored entry was not cancelled or does not get its old state.
    private static func restoreProblems(
        _ restored: EntryRestored, _ before: SharedEntry?
    ) -> [Problem] {
        guard let before, before.state == .cancelled else {
            let found = before?.state.name ?? "no event created the entry"
            return [Problem("B5", "cancelled", found)]
        }
        if let into = before.cancellation.mergedInto {
            return [Problem("B5", "cancelled", "merged into \(into)")]
        }
        let previous = before.cancellation.previousState ?? .closed
        guard restored.toState != previous else { return [] }
        return [Problem("B5", "to \(previous.name)", "to \(restored.toState.name)")]
    }

    /// Returns a B3 problem if the entry's state forbids undoing a merge. Returns a B5 problem if
    /// the entry is part of no merge.
    private static func undoProblems(
        _ undone: MergeUndone, _ before: SharedEntry?
    ) -> [Problem] {
        stateProblems(MergeUndone.self, before) { before in
            let isKept = !before.merges.isEmpty
            let isDropped = before.cancellation.mergedInto != nil && before.state == .cancelled
            guard !isKept, !isDropped else { return [] }
            return [
                Problem(
                    "B5", "part of a merge", "the entry is \(before.state.name) and part of none")
            ]
        }
    }

    /// Returns a B2 problem if an event let the entry end before it starts, and a B10 problem if
    /// the event let it start after the event was recorded.
    static func problems(
        from before: SharedEntry?, to after: SharedEntry, _ envelope: Envelope
    ) -> [Problem] {
        var problems: [Problem] = []
        let startIsNew = before?.started != after.started
        if let end = after.ended, end < after.started, startIsNew || before?.ended != end {
            problems.append(
                Problem(
                    "B2", "an end at or after \(Timestamp.text(after.started))",
                    "the end is \(Timestamp.text(end))"))
        }
        if startIsNew, after.started > envelope.recordedAt {
            problems.append(
                Problem(
                    "B10", "a start at or before \(Timestamp.text(envelope.recordedAt))",
                    "the start is \(Timestamp.text(after.started))"))
        }
        return problems
    }
}
