import Daybook

extension BabyCare {
    /// A baby under audit: the state of its entries, and the event positions that findings cite.
    struct AuditedBaby: Sendable {
        /// State of the baby's profile and entries so far.
        var state = State()
        /// Position in the log of the first event about the baby.
        let firstPosition: Int64
        /// Positions of the events that findings about an entry cite, by the entry's newest id.
        var citedPositions: [String: CitedPositions] = [:]
        /// Ids of open entries by kind, without imported ones; two ids of a kind break rule B1.
        private var openIds: [Kind: Set<String>] = [:]

        /// Positions of events that findings about an entry cite.
        struct CitedPositions: Equatable, Sendable {
            /// Position of the first event of the entry.
            var firstPosition: Int64
            /// Position of the last event that changed the state, times or declared duration.
            var changePosition: Int64
            /// The replacements of the baby's id that brought the entry together with others.
            var joins: [Join] = []
        }

        /// A replacement of an id of the baby, which joined two histories.
        struct Join: Equatable, Sendable {
            /// Position of the event that replaced the id.
            var position: Int64
            /// True for the entries that were recorded under the replaced id.
            var isFromReplaced: Bool
        }

        /// Creates the audit of a baby whose first event is at `position`.
        init(_ babyId: String, since position: Position) {
            state.profile.babyId = babyId
            firstPosition = Int64(position.rawValue)
        }

        /// Merges `other`, the history recorded under a replaced id of the baby, into this one.
        ///
        /// - Returns: B1 findings for each kind with open entries in both histories: one for every
        ///   open entry except the one that started first.
        mutating func merge(_ other: AuditedBaby, at position: Position) -> [Finding] {
            state.profile.merge(other.state.profile)
            state.entries.merge(other.state.entries) { newer, _ in newer }
            state.newerIds.merge(other.state.newerIds) { newer, _ in newer }
            let joined = Int64(position.rawValue)
            for id in citedPositions.keys {
                citedPositions[id]?.joins.append(Join(position: joined, isFromReplaced: false))
            }
            citedPositions.merge(
                other.citedPositions.mapValues { cited in
                    var cited = cited
                    cited.joins.append(Join(position: joined, isFromReplaced: true))
                    return cited
                }
            ) { newer, _ in newer }
            let shared = other.openIds.filter {
                !$0.value.isEmpty && openIds[$0.key]?.isEmpty == false
            }.keys
            openIds.merge(other.openIds) { $0.union($1) }
            return shared.sorted { $0.rawValue < $1.rawValue }.flatMap { kind in
                secondOpenFindings(kind, at: position)
            }
        }

        /// Returns a B1 finding for each open entry of a kind, except the one that started first.
        private func secondOpenFindings(_ kind: Kind, at position: Position) -> [Finding] {
            let open = openIds[kind, default: []].compactMap { id in
                state.sharedEntry(id).map { (id: id, started: $0.started) }
            }.sorted { ($0.started, $0.id) < ($1.started, $1.id) }
            return open.dropFirst().map { entry in
                Problem("B1", "no other open \(kind.name)", openSinceText(open[0].id))
                    .finding(Int64(position.rawValue), "entry:\(entry.id)")
            }
        }

        mutating func apply(_ ids: Household.IdReplaced, _ envelope: Envelope) {
            // The state ignores an invalid replacement, so the cited positions do too.
            var newerIds = state.newerIds
            guard newerIds.replace(ids.localId, by: ids.remoteId) else { return }
            if let positions = citedPositions.removeValue(forKey: ids.localId) {
                citedPositions[ids.remoteId] = positions
            }
            for kind in openIds.keys where openIds[kind]?.remove(ids.localId) != nil {
                openIds[kind]?.insert(ids.remoteId)
            }
            BabyCare.evolve(&state, with: .idReplaced(ids), envelope)
        }

