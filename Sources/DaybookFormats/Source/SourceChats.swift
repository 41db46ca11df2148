import Daybook
import DaybookModel

/// Converts reports on chats with the AI to the JSON of the original app's server.
enum SourceChats {
    /// Returns the server's JSON for a list of chat sessions, without their messages.
    static func sessions(_ answer: Chat.SessionsReport.Answer) -> SourceJSON {
        .object([
            "sessions": .list(
                answer.sessions.map { session in
                    .object([
                        "child_id": .text(session.childId),
                        "ended_at": session.ended.map { .utcMillisecond($0) } ?? .null,
                        "last_message_at": session.lastMessageTime.map { .utcMillisecond($0) }
                            ?? .null,
                        "message_count": .integer(session.messageCount),
                        "preview": .text(session.preview ?? ""),
                        "session_id": .text(session.sessionId),
                        "started_at": session.started.map { .utcMillisecond($0) } ?? .null,
                        "status": .text(session.status.name),
                        "title": .text(session.title ?? ""),
                        "updated_at": session.updated.map { .utcMillisecond($0) } ?? .null,
                    ])
                })
        ])
    }

    /// Returns the server's JSON for one chat session, with its messages.
    static func session(_ chat: Chat.SessionReport.Answer) -> SourceJSON {
        .object([
            "child_id": .text(chat.childId),
            "ended_at": chat.ended.map { .utcMillisecond($0) } ?? .null,
            "household_id": .text(chat.householdId),
            "messages": .list(chat.messages.map(message)),
            "session_id": .text(chat.sessionId),
            "started_at": chat.started.map { .utcMillisecond($0) } ?? .null,
            "status": .text(chat.status.name),
            "title": .text(chat.title ?? ""),
        ])
    }

    /// Returns the server's JSON for one message of a chat session.
    private static func message(_ line: Chat.TranscriptLine) -> SourceJSON {
        var message: [String: SourceJSON] = [
            "content": .text(line.text ?? ""), "created_at": .utcMillisecond(line.created),
            "message_id": .text(line.messageId), "role": .text(line.role.name),
        ]
        if let intent = line.intent { message["intent"] = .text(intent.name) }
        return .object(message)
    }
}
