import Daybook
import DaybookModel

/// Chats with the AI as JSON of the source app's server.
enum SourceChats {
    /// Returns the answer with a list of chat sessions, without their messages.
    static func sessions(_ answer: Chat.SessionsReport.Answer) -> SourceJSON {
        .object([
            "sessions": .list(
                answer.sessions.map { session in
                    .object([
                        "child_id": .text(session.childId),
                        "ended_at": session.ended.map { .millisecond($0) } ?? .null,
                        "last_message_at": session.lastMessageTime.map { .millisecond($0) }
                            ?? .null,
                        "message_count": .integer(session.messageCount),
                        "preview": .text(session.preview ?? ""),
                        "session_id": .text(session.sessionId),
                        "started_at": session.started.map { .millisecond($0) } ?? .null,
                        "status": .text(session.status.name),
                        "title": .text(session.title ?? ""),
                        "updated_at": session.updated.map { .millisecond($0) } ?? .null,
                    ])
                })
        ])
    }

    /// Returns the answer with one chat session and its messages.
    static func session(_ chat: Chat.SessionReport.Answer) -> SourceJSON {
        .object([
            "child_id": .text(chat.childId),
            "ended_at": chat.ended.map { .millisecond($0) } ?? .null,
            "household_id": .text(chat.householdId),
            "messages": .list(chat.messages.map(message)),
            "session_id": .text(chat.sessionId),
            "started_at": chat.started.map { .millisecond($0) } ?? .null,
            "status": .text(chat.status.name),
            "title": .text(chat.title ?? ""),
        ])
    }

    /// Returns one message of a chat.
    private static func message(_ line: Chat.TranscriptLine) -> SourceJSON {
        var message: [String: SourceJSON] = [
            "content": .text(line.text ?? ""), "created_at": .millisecond(line.created),
            "message_id": .text(line.messageId), "role": .text(line.role.name),
        ]
        if let intent = line.intent { message["intent"] = .text(intent.name) }
        return .object(message)
    }
}
