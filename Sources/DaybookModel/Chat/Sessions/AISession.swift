package import Daybook

extension Chat {
    /// The status of a chat with the AI.
    package enum SessionStatus: UInt8, StoredEnum {
        case active, closed
        /// No opening of the chat is recorded.
        case none
    }

    /// A message in a chat with the AI, without its text.
    package struct SessionMessage: PlainRecord {
        package var messageId = ""
        package var role = MessageRole.user
        /// Time at which the message was written.
        package var created = Instant.epoch
        package var hasText = false
        var requestId: String?
        package var intent: Intent?
        var scope: Scope?
        /// Name of the AI model that wrote the message; `nil` if not recorded.
        package var model: String?
        /// Tokens of the question and the answer; `nil` for other messages.
        var totalTokens: Int64?
        package static var elementKey: String? { "messageId" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("messageId", &messageId, "role", &role)
            try field("createdUs", &created, .any)
            try field("hasText", &hasText, "requestId", &requestId, "intent", &intent)
            try field("scope", &scope, "model", &model, "totalTokens", &totalTokens)
        }
    }

    /// The projection of one chat with the AI.
    package enum AISession: Projection {
        package enum Event: EventSet {
            case sessionOpened(SessionOpened), sessionClosed(SessionClosed)
            case sessionMessageAdded(SessionMessageAdded), answerFailed(AnswerFailed)

            package static let kinds = [
                StoredKind(sessionOpened), StoredKind(sessionClosed),
                StoredKind(sessionMessageAdded), StoredKind(answerFailed),
            ]
        }

        package struct State: PlainRecord {
            package var sessionId = ""
            package var status = SessionStatus.none
            package var userId = ""
            package var householdId = ""
            package var childId: String?
            package var started: Instant?
            package var ended: Instant?
            package var messages: Series<SessionMessage> = []
            /// Number of requests that the AI did not answer.
            var failureCount: Int64 = 0
            var newerBabyIds: [String: String] = [:]
            var newerHouseholdIds: [String: String] = [:]
            package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field.unlessBlank("sessionId", &sessionId)
                try field("status", &status)
                try field.unlessBlank("userId", &userId)
                try field.unlessBlank("householdId", &householdId)
                try field("childId", &childId)
                try field("startedUs", &started, .any)
                try field("endedUs", &ended, .any)
                try field("messages", &messages, "failures", &failureCount)
                try field.internalField("replacedBabies", &newerBabyIds)
                try field.internalField("replacedHouseholds", &newerHouseholdIds)
            }

            /// Replaces a former id of the chat's household or baby by the newest id.
            mutating func apply(_ ids: Household.IdReplaced) {
                switch ids.kind {
                case .baby:
                    _ = newerBabyIds.replace(ids.localId, by: ids.remoteId)
                    childId = childId.map(newerBabyIds.newest)
                case .household:
                    _ = newerHouseholdIds.replace(ids.localId, by: ids.remoteId)
                    householdId = newerHouseholdIds.newest(householdId)
                case .album, .careEntry: break
                }
            }
        }

        package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .sessionOpened(let opened):
                state.sessionId = opened.sessionId
                state.userId = opened.userId
                // The ids may have been replaced before the opening was recorded.
                state.householdId = state.newerHouseholdIds.newest(opened.householdId)
                state.childId = opened.childId.map(state.newerBabyIds.newest)
                state.status = .active
                state.started = envelope.occurredAt
            case .sessionClosed:
                state.status = .closed
                state.ended = envelope.occurredAt
            case .sessionMessageAdded(let added):
                state.messages.append(
                    SessionMessage(
                        messageId: added.messageId, role: added.role,
                        created: envelope.occurredAt, hasText: added.text != nil,
                        requestId: added.requestId, intent: added.intent, scope: added.scope,
                        model: added.model, totalTokens: added.totalTokens))
            case .answerFailed: state.failureCount += 1
            }
        }

        static let lifecycle = Lifecycle<SessionStatus>(
            "chat-session", field: "status",
            [
                .begins(SessionOpened.self, .active),
                .stays(SessionMessageAdded.self, in: .active),
                .stays(AnswerFailed.self, in: .active, .closed),
                .step(SessionClosed.self, from: .active, to: .closed),
                .stays(Household.IdReplaced.self, in: .active, .closed),
                // A server's id may be recorded before the opening.
                .step(
                    Household.IdReplaced.self, from: nil, SessionStatus.none,
                    to: SessionStatus.none),
                .step(SessionOpened.self, from: SessionStatus.none, to: .active),
            ])
    }

    /// The projection of a chat with the AI that also replaces ids of its household and its baby.
    enum SessionView: Projection {
        enum Event: EventSet {
            case session(AISession.Event), idReplaced(Household.IdReplaced)

            static let kinds =
                AISession.Event.kinds.map { $0.widened(session) } + [StoredKind(idReplaced)]

            /// Household and baby that the opening of a chat names; the event has no tags for them.
            var followed: [FollowedEntity] {
                guard case .session(.sessionOpened(let opened)) = self else { return [] }
                return [FollowedEntity("household", opened.householdId)]
                    + [opened.childId.map { FollowedEntity("baby", $0) }].compactMap(\.self)
            }
        }

        static func evolve(
            _ state: inout AISession.State, with event: Event, _ envelope: Envelope
        ) {
            switch event {
            case .session(let event): AISession.evolve(&state, with: event, envelope)
            case .idReplaced(let ids): state.apply(ids)
            }
        }
    }
}