        /// Applies an event about entries to the state; returns a finding for each rule that the
        /// event breaks.
        mutating func apply(_ event: Event, _ envelope: Envelope) -> [Finding] {
            let position = Int64(envelope.position.rawValue)
            var problems: [(id: String, problem: Problem)] = []
            let changes = changes(by: event, envelope)
            for change in changes {
                let found = BabyCare.problems(of: event, about: change.before)
                for problem in found { problems.append((change.id, problem)) }
            }
            for (id, newestId, before, after) in changes {
                let first = CitedPositions(firstPosition: position, changePosition: position)
                citedPositions[newestId, default: first].update(before, after, position)
                guard let after else { continue }
                let found = BabyCare.problems(from: before, to: after, envelope)
                for problem in found { problems.append((id, problem)) }
                if let problem = updateOpenIds(newestId, after) { problems.append((id, problem)) }
            }
            return problems.map { id, problem in problem.finding(position, "entry:\(id)") }
        }

        /// An entry before and after an event, `nil` if no event has created it; `id` is its id in
        /// the event.
        private typealias Change = (
            id: String, newestId: String, before: SharedEntry?, after: SharedEntry?
        )

        /// Applies an event to the state; returns the entries that it is about, in its order.
        private mutating func changes(by event: Event, _ envelope: Envelope) -> [Change] {
            var changes: [Change] = []
            BabyCare.evolve(&state, with: event, envelope) { id, newestId, before, after in
                changes.append((id, newestId, before.ifKnown, after.ifKnown))
            }
            guard changes.count > 1 else { return changes }
            // A merge may name an entry more than once, and then changes it as often.
            var firsts: [String: SharedEntry?] = [:]
            for change in changes where firsts[change.newestId] == nil {
                firsts.updateValue(change.before, forKey: change.newestId)
            }
            return changes.map { change in
                (
                    change.id, change.newestId, firsts[change.newestId] ?? nil,
                    state.sharedEntry(change.id)
                )
            }
        }

        /// Updates the open ids of the entry's kind; returns a B1 problem if the entry was opened
        /// while another of its kind was open.
        private mutating func updateOpenIds(_ id: String, _ entry: SharedEntry) -> Problem? {
            guard entry.entry.holdsSlot else {
                if !openIds.isEmpty { openIds[entry.kind]?.remove(id) }
                return nil
            }
            let others = openIds[entry.kind, default: []].subtracting([id])
            guard openIds[entry.kind, default: []].insert(id).inserted else { return nil }
            return others.min().map {
                Problem("B1", "no other open \(entry.kind.name)", openSinceText($0))
            }
        }

        /// Returns the text of a finding that says since when the entry with the id is open.
        private func openSinceText(_ id: String) -> String {
            guard let entry = state.sharedEntry(id) else {
                return "the entry '\(id)' is also open"
            }
            let at = citedPositions[id].map { " (position \($0.changePosition))" } ?? ""
            return "the entry '\(id)' is also open, since \(Timestamp.text(entry.started))\(at)"
        }
    }

    /// A violation of an audit rule; a finding adds the event's position and the entity.
    struct Problem: Equatable, Sendable {
        /// Name of the rule, such as `B2`.
        var rule: String
        /// Description of what the rule expects.
        var expected: String
        /// Description of what the audit found instead.
        var found: String

        init(_ rule: String, _ expected: String, _ found: String) {
            self.rule = rule
            self.expected = expected
            self.found = found
        }

        /// Returns the finding that cites an event position and an entity, such as `entry:7`.
        func finding(_ position: Int64, _ entity: String) -> Finding {
            Finding(
                rule: rule, position: position, entity: entity, expected: expected, found: found)
        }
    }
}

extension BabyCare.AuditedBaby.CitedPositions {
    /// Sets `changePosition` if the event changed the entry's state, times or declared duration.
    fileprivate mutating func update(
        _ before: BabyCare.SharedEntry?, _ after: BabyCare.SharedEntry?, _ position: Int64
    ) {
        let isSame =
            before?.state == after?.state && before?.started == after?.started
            && before?.ended == after?.ended
            && before?.file.declaredDurationS == after?.file.declaredDurationS
        if !isSame { changePosition = position }
    }
}
