package import Daybook

/// A command about a baby's entries.
package protocol CareCommand: Command where Model == BabyCare {
    /// Returns the entities whose events the command reads before it decides.
    ///
    /// - Parameter state: the state after the events read so far, which may name more entities.
    func boundary(_ state: BabyCare.State) -> BabyCare.Boundary
}

extension CareCommand {
    package var query: Query { query(knowing: BabyCare.State()) }

    /// Returns the query for the events that the decision depends on, as far as `state` is known.
    package func query(knowing state: BabyCare.State) -> Query { boundary(state).query(state) }
}

extension BabyCare {
    /// The entries, baby and voice clip whose events a command reads before it decides.
    ///
    /// Reading continues in steps: the events of an entry name the baby, and the events of the baby
    /// name its household and former ids.
    package struct Boundary: Sendable {
        /// Ids of the entries concerned, including entries that the command will create.
        var entryIds: [String] = []
        /// Id of the voice clip concerned; `nil` if there is none.
        var clipId: String?
        /// Id of the baby; `nil` to use the baby of the first known entry or of the clip.
        var babyId: String?
        /// Kind of the entry that the command opens; `nil` if it opens none. A baby may have only
        /// one open entry of each kind.
        var openedKind: Kind?
        /// Entry whose end the command estimates from entries of the two weeks before its start.
        var entryToEstimate: Entry?

        /// Returns the query for the events of these entities.
        func query(_ state: State) -> Query {
            var items: [Query.Item] = []
            items.reserveCapacity(entryIds.count + 2)
            for id in entryIds { Self.addItems(ofEntry: id, state, to: &items) }
            if let clipId {
                items.append(Query.Item(kinds: VoiceClip.kinds, tags: [clipTag(clipId)]))
            }
            guard let babyId = babyId ?? self.babyId(in: state) else {
                return Query(items: items) ?? .all
            }
            var babyIds = [babyId]
            func add(_ id: String) { if !babyIds.contains(id) { babyIds.append(id) } }
            if !state.profile.newerBabyIds.isEmpty {
                state.profile.newerBabyIds.all(babyId).forEach(add)
            }
            state.profile.formerIds.forEach(add)
            if !state.profile.babyId.isEmpty { add(state.profile.babyId) }
            for id in babyIds {
                let tag = Household.profileTag(id)
                items.append(Query.Item(kinds: Household.profileKinds, tags: [tag]))
            }
            for id in state.profile.householdIds(state.profile.newerHouseholdIds) {
                items.append(Query.Item(kinds: Household.memberKinds, tags: [Household.tag(id)]))
            }
            for id in babyIds { addItems(ofBaby: id, state, to: &items) }
            return Query(items: items) ?? .all
        }

        /// Returns the baby of the first known entry, else of the clip; `nil` if none is known.
        private func babyId(in state: State) -> String? {
            for id in entryIds {
                if let known = state.sharedEntry(id) { return known.entry.babyId }
            }
            return clipId.flatMap { state.clips[$0]?.babyId }
        }

        /// Adds query items for the events of an entry under all its ids.
        private static func addItems(
            ofEntry entryId: String, _ state: State, to items: inout [Query.Item]
        ) {
            guard !state.newerIds.isEmpty else {
                items.append(Query.Item(kinds: entryHistoryKinds, tags: [entryTag(entryId)]))
                return
            }
            let newest = state.newestId(of: entryId)
            let former = state.newerIds.keys.filter { state.newestId(of: $0) == newest }
            items += Set([entryId, newest] + former).sorted().map {
                Query.Item(kinds: entryHistoryKinds, tags: [entryTag($0)])
            }
        }

        /// Adds query items for other entries of the baby: open entries of `openedKind`, and
        /// earlier entries that an estimate uses.
        private func addItems(
            ofBaby babyId: String, _ state: State, to items: inout [Query.Item]
        ) {
            if let openedKind {
                items.append(Query.Item(kinds: entryKinds, tags: [slotTag(babyId, openedKind)]))
                // An entry opened under one id may have been closed under another id. Replaced
                // ids are therefore read too, even if the entry no longer holds the slot.
                let holders = state.entries.filter {
                    $0.value.kind == openedKind && $0.value.holdsSlot
                }
                for id in Set(holders.keys).union(state.newerIds.keys).sorted() {
                    Self.addItems(ofEntry: id, state, to: &items)
                }
            }
            if let end = entryToEstimate?.started {
                let start = end.advanced(byMicroseconds: -Estimate.historyUs)
                items += weekTags(babyId, start, end).map {
                    Query.Item(kinds: entryKinds, tags: [$0])
                }
            }
        }
    }
}

// Permissions.
extension BabyCare.State {
    /// Throws a refusal unless the baby is known and the author may change its entries. The role in
    /// the household decides; if the baby has no household yet, anyone may write.
    func checkMayWrite(_ by: Author?, _ babyId: String) throws(Refusal) {
        guard profile.isKnown else { throw .babyNotFound(babyId) }
        guard profile.householdId != nil else { return }
        let userId = by?.name ?? ""
        guard let role = members[userId] else { throw .accessDenied(userId) }
        guard role.mayWrite else { throw .insufficientRole(userId, role) }
    }

    /// Throws a refusal unless the baby is known and the author may read its entries. A command
    /// without an author, such as one of the tool itself, may read every known baby.
    func checkMayRead(_ by: Author?, _ babyId: String) throws(Refusal) {
        guard profile.isKnown else { throw .babyNotFound(babyId) }
        guard profile.householdId != nil, let userId = by?.name else { return }
        guard members[userId]?.mayRead ?? false else { throw .accessDenied(userId) }
    }
}

extension Refusal {
    static func babyNotFound(_ babyId: String) -> Refusal {
        Refusal("babyNotFound", "Baby not found: no event has added the baby '\(babyId)'")
    }

    /// Returns the refusal of a user who is not a member of the household. An empty id means that
    /// the command names no user.
    fileprivate static func accessDenied(_ userId: String) -> Refusal {
        userId.isEmpty ? noUser : noMember(userId)
    }
}
