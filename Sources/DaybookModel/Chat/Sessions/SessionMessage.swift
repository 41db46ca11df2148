public import Daybook

extension Chat {
    /// The author of a message in a chat with the AI.
    public enum MessageRole: UInt8, StoredEnum { case user, assistant, system }

    /// The type of a question, as classified by the AI's router.
    public enum Intent: UInt8, StoredEnum {
        case medicalRelated, dataQuery, careRoutine, smalltalk

        /// Names of the cases in the original server's API (S4) and in stored events.
        public static let names = ["medical_related", "data_query", "care_routine", "smalltalk"]
    }

    /// A message was added to a chat with the AI.
    public struct SessionMessageAdded: EventPayload {
        public static let kind: EventKind = "chat.session-message-added.v1"
        public var sessionId = ""
        public var messageId = ""
        public var userId = ""
        /// Author of the message.
        public var role = MessageRole.user
        public var text: PersonalText?
        /// Id of the request to the AI that the message belongs to; `nil` for none.
        public var requestId: String?
        /// Type of the question, as classified by the AI's router.
        public var intent: Intent?
        /// Records that the question covers; `nil` if it uses no personal data.
        public var scope: Scope?
        /// Name of the AI model that answered; `nil` for a question.
        public var model: String?
        /// Tokens of the question and the answer; `nil` for a question.
        public var totalTokens: Int64?
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [userTag(userId), sessionTag(sessionId)]
                + [requestId.map { Tag("ai-request", $0) }].compactMap(\.self)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sessionId", &sessionId, "messageId", &messageId, "userId", &userId)
            try field("role", &role, "text", &text, "requestId", &requestId, "intent", &intent)
            try field("scope", &scope, "model", &model)
            try field("totalTokens", &totalTokens, .tokens)
        }
    }

    /// Adds a message to an open chat without asking the AI.
    public struct AddSessionMessage: SessionCommand {
        public static let name = "chat.add-session-message"
        public var sessionId = ""
        public var messageId = ""
        /// Author of the message.
        public var role = MessageRole.user
        public var text: PersonalText?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sessionId", &sessionId, "messageId", &messageId, "role", &role)
            try field("text", &text)
        }

        public func decide(
            _ chats: Conversations.State, now: Instant
        ) throws(Refusal) -> [Conversations.Event] {
            let session = try chats.openSession(sessionId)
            guard let text, text.text?.trimmed.isEmpty == false else {
                throw Refusal("emptyMessage", "content is required")
            }
            guard !session.messages.contains(where: { $0.messageId == messageId }) else {
                return []
            }
            return [
                .sessionMessageAdded(
                    SessionMessageAdded(
                        sessionId: sessionId, messageId: messageId, userId: session.userId,
                        role: role, text: text))
            ]
        }
    }
}
