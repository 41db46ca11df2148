public import Daybook

extension Chat {
    public static let reports = [
        ReportDescription(SessionsReport.self), ReportDescription(SessionReport.self),
        ReportDescription(MemoryReport.self),
    ]

    /// A user's chats with the AI.
    ///
    /// Source: S4, `GET /chat/sessions`.
    public struct SessionsReport: Report {
        public typealias Model = Transcripts
        public static let name = "chats"
        public static let summary = "A user's chats with the AI, by their newest messages"
        public static let readsPersonalTexts = true
        public static let basisFields: Set<String> = ["position"]
        public static let subject: ReportSubject? = ReportSubject(
            "user", noun: "user", kinds: [SessionOpened.kind])
        public var user = ""
        /// The chats about one baby alone, by any of its ids.
        public var child: String?
        /// The most chats listed, at most 100; 50 by default.
        public var limit: Int64?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("user", &user, "child", &child)
            try field("limit", &limit, .any)
        }

        public var query: Query { .any(of: sessionKinds, userTag(user)) }

        public func query(knowing state: Model.State, _ context: ReportContext) -> ReportQuery {
            ReportQuery(state.query(of: query, child: child))
        }

        public func answer(
            _ state: Model.State, _ context: ReportContext
        ) throws(ReportError) -> Answer {
            let limit = try most(context)
            let child = child.map(state.replacedBabies.newest)
            let chats = state.chats.values.filter { chat in
                chat.session.userId == user
                    && (child == nil
                        || chat.session.childId.map(state.replacedBabies.newest) == child)
            }
            let sorted = chats.sorted {
                ($1.latest, $0.session.sessionId) < ($0.latest, $1.session.sessionId)
            }
            return Answer(
                sessions: sorted.prefix(limit).map { Session($0, context) },
                position: Int64(context.position.rawValue))
        }

        /// The most chats of the answer; S4 takes the nearest number that it knows.
        private func most(_ context: ReportContext) throws(ReportError) -> Int {
            guard let limit else { return 50 }
            guard !(1...100).contains(limit) else { return Int(limit) }
            guard Rules(context.rules) == .source else {
                throw .invalid(argument: "limit", "expected 1 to 100, found \(limit)")
            }
            return limit > 100 ? 100 : 50
        }

        public struct Session: Record {
            public var sessionId = ""
            public var status = SessionStatus.active
            public var childId: String?
            public var started: Instant?
            public var ended: Instant?
            /// The moment of its last event.
            public var updated: Instant?
            /// The moment of the last message, or of the last event where there is none.
            public var lastMessage: Instant?
            public var messageCount: Int64 = 0
            /// The first thing that the user said; `nil` where personal texts are closed.
            public var title: String?
            /// The last thing that was said; `nil` where personal texts are closed.
            public var preview: String?
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("sessionId", &sessionId, "status", &status, "childId", &childId)
                try field("startedUs", &started, "endedUs", &ended, "updatedUs", &updated)
                try field("lastMessageUs", &lastMessage, "messageCount", &messageCount)
                try field("title", &title, "preview", &preview)
            }

            private init() {}

