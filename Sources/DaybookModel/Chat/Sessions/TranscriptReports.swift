package import Daybook

extension Chat {
    /// Reports on chats with the AI: a user's chats, one chat, and what the AI receives of it.
    package static let reports = [
        ReportDescription(SessionsReport.self), ReportDescription(SessionReport.self),
        ReportDescription(MemoryReport.self),
    ]

    /// A report that lists a user's chats with the AI.
    ///
    /// Source: S4, `GET /chat/sessions`.
    package struct SessionsReport: Report, PlainRecord {
        package typealias Model = Transcripts
        package static let name = "chats"
        package static let summary = "A user's chats with the AI, by their newest messages"
        package static let readsPersonalTexts = true
        package static let basisFields: Set<String> = ["position"]
        package static let subject: ReportSubject? = ReportSubject(
            "user", noun: "user", kinds: [SessionOpened.kind])
        /// Id of the user whose chats are listed.
        package var user = ""
        /// Current or former id of a baby, to list only chats about this baby; `nil` lists all
        /// chats.
        package var child: String?
        /// Maximum number of chats to list, from 1 to 100; `nil` means 50.
        package var limit: Int64?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("user", &user, "child", &child)
            try field("limit", &limit, .any)
        }

        package var query: Query { .any(of: sessionKinds, userTag(user)) }

        package func query(knowing state: Model.State, _ context: ReportContext) -> ReportQuery {
            ReportQuery(state.query(of: query, child: child))
        }

        package func answer(
            _ state: Model.State, _ context: ReportContext
        ) throws(ReportError) -> Answer {
            let limit = try maxListedCount(context)
            let child = child.map(state.newerBabyIds.newest)
            let chats = state.chats.values.filter { chat in
                chat.session.userId == user
                    && (child == nil
                        || chat.session.childId.map(state.newerBabyIds.newest) == child)
            }
            let sorted = chats.sorted {
                ($1.latestTime, $0.session.sessionId) < ($0.latestTime, $1.session.sessionId)
            }
            return Answer(
                sessions: sorted.prefix(limit).map { Session($0, context) },
                position: Int64(context.position.rawValue))
        }

        /// Returns the maximum number of chats to list; throws if `limit` is outside 1 to 100.
        /// Under `rules: source` a limit above 100 means 100 and a limit below 1 means 50, as in
        /// the original app (S4).
        private func maxListedCount(_ context: ReportContext) throws(ReportError) -> Int {
            guard let limit else { return 50 }
            guard !(1...100).contains(limit) else { return Int(limit) }
            guard Rules(context.rules) == .source else {
                throw .invalid(argument: "limit", "expected 1 to 100, found \(limit)")
            }
            return limit > 100 ? 100 : 50
        }

        /// One chat in the list.
        package struct Session: PlainRecord {
            package var sessionId = ""
            package var status = SessionStatus.active
            package var childId: String?
            package var started: Instant?
            package var ended: Instant?
            /// Time of the chat's last event, not counting failed answers; `nil` if none was read.
            package var updated: Instant?
            package var lastMessageTime: Instant?
            package var messageCount: Int64 = 0
            /// The user's first message, shortened; `nil` if personal texts may not be shown.
            package var title: String?
            /// The last message, shortened; `nil` if personal texts may not be shown.
            package var preview: String?
            package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("sessionId", &sessionId, "status", &status, "childId", &childId)
                try field("startedUs", &started, "endedUs", &ended, "updatedUs", &updated)
                try field("lastMessageUs", &lastMessageTime, "messageCount", &messageCount)
                try field("title", &title, "preview", &preview)
            }

            init() {}

