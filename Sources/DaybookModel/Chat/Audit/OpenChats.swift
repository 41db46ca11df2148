import Daybook

extension Chat {
    /// Open chats with the AI by slot, under the newest ids of household and child.
    struct OpenChats {
        struct Slot: Hashable {
            var userId: String
            var householdId: String
            var childId: String?
        }

        /// Newer ids by the ids they replaced, for households and for babies.
        private var households: [String: String] = [:]
        private var babies: [String: String] = [:]
        /// Positions at which chats were opened, by slot and session.
        private var open: [Slot: [String: Int64]] = [:]
        private var slotsOfHouseholds: [String: Set<Slot>] = [:]
        private var slotsOfBabies: [String: Set<Slot>] = [:]

        private func slot(_ userId: String, _ householdId: String, _ childId: String?) -> Slot {
            Slot(
                userId: userId, householdId: households.newest(householdId),
                childId: childId.map(babies.newest))
        }

        /// Opens a chat, which now holds its slot.
        ///
        /// - Returns: Chats that held the slot before, with the positions at which they were
        ///   opened.
        mutating func open(_ opened: SessionOpened, at position: Int64) -> [String: Int64] {
            let slot = slot(opened.userId, opened.householdId, opened.childId)
            let others = open[slot] ?? [:]
            set([opened.sessionId: position], slot)
            return others
        }

        mutating func close(_ closed: SessionClosed) {
            let slot = slot(closed.userId, closed.householdId, closed.childId)
            guard var chats = open[slot], chats.removeValue(forKey: closed.sessionId) != nil else {
                return
            }
            set(chats, slot)
        }

        private mutating func set(_ chats: [String: Int64], _ slot: Slot) {
            if chats.isEmpty {
                open[slot] = nil
                slotsOfHouseholds[slot.householdId]?.remove(slot)
                if let childId = slot.childId { slotsOfBabies[childId]?.remove(slot) }
            } else {
                open[slot] = chats
                slotsOfHouseholds[slot.householdId, default: []].insert(slot)
                if let childId = slot.childId {
                    slotsOfBabies[childId, default: []].insert(slot)
                }
            }
        }

        mutating func apply(_ ids: Household.IdReplaced) {
            let moved: Set<Slot>
            switch ids.kind {
            case .household:
                guard households.replace(ids.localId, by: ids.remoteId) else { return }
                moved = slotsOfHouseholds[ids.localId] ?? []
            case .baby:
                guard babies.replace(ids.localId, by: ids.remoteId) else { return }
                moved = slotsOfBabies[ids.localId] ?? []
            case .album, .careEntry: return
            }
            for former in moved {
                let chats = open[former] ?? [:]
                set([:], former)
                let slot = slot(former.userId, former.householdId, former.childId)
                set(chats.merging(open[slot] ?? [:]) { min($0, $1) }, slot)
            }
        }
    }
}
