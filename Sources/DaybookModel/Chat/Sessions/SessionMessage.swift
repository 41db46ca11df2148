package import Daybook

extension Chat {
    /// The author of a message in a chat with the AI.
    package enum MessageRole: UInt8, StoredEnum { case user, assistant, system }

    /// The type of a question, as classified by the AI's router.
    package enum Intent: UInt8, StoredEnum {
        case medicalRelated, dataQuery, careRoutine, smalltalk

        /// Names of the cases in the original server's API (S4) and in stored events.
        package static let names = ["medical_related", "data_query", "care_routine", "smalltalk"]
    }

    /// A message was added to a chat with the AI.
    package struct SessionMessageAdded: EventPayload, PlainRecord {
        package static let kind: EventKind = "chat.session-message-added.v1"
        package var sessionId = ""
        package var messageId = ""
        package var userId = ""
        package var role = MessageRole.user
        package var text: PersonalText?
        /// Id of the request to the AI that the message belongs to; `nil` for none.
        var requestId: String?
        /// Type of the question, as classified by the AI's router.
        package var intent: Intent?
        /// Records that the question covers; `nil` if it uses no personal data.
        var scope: Scope?
        /// Name of the AI model that answered; `nil` for a question.
        package var model: String?
        /// Tokens of the question and the answer; `nil` for a question.
        var totalTokens: Int64?
        package var tags: [Tag] {
            [userTag(userId), sessionTag(sessionId)]
                + [requestId.map { Tag("ai-request", $0) }].compactMap(\.self)
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sessionId", &sessionId, "messageId", &messageId, "userId", &userId)
            try field("role", &role, "text", &text, "requestId", &requestId, "intent", &intent)
            try field("scope", &scope, "model", &model)
            try field("totalTokens", &totalTokens, .tokens)
        }

        package func sentence(_ wording: Wording) -> String {
            let part =
                switch role {
                case .user: "question"
                case .assistant: "answer"
                case .system: "instruction"
                }
            return wording.list(
                after: part, wording.quoted(text), intent.map(wording.words),
                scope?.sentence(wording),
                model, totalTokens.map { $0.counted("token") })
        }
    }

    /// Adds a message to an open chat without asking the AI.
    struct AddSessionMessage: SessionCommand {
        static let name = "chat.add-session-message"
        var sessionId = ""
        var messageId = ""
        var role = MessageRole.user
        var text: PersonalText?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sessionId", &sessionId, "messageId", &messageId, "role", &role)
            try field("text", &text)
        }

        func decide(
            _ chats: Conversations.State, now: Instant
        ) throws(Refusal) -> [Conversations.Event] {
            let session = try chats.openSession(sessionId)
            guard let text, text.text?.trimmed.isEmpty == false else {
                throw Refusal("emptyMessage", "content is required")
            }
            guard !session.messages.contains(where: { $0.messageId == messageId }) else {
                return []
            }
            let added = SessionMessageAdded(
                sessionId: sessionId, messageId: messageId, userId: session.userId,
                role: role, text: text)
            return [.sessionMessageAdded(added)]
        }
    }
}