            init(_ chat: Transcript, _ context: ReportContext) {
                sessionId = chat.session.sessionId
                (status, childId) = (chat.session.status, chat.session.childId)
                (started, ended) = (chat.session.started, chat.session.ended)
                (updated, lastMessageTime) = (chat.updated, chat.latestTime)
                messageCount = Int64(chat.lines.count)
                (title, preview) = (chat.title(context), chat.preview(context))
            }
        }

        /// The user's chats, newest message first.
        package struct Answer: PlainRecord {
            package var sessions: [Session] = []
            /// Log position of the last event that was read.
            package var position: Int64 = 0
            package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("sessions", &sessions, "position", &position)
            }
        }
    }

    /// A report that shows a chat with the AI, message by message.
    ///
    /// Source: S4, `GET /chat/sessions/:session_id/messages`.
    package struct SessionReport: TranscriptReport {
        package static let name = "chat"
        package static let summary = "A chat with the AI, message by message"
        package var session = ""
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("session", &session)
        }

        func answer(_ chat: Transcript, _ context: ReportContext) -> Answer {
            Answer(
                sessionId: chat.session.sessionId, status: chat.session.status,
                userId: chat.session.userId, householdId: chat.session.householdId,
                childId: chat.session.childId, started: chat.session.started,
                ended: chat.session.ended, title: chat.title(context),
                messages: chat.lines.withVisibleTexts(context),
                position: Int64(context.position.rawValue))
        }

        /// A chat with the AI and its messages.
        package struct Answer: PlainRecord {
            package var sessionId = ""
            package var status = SessionStatus.active
            package var userId = ""
            package var householdId = ""
            package var childId: String?
            package var started: Instant?
            package var ended: Instant?
            package var title: String?
            package var messages: [TranscriptLine] = []
            package var position: Int64 = 0
            package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("sessionId", &sessionId, "status", &status, "userId", &userId)
                try field("householdId", &householdId, "childId", &childId)
                try field("startedUs", &started, "endedUs", &ended, "title", &title)
                try field("messages", &messages, "position", &position)
            }
        }
    }

    /// A report on the part of a chat that the AI receives with the next question.
    ///
    /// For an earlier point in time, the report shows the part for a question asked then.
    struct MemoryReport: TranscriptReport {
        static let name = "memory"
        static let summary = "The part of a chat that goes to the AI with the next question"
        var session = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("session", &session)
        }

        func answer(_ chat: Transcript, _ context: ReportContext) -> Answer {
            let memory = chat.memory
            return Answer(
                sessionId: chat.session.sessionId, messageCount: Int64(chat.lines.count),
                summarizedCount: Int64(memory.summarizedCount),
                summary: context.opensTexts && !memory.summary.isEmpty ? memory.summary : nil,
                turns: chat.lines.suffix(Memory.fullMessageCount).withVisibleTexts(context),
                position: Int64(context.position.rawValue))
        }

        /// The newest messages of a chat in full, and a summary of the earlier messages.
        struct Answer: PlainRecord {
            var sessionId = ""
            /// Number of all messages in the chat: those in `turns` and the earlier ones.
            var messageCount: Int64 = 0
            /// Number of earlier messages, which are not in `turns`.
            var summarizedCount: Int64 = 0
            /// Summary of the earlier messages; `nil` if there is none, or if personal texts may not
            /// be shown.
            var summary: String?
            /// The newest messages in full, at most 20.
            var turns: [TranscriptLine] = []
            var position: Int64 = 0
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("sessionId", &sessionId, "messageCount", &messageCount)
                try field("summarizedCount", &summarizedCount, "summary", &summary)
                try field("turns", &turns, "position", &position)
            }
        }
    }
}

/// A report on one chat with the AI, including its texts.
protocol TranscriptReport: Report, PlainRecord where Model == Chat.Transcripts {
    /// Session id of the chat.
    var session: String { get }
    func answer(_ chat: Chat.Transcript, _ context: ReportContext) -> Answer
}

extension TranscriptReport {
    package static var readsPersonalTexts: Bool { true }
    package static var basisFields: Set<String> { ["position"] }
    package static var subject: ReportSubject? {
        ReportSubject("session", noun: "chat-session", kinds: [Chat.SessionOpened.kind])
    }

    package var query: Query { .any(of: Chat.sessionKinds, Chat.sessionTag(session)) }

    package func query(knowing state: Model.State, _ context: ReportContext) -> ReportQuery {
        ReportQuery(state.query(of: query))
    }

    package func unknownEntityMessage(_ state: Chat.Transcripts.State) -> String? {
        state.chats[session] == nil ? "there is no chat '\(session)' with the AI" : nil
    }

    package func answer(
        _ state: Chat.Transcripts.State, _ context: ReportContext
    ) throws(ReportError) -> Answer {
        guard let chat = state.chats[session] else {
            throw .unanswerable("there is no chat '\(session)' with the AI")
        }
        return answer(chat, context)
    }
}

extension Sequence<Chat.TranscriptLine> {
    /// Returns the messages with their texts, or without texts if these may not be shown.
    fileprivate func withVisibleTexts(_ context: ReportContext) -> [Chat.TranscriptLine] {
        map { line in
            var line = line
            line.text = line.visibleText(context)
            return line
        }
    }
}
