public import Daybook

extension Chat {
    /// A message of a chat with the AI, with its text.
    public struct TranscriptLine: Record {
        public var messageId = ""
        public var role = MessageRole.user
        public var created = Instant.epoch
        /// Trimmed text; `nil` if the text is erased or the report shows no personal texts.
        public var text: String?
        public var intent: Intent?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("messageId", &messageId, "role", &role, "createdUs", &created)
            try field("text", &text, "intent", &intent)
        }
    }

    /// A chat with the AI, with the texts of its messages.
    public struct Transcript: Record {
        public var session = AISession.State()
        /// The messages in the order in which they were written.
        public var lines: [TranscriptLine] = []
        /// Moment of the chat's last event, other than a failed answer.
        public var updated: Instant?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("session", &session, "lines", &lines, "updatedUs", &updated)
        }

        /// Moment of the last message, or of the last event if the chat has no messages.
        var latest: Instant { lines.last?.created ?? updated ?? .epoch }

        private var firstQuestion: TranscriptLine? { lines.first { $0.role == .user } }

        /// Returns the user's first message, shortened; `nil` if the report shows no personal
        /// texts.
        func title(_ context: ReportContext) -> String? {
            caption(firstQuestion, Caption.titleLength, "New conversation", context)
        }

        /// Returns the last message, shortened; `nil` if the report shows no personal texts.
        func preview(_ context: ReportContext) -> String? {
            caption(lines.last, Caption.previewLength, "No messages yet", context)
        }

        /// Returns a message on one line, cut to a length; `none` if there is no message.
        private func caption(
            _ line: TranscriptLine?, _ length: Int, _ none: String, _ context: ReportContext
        ) -> String? {
            guard context.opensTexts else { return nil }
            guard let line else { return none }
            let text = Caption.text(line.shown(context) ?? "", length, Rules(context.rules))
            return text.isEmpty ? none : text
        }

        /// Part of the chat that the AI receives with the next question.
        var memory: Memory { Memory(of: lines.map { Memory.Line($0.role, $0.text ?? "") }) }
    }

    /// Chats with the AI, with the personal texts that the log provides.
    public enum Transcripts: Projection {
        public enum Event: EventSet {
            case session(AISession.Event)
            case idReplaced(Household.IdReplaced)

            public static let kinds =
                AISession.Event.kinds.map { $0.widened(session) } + [StoredKind(idReplaced)]
        }

        public struct State: Record {
            /// Chats by id.
            public var chats: [String: Transcript] = [:]
            /// Newer ids of babies by the ids they replaced.
            public var replacedBabies: [String: String] = [:]
            /// Newer ids of households by the ids they replaced.
            public var replacedHouseholds: [String: String] = [:]
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("chats", &chats, "replacedBabies", &replacedBabies)
                try field("replacedHouseholds", &replacedHouseholds)
            }

            /// Returns the query for the chats and for the renamings of their households and
            /// children.
            func query(of chats: Query, child: String? = nil) -> Query {
                var tags: Set<Tag> = []
                for chat in self.chats.values {
                    tags.formUnion(
                        replacedHouseholds.all(chat.session.householdId).map(Household.tag))
                    guard let childId = chat.session.childId else { continue }
                    tags.formUnion(replacedBabies.all(childId).map(Household.profileTag))
                }
                if let child { tags.formUnion(replacedBabies.all(child).map(Household.profileTag)) }
                let known = tags.filter(\.isValid).sorted()
                guard !known.isEmpty else { return chats }
                return chats.union(.any(of: [Household.IdReplaced.kind], known))
            }

            fileprivate mutating func apply(_ ids: Household.IdReplaced) {
                switch ids.kind {
                case .baby: _ = replacedBabies.replace(ids.localId, by: ids.remoteId)
                case .household: _ = replacedHouseholds.replace(ids.localId, by: ids.remoteId)
                case .album, .careEntry: return
                }
                for id in chats.keys { chats[id]?.session.apply(ids) }
            }

            fileprivate mutating func apply(_ event: AISession.Event, _ envelope: Envelope) {
                if chats[event.sessionId] == nil {
                    var chat = Transcript.blank
                    chat.session.replacedBabies = replacedBabies
                    chat.session.replacedHouseholds = replacedHouseholds
                    chats[event.sessionId] = chat
                }
                chats[event.sessionId]?.apply(event, envelope)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .session(let event): state.apply(event, envelope)
            case .idReplaced(let ids): state.apply(ids)
            }
        }
    }
}

extension Chat.TranscriptLine {
    /// Returns the text, `erased` for an erased text, or `nil` if the report shows no personal
    /// texts.
    func shown(_ context: ReportContext) -> String? {
        context.opensTexts ? text ?? "erased" : nil
    }
}

extension Chat.AISession.Event {
    fileprivate var sessionId: String {
        switch self {
        case .sessionOpened(let opened): opened.sessionId
        case .sessionClosed(let closed): closed.sessionId
        case .sessionMessageAdded(let added): added.sessionId
        case .answerFailed(let failed): failed.sessionId
        }
    }
}

extension Chat.Transcript {
    mutating func apply(_ event: Chat.AISession.Event, _ envelope: Envelope) {
        Chat.AISession.evolve(&session, with: event, envelope)
        if case .answerFailed = event { return }
        updated = max(updated ?? envelope.occurredAt, envelope.occurredAt)
        guard case .sessionMessageAdded(let added) = event else { return }
        let line = Chat.TranscriptLine(
            messageId: added.messageId, role: added.role, created: envelope.occurredAt,
            text: added.text?.text?.trimmed, intent: added.intent)
        // A message that is recorded late goes before the messages that were written after it.
        let place = lines.lastIndex { $0.created <= line.created }.map { $0 + 1 } ?? 0
        lines.insert(line, at: place)
    }
}
