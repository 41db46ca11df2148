public import Daybook

extension Chat {
    /// The speaker of a message in a chat with the AI.
    public enum MessageRole: UInt8, StoredEnum { case user, assistant, system }

    /// Type of a question, as classified by the AI's router.
    public enum Intent: UInt8, StoredEnum {
        case medicalRelated, dataQuery, careRoutine, smalltalk

        public static let names = ["medical_related", "data_query", "care_routine", "smalltalk"]
    }

    /// A message was added to a chat with the AI.
    public struct SessionMessageAdded: EventPayload {
        public static let kind: EventKind = "chat.session-message-added.v1"
        public var sessionId = ""
        public var messageId = ""
        public var userId = ""
        public var role = MessageRole.user
        public var text: PersonalText?
        /// Request to the AI that the message belongs to, if any.
        public var requestId: String?
        public var intent: Intent?
        /// Records that the question covers; `nil` if it uses no personal data.
        public var scope: Scope?
        /// The model that answered.
        public var model: String?
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

    /// Adds a message to a chat without asking the AI.
    public struct AddSessionMessage: SessionCommand {
        public static let name = "chat.add-session-message"
        public var sessionId = ""
        public var messageId = ""
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
