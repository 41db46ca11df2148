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
        private var households: [String: String] = [:]
        /// Newer ids of babies, by the ids that they replaced.
        private var babies: [String: String] = [:]
        /// Positions at which chats were opened, by participants and session id.
        private var open: [Participants: [String: Int64]] = [:]
        /// Participants of open chats, by household id.
        private var participantsByHousehold: [String: Set<Participants>] = [:]
        /// Participants of open chats, by baby id.
        private var participantsByBaby: [String: Set<Participants>] = [:]

        /// Returns the participants with the newest ids of the household and the baby.
        private func participants(
            _ userId: String, _ householdId: String, _ childId: String?
        ) -> Participants {
            Participants(
                userId: userId, householdId: households.newest(householdId),
                childId: childId.map(babies.newest))
        }

        /// Adds an opened chat in place of the open chats of the same participants.
        ///
        /// - Returns: the replaced chats, by session id, with the positions at which they were
        /// opened.
        mutating func open(_ opened: SessionOpened, at position: Int64) -> [String: Int64] {
            let participants = participants(opened.userId, opened.householdId, opened.childId)
            let others = open[participants] ?? [:]
            set([opened.sessionId: position], participants)
            return others
        }

        /// Removes a chat that was closed.
        mutating func close(_ closed: SessionClosed) {
            let participants = participants(closed.userId, closed.householdId, closed.childId)
            guard var chats = open[participants],
                chats.removeValue(forKey: closed.sessionId) != nil
            else { return }
            set(chats, participants)
        }

        /// Replaces the open chats of the participants.
        private mutating func set(_ chats: [String: Int64], _ participants: Participants) {
            if chats.isEmpty {
                open[participants] = nil
                participantsByHousehold[participants.householdId]?.remove(participants)
                if let childId = participants.childId {
                    participantsByBaby[childId]?.remove(participants)
                }
            } else {
                open[participants] = chats
                participantsByHousehold[participants.householdId, default: []].insert(participants)
                if let childId = participants.childId {
                    participantsByBaby[childId, default: []].insert(participants)
                }
            }
        }

        /// Moves the chats of a household or baby to the id that replaced the former id.
        mutating func apply(_ ids: Household.IdReplaced) {
            let moved: Set<Participants>
            switch ids.kind {
            case .household:
                guard households.replace(ids.localId, by: ids.remoteId) else { return }
                moved = participantsByHousehold[ids.localId] ?? []
            case .baby:
                guard babies.replace(ids.localId, by: ids.remoteId) else { return }
                moved = participantsByBaby[ids.localId] ?? []
            case .album, .careEntry: return
            }
            for former in moved {
                let chats = open[former] ?? [:]
                set([:], former)
                let participants = participants(former.userId, former.householdId, former.childId)
                set(chats.merging(open[participants] ?? [:]) { min($0, $1) }, participants)
            }
        }
    }
}
