import Daybook

extension Chat {
    /// The open chats with the AI, by the newest ids of their households and babies.
    ///
    /// A user may have at most one open chat per household and baby.
    struct OpenChats {
        /// The user, household and baby of a chat; `childId` is `nil` for a chat about no baby.
        struct Participants: Hashable {
            var userId: String
            var householdId: String
            var childId: String?
        }

        /// Newer ids of households, by the ids that they replaced.
        private var newerHouseholdIds: [String: String] = [:]
        /// Newer ids of babies, by the ids that they replaced.
        private var newerBabyIds: [String: String] = [:]
        /// Log positions at which the open chats were opened, by participants and session id.
        private var openingPositions: [Participants: [String: Int64]] = [:]
        private var participantsByHousehold: [String: Set<Participants>] = [:]
        private var participantsByBaby: [String: Set<Participants>] = [:]

        /// Returns the participants with the newest ids of the household and the baby.
        private func participants(
            _ userId: String, _ householdId: String, _ childId: String?
        ) -> Participants {
            Participants(
                userId: userId, householdId: newerHouseholdIds.newest(householdId),
                childId: childId.map(newerBabyIds.newest))
        }

        /// Adds an opened chat in place of the open chats of the same participants; returns the
        /// replaced chats, by session id, with the log positions at which they were opened.
        mutating func open(_ opened: SessionOpened, at position: Int64) -> [String: Int64] {
            let participants = participants(opened.userId, opened.householdId, opened.childId)
            let others = openingPositions[participants] ?? [:]
            set([opened.sessionId: position], participants)
            return others
        }

        mutating func close(_ closed: SessionClosed) {
            let participants = participants(closed.userId, closed.householdId, closed.childId)
            guard var chats = openingPositions[participants],
                chats.removeValue(forKey: closed.sessionId) != nil
            else { return }
            set(chats, participants)
        }

        /// Makes `chats` the only open chats of the participants; an empty dictionary removes all.
        private mutating func set(_ chats: [String: Int64], _ participants: Participants) {
            if chats.isEmpty {
                openingPositions[participants] = nil
                participantsByHousehold[participants.householdId]?.remove(participants)
                if let childId = participants.childId {
                    participantsByBaby[childId]?.remove(participants)
                }
            } else {
                openingPositions[participants] = chats
                participantsByHousehold[participants.householdId, default: []].insert(participants)
                if let childId = participants.childId {
                    participantsByBaby[childId, default: []].insert(participants)
                }
            }
        }

        /// Moves the open chats of a household or baby from its former id to its newer id.
        mutating func apply(_ ids: Household.IdReplaced) {
            let moved: Set<Participants>
            switch ids.kind {
            case .household:
                guard newerHouseholdIds.replace(ids.localId, by: ids.remoteId) else { return }
                moved = participantsByHousehold[ids.localId] ?? []
            case .baby:
                guard newerBabyIds.replace(ids.localId, by: ids.remoteId) else { return }
                moved = participantsByBaby[ids.localId] ?? []
            case .album, .careEntry: return
            }
            for former in moved {
                let chats = openingPositions[former] ?? [:]
                set([:], former)
                let participants = participants(former.userId, former.householdId, former.childId)
                let others = openingPositions[participants] ?? [:]
                set(chats.merging(others) { min($0, $1) }, participants)
            }
        }
    }
}
