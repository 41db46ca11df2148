import Daybook

extension Chat {
    /// The projection of chats with the AI and their user's account, for commands that need both.
    enum Conversations: Projection {
        enum Event: DecidedEvents {
            case sessionOpened(SessionOpened), sessionClosed(SessionClosed)
            case sessionMessageAdded(SessionMessageAdded), answerFailed(AnswerFailed)
            case account(Account.Event)

            static let kinds: [StoredKind<Event>] =
                [
                    StoredKind(sessionOpened), StoredKind(sessionClosed),
                    StoredKind(sessionMessageAdded), StoredKind(answerFailed),
                ] + Account.Event.kinds.map { $0.widened(account) }

            var payload: any EventPayload {
                switch self {
                case .sessionOpened(let payload): payload
                case .sessionClosed(let payload): payload
                case .sessionMessageAdded(let payload): payload
                case .answerFailed(let payload): payload
                case .account(let event): event.payload
                }
            }
        }

        struct State: PlainRecord {
            var sessions: [String: AISession.State] = [:]
            /// Subscription and credits of the household.
            var account = Account.State()
            var newerBabyIds: [String: String] = [:]
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("sessions", &sessions, "account", &account)
                try field("replacedBabies", &newerBabyIds)
            }

            /// True if the chat has the user, household and baby of the opening, under any of their
            /// ids.
            func isSame(_ session: AISession.State, _ opened: SessionOpened) -> Bool {
                let households = account.newerHouseholdIds
                return session.userId == opened.userId
                    && households.newest(session.householdId)
                        == households.newest(opened.householdId)
                    && session.childId.map(newerBabyIds.newest)
                        == opened.childId.map(newerBabyIds.newest)
            }

            /// Returns a chat, open or closed; throws if the id is unknown.
            func session(_ sessionId: String) throws(Refusal) -> AISession.State {
                guard let session = sessions[sessionId] else {
                    throw Refusal("sessionNotFound", "Chat session not found: '\(sessionId)'")
                }
                return session
            }

            /// Returns an open chat; throws if the id is unknown or the chat is closed.
            func openSession(_ sessionId: String) throws(Refusal) -> AISession.State {
                let session = try session(sessionId)
                guard session.status == .active else {
                    throw Refusal("sessionClosed", "the chat session '\(sessionId)' is closed")
                }
                return session
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .sessionOpened(let opened):
                change(&state, opened.sessionId, .sessionOpened(opened), envelope)
            case .sessionClosed(let closed):
                change(&state, closed.sessionId, .sessionClosed(closed), envelope)
            case .sessionMessageAdded(let added):
                change(&state, added.sessionId, .sessionMessageAdded(added), envelope)
            case .answerFailed(let failed):
                change(&state, failed.sessionId, .answerFailed(failed), envelope)
            case .account(let event):
                if case .idReplaced(let ids) = event, ids.kind == .baby {
                    _ = state.newerBabyIds.replace(ids.localId, by: ids.remoteId)
                }
                Account.evolve(&state.account, with: event, envelope)
            }
        }

        /// Applies an event to the chat with this session id.
        private static func change(
            _ state: inout State, _ sessionId: String, _ event: AISession.Event,
            _ envelope: Envelope
        ) { AISession.evolve(&state.sessions[sessionId, default: .blank], with: event, envelope) }
    }

    static func sessionTag(_ sessionId: String) -> Tag { Tag("chat-session", sessionId) }

    /// Returns the tag shared by a user's chats for one household and baby: `slot:chat/u1/h1/c1`.
    static func slotTag(_ userId: String, _ householdId: String, _ childId: String?) -> Tag {
        Tag("slot", "chat", userId, householdId, childId ?? "")
    }

    static let sessionKinds: Set<EventKind> = AISession.kinds
}

extension Chat {
    /// A command on an existing chat with the AI.
    protocol SessionCommand: Command, PlainRecord where Model == Conversations {
        var sessionId: String { get }
    }
}

extension Chat.SessionCommand {
    var query: Query { .any(of: Chat.sessionKinds, Chat.sessionTag(sessionId)) }

    /// Returns a query for the chat and, once the chat is known, for the credits of its user.
    func query(knowing state: Chat.Conversations.State) -> Query {
        guard let session = state.sessions[sessionId] else { return query }
        return query.union(
            Account.query(ofWallet: session.userId, session.householdId, state.account))
    }
}
