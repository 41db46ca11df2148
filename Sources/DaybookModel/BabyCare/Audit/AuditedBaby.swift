import Daybook

extension BabyCare {
    /// A baby under audit: its folded entries, and the positions of the events that set them.
    struct AuditedBaby: Sendable {
        var state = State()
        /// Position of the first event about the baby.
        let firstAt: Int64
        /// Marks by newest id of the entry.
        var marks: [String: Mark] = [:]
        /// Ids of entries that hold a slot, by kind; more than one id if the history is wrong.
        private var holders: [Kind: Set<String>] = [:]

        /// Positions of events that findings about an entry refer to.
        struct Mark: Hashable, Sendable {
            var firstAt: Int64
            /// Position of the last event that changed the state, times or declared duration.
            var shownAt: Int64
        }

        init(_ babyId: String, since position: Position) {
            state.profile.babyId = babyId
            firstAt = Int64(position.rawValue)
        }

        /// Merges the history that was recorded under a replaced id of the baby.
        ///
        /// - Returns: B1 findings for entries that the merge leaves open beside others of their
        ///   kind.
        mutating func adopt(_ other: AuditedBaby, at position: Position) -> [Finding] {
            var profile = other.state.profile
            if state.profile.isKnown, !profile.isKnown { profile = state.profile }
            state.profile = profile
            state.entries.merge(other.state.entries) { newer, _ in newer }
            state.replaced.merge(other.state.replaced) { newer, _ in newer }
            marks.merge(other.marks) { newer, _ in newer }
            let shared = other.holders.filter {
                !$0.value.isEmpty && holders[$0.key]?.isEmpty == false
            }.keys
            holders.merge(other.holders) { $0.union($1) }
            return shared.sorted { $0.rawValue < $1.rawValue }.flatMap { kind in
                crowding(kind, at: position)
            }
        }

        /// Returns a B1 finding for each open entry of a slot after the first.
        private func crowding(_ kind: Kind, at position: Position) -> [Finding] {
            let open = holders[kind, default: []].compactMap { id in
                state.entry(id).map { (id: id, started: $0.started) }
            }.sorted { ($0.started, $0.id) < ($1.started, $1.id) }
            return open.dropFirst().map { entry in
                Problem("B1", "no other open \(kind.name)", alsoOpen(open[0].id))
                    .finding(Int64(position.rawValue), "entry:\(entry.id)")
            }
        }

        /// Moves the marks of an entry to its new id and folds the replacement.
        mutating func apply(_ ids: Household.IdReplaced, _ envelope: Envelope) {
            // The state ignores an invalid replacement, so its marks ignore the replacement too.
            var replaced = state.replaced
            guard replaced.replace(ids.localId, by: ids.remoteId) else { return }
            if let mark = marks.removeValue(forKey: ids.localId) { marks[ids.remoteId] = mark }
            for kind in holders.keys where holders[kind]?.remove(ids.localId) != nil {
                holders[kind]?.insert(ids.remoteId)
            }
            BabyCare.evolve(&state, with: .idReplaced(ids), envelope)
        }

        /// Folds an event about entries.
        ///
        /// - Returns: findings about rules that the event breaks.
        mutating func apply(_ event: Event, _ envelope: Envelope) -> [Finding] {
            let position = Int64(envelope.position.rawValue)
            let entries = event.entryIds.map { (id: $0, before: state.entry($0)) }
            var problems = entries.flatMap { id, before in
                BabyCare.problems(of: event, about: before).map { (id, $0) }
            }
            BabyCare.evolve(&state, with: event, envelope)
            for (id, before) in entries {
                let newestId = state.newest(id)
                let after = state.entry(id)
                marks[newestId, default: Mark(firstAt: position, shownAt: position)]
                    .update(before, after, position)
                guard let after else { continue }
                problems += BabyCare.problems(from: before, to: after, envelope).map { (id, $0) }
                if let problem = occupy(newestId, after) { problems.append((id, problem)) }
            }
            return problems.map { id, problem in
                problem.finding(position, "entry:\(id)")
            }
        }

        /// Updates the holders of the slot; returns a B1 problem if the entry is open beside
        /// another.
        private mutating func occupy(_ id: String, _ entry: Entry) -> Problem? {
            guard entry.holdsSlot else {
                holders[entry.kind]?.remove(id)
                return nil
            }
            let others = holders[entry.kind, default: []].subtracting([id])
            guard holders[entry.kind, default: []].insert(id).inserted else { return nil }
            return others.min().map {
                Problem("B1", "no other open \(entry.kind.name)", alsoOpen($0))
            }
        }

        private func alsoOpen(_ id: String) -> String {
            guard let entry = state.entry(id) else { return "\(id) is open too" }
            let at = marks[id].map { ", by position \($0.shownAt)" } ?? ""
            return "\(id) is open too, since \(Timestamp.text(entry.started))\(at)"
        }
    }

    /// A broken rule, without the position and the entity of the finding.
    struct Problem: Hashable, Sendable {
        var rule: String
        var expected: String
        var found: String

        init(_ rule: String, _ expected: String, _ found: String) {
            self.rule = rule
            self.expected = expected
            self.found = found
        }

        func finding(_ position: Int64, _ entity: String) -> Finding {
            Finding(
                rule: rule, position: position, entity: entity, expected: expected, found: found)
        }
    }
}

extension BabyCare.AuditedBaby.Mark {
    fileprivate mutating func update(
        _ before: BabyCare.Entry?, _ after: BabyCare.Entry?, _ position: Int64
    ) {
        let isSame =
            before?.state == after?.state && before?.started == after?.started
            && before?.ended == after?.ended
            && before?.declaredDurationS == after?.declaredDurationS
        if !isSame { shownAt = position }
    }
}
