public import CivilTime
public import EventSourcing

extension Chat {
    public enum SessionStatus: UInt8, StoredEnum { case active, closed }

    /// A message in a chat with the AI, without its text.
    public struct SessionMessage: Record {
        public var messageId = ""
        public var role = MessageRole.user
        public var created = Instant.epoch
        public var hasText = false
        public var requestId: String?
        public var intent: Intent?
        public var scope: Scope?
        public var model: String?
        public var totalTokens: Int64?
        public static var elementKey: String? { "messageId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("messageId", &messageId, "role", &role)
            try field("createdUs", &created, .any)
            try field("hasText", &hasText, "requestId", &requestId, "intent", &intent)
            try field("scope", &scope, "model", &model, "totalTokens", &totalTokens)
        }
    }

    /// A chat with the AI.
    public enum AISession: Projection {
        public enum Event: EventSet {
            case sessionOpened(SessionOpened)
            case sessionClosed(SessionClosed)
            case sessionMessageAdded(SessionMessageAdded)
            case answerFailed(AnswerFailed)

            public static let kinds = [
                StoredKind(sessionOpened), StoredKind(sessionClosed),
                StoredKind(sessionMessageAdded), StoredKind(answerFailed),
            ]
        }

        public struct State: Record {
            public var sessionId = ""
            public var status = SessionStatus.active
            public var userId = ""
            public var householdId = ""
            public var childId: String?
            public var started: Instant?
            public var ended: Instant?
            public var messages: [SessionMessage] = []
            /// Requests that got no answer.
            public var failures: Int64 = 0
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("sessionId", &sessionId, "status", &status, "userId", &userId)
                try field("householdId", &householdId, "childId", &childId)
                try field("startedUs", &started, .any)
                try field("endedUs", &ended, .any)
                try field("messages", &messages, "failures", &failures)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .sessionOpened(let opened):
                state.sessionId = opened.sessionId
                (state.userId, state.householdId) = (opened.userId, opened.householdId)
                state.childId = opened.childId
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
            case .answerFailed: state.failures += 1
            }
        }

        static let lifecycle = Lifecycle<SessionStatus>(
            "chat-session", field: "status",
            [
                .begins(SessionOpened.self, .active),
                .stays(SessionMessageAdded.self, in: .active),
                .stays(AnswerFailed.self, in: .active, .closed),
                .step(SessionClosed.self, from: .active, to: .closed),
            ])
    }
}
