package import Daybook

extension Chat {
    /// A user opened a chat with the AI.
    package struct SessionOpened: EventPayload, PlainRecord {
        package static let kind: EventKind = "chat.session-opened.v1"
        package var sessionId = ""
        package var userId = ""
        package var householdId = ""
        /// Id of the baby that the chat is about; `nil` for none.
        package var childId: String?
        package var tags: [Tag] {
            [userTag(userId), sessionTag(sessionId), slotTag(userId, householdId, childId)]
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sessionId", &sessionId, "userId", &userId, "householdId", &householdId)
            try field("childId", &childId)
        }

        package func sentence(_ wording: Wording) -> String {
            "chat with the AI opened" + (childId == nil ? "" : " about a baby")
        }
    }

    /// The reason why a chat with the AI was closed.
    package enum SessionEnd: UInt8, StoredEnum {
        /// The user opened another chat for the same household and baby.
        case replaced
        case user
    }

    /// A chat with the AI was closed.
    package struct SessionClosed: EventPayload, PlainRecord {
        package static let kind: EventKind = "chat.session-closed.v1"
        package var sessionId = ""
        package var userId = ""
        package var householdId = ""
        package var childId: String?
        /// Reason why the chat was closed.
        var cause = SessionEnd.replaced
        package var tags: [Tag] {
            [userTag(userId), sessionTag(sessionId), slotTag(userId, householdId, childId)]
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sessionId", &sessionId, "userId", &userId, "householdId", &householdId)
            try field("childId", &childId, "cause", &cause)
        }

        package func sentence(_ wording: Wording) -> String {
            "chat with the AI closed" + (cause == .replaced ? ": replaced by a new one" : "")
        }
    }

    /// Opens a chat with the AI, and closes the user's open chat for the same household and baby.
    struct OpenSession: Command, PlainRecord {
        typealias Model = Conversations
        static let name = "chat.open-session"
        var sessionId = ""
        var userId = ""
        var householdId = ""
        var childId: String?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sessionId", &sessionId, "userId", &userId, "householdId", &householdId)
            try field("childId", &childId)
        }

        var query: Query { query(knowing: .blank) }

        /// Returns a query for the chat, the user's chats for the household and baby, and the
        /// account.
        func query(knowing state: Conversations.State) -> Query {
            let households = state.account.newerHouseholdIds.all(householdId)
            let children: [String?] = childId.map { state.newerBabyIds.all($0) } ?? [nil]
            let slots = households.flatMap { household in
                children.map { slotTag(userId, household, $0) }
            }
            let sessions = Query.any(of: sessionKinds, [sessionTag(sessionId)] + slots)
                .union(Account.query(ofHousehold: householdId, state.account))
            let babies = children.compactMap(\.self).map {
                Query.Item(kinds: [Household.IdReplaced.kind], tags: [Household.profileTag($0)])
            }
            return Query(items: babies).map(sessions.union) ?? sessions
        }

        func decide(
            _ chats: Conversations.State, now: Instant
        ) throws(Refusal) -> [Conversations.Event] {
            let opened = SessionOpened(
                sessionId: sessionId, userId: userId,
                householdId: chats.account.newerHouseholdIds.newest(householdId),
                childId: childId.map(chats.newerBabyIds.newest))
            if let known = chats.sessions[sessionId] {
                guard chats.isSame(known, opened) else {
                    throw Refusal(
                        "sessionExists",
                        "the chat session '\(sessionId)' already exists with another user, "
                            + "household or child")
                }
                return []
            }
            try chats.account.checkIsMember(userId)
            let open = chats.sessions.filter {
                $0.value.status == .active && chats.isSame($0.value, opened)
            }
            return open.keys.sorted().map {
                .sessionClosed(
                    SessionClosed(
                        sessionId: $0, userId: userId, householdId: opened.householdId,
                        childId: opened.childId, cause: .replaced))
            } + [.sessionOpened(opened)]
        }
    }

    /// Closes a chat with the AI.
    struct CloseSession: SessionCommand {
        static let name = "chat.close-session"
        var sessionId = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sessionId", &sessionId)
        }

        func decide(
            _ chats: Conversations.State, now: Instant
        ) throws(Refusal) -> [Conversations.Event] {
            let session = try chats.openSession(sessionId)
            let closed = SessionClosed(
                sessionId: sessionId, userId: session.userId,
                householdId: session.householdId, childId: session.childId, cause: .user)
            return [.sessionClosed(closed)]
        }
    }
}