            init(_ chat: Transcript, _ context: ReportContext) {
                sessionId = chat.session.sessionId
                (status, childId) = (chat.session.status, chat.session.childId)
                (started, ended) = (chat.session.started, chat.session.ended)
                (updated, lastMessage) = (chat.updated, chat.latest)
                messageCount = Int64(chat.lines.count)
                (title, preview) = (chat.title(context), chat.preview(context))
            }
        }

        public struct Answer: Record {
            public var sessions: [Session] = []
            public var position: Int64 = 0
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("sessions", &sessions, "position", &position)
            }
        }
    }

    /// A chat with the AI, message by message.
    ///
    /// Source: S4, `GET /chat/sessions/:session_id/messages`.
    public struct SessionReport: TranscriptReport {
        public static let name = "chat"
        public static let summary = "A chat with the AI, message by message"
        public var session = ""
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("session", &session)
        }

        func answer(_ chat: Transcript, _ context: ReportContext) -> Answer {
            Answer(
                sessionId: chat.session.sessionId, status: chat.session.status,
                userId: chat.session.userId, householdId: chat.session.householdId,
                childId: chat.session.childId, started: chat.session.started,
                ended: chat.session.ended, title: chat.title(context),
                messages: chat.lines.shown(context), position: Int64(context.position.rawValue))
        }

        public struct Answer: Record {
            public var sessionId = ""
            public var status = SessionStatus.active
            public var userId = ""
            public var householdId = ""
            public var childId: String?
            public var started: Instant?
            public var ended: Instant?
            public var title: String?
            public var messages: [TranscriptLine] = []
            public var position: Int64 = 0
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("sessionId", &sessionId, "status", &status, "userId", &userId)
                try field("householdId", &householdId, "childId", &childId)
                try field("startedUs", &started, "endedUs", &ended, "title", &title)
                try field("messages", &messages, "position", &position)
            }
        }
    }

    /// The part of a chat that the AI is given with the next question.
    ///
    /// As of a moment, of the question that came then.
    public struct MemoryReport: TranscriptReport {
        public static let name = "memory"
        public static let summary = "What the AI is given of a chat with the next question"
        public var session = ""
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("session", &session)
        }

        func answer(_ chat: Transcript, _ context: ReportContext) -> Answer {
            let memory = chat.memory
            return Answer(
                sessionId: chat.session.sessionId, messageCount: Int64(chat.lines.count),
                summarizedCount: Int64(memory.summarized),
                summary: context.opensTexts ? memory.summary : nil,
                turns: chat.lines.suffix(Memory.mostTurns).shown(context),
                position: Int64(context.position.rawValue))
        }

        public struct Answer: Record {
            public var sessionId = ""
            public var messageCount: Int64 = 0
            /// Messages that are given as lines of the summary, or not at all.
            public var summarizedCount: Int64 = 0
            /// `nil` where personal texts are closed.
            public var summary: String?
            /// The last messages, word for word.
            public var turns: [TranscriptLine] = []
            public var position: Int64 = 0
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("sessionId", &sessionId, "messageCount", &messageCount)
                try field("summarizedCount", &summarizedCount, "summary", &summary)
                try field("turns", &turns, "position", &position)
            }
        }
    }
}

/// A report on one chat with the AI and its texts.
protocol TranscriptReport: Report where Model == Chat.Transcripts {
    var session: String { get }

    func answer(_ chat: Chat.Transcript, _ context: ReportContext) -> Answer
}

extension TranscriptReport {
    public static var readsPersonalTexts: Bool { true }
    public static var basisFields: Set<String> { ["position"] }
    public static var subject: ReportSubject? {
        ReportSubject("session", noun: "chat-session", kinds: [Chat.SessionOpened.kind])
    }

    public var query: Query { .any(of: Chat.sessionKinds, Chat.sessionTag(session)) }

    public func query(knowing state: Model.State, _ context: ReportContext) -> ReportQuery {
        ReportQuery(state.query(of: query))
    }

    public func unknown(_ state: Chat.Transcripts.State) -> String? {
        state.chats[session] == nil ? "there is no chat with the AI '\(session)'" : nil
    }

    public func answer(
        _ state: Chat.Transcripts.State, _ context: ReportContext
    ) throws(ReportError) -> Answer {
        guard let chat = state.chats[session] else {
            throw .unanswerable("there is no chat with the AI '\(session)'")
        }
        return answer(chat, context)
    }
}

extension Sequence<Chat.TranscriptLine> {
    /// The messages with their texts, `erased` where they were.
    fileprivate func shown(_ context: ReportContext) -> [Chat.TranscriptLine] {
        map { line in
            var line = line
            line.text = line.shown(context)
            return line
        }
    }
}
