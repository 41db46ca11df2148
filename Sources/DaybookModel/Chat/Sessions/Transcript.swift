package import Daybook

extension Chat {
    /// A message of a chat with the AI, including its text.
    package struct TranscriptLine: PlainRecord {
        package var messageId = ""
        package var role = MessageRole.user
        package var created = Instant.epoch
        /// Trimmed text; `nil` if it is erased or personal texts may not be shown. Reports replace
        /// an erased text by `erased` if they may show texts.
        package var text: String?
        package var intent: Intent?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("messageId", &messageId, "role", &role, "createdUs", &created)
            try field("text", &text, "intent", &intent)
        }
    }

    /// A chat with the AI, including the texts of its messages.
    package struct Transcript: PlainRecord {
        /// Participants, status and messages without texts.
        package var session = AISession.State()
        /// Messages in the order in which they were written.
        package var lines: [TranscriptLine] = []
        /// Time of the chat's last event, not counting failed answers; `nil` before the first
        /// event.
        package var updated: Instant?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("session", &session, "lines", &lines, "updatedUs", &updated)
        }

        /// Time of the last message, or of the last event if the chat has no messages.
        var latestTime: Instant { lines.last?.created ?? updated ?? .epoch }

        /// The user's first message; `nil` if there is none.
        private var firstQuestion: TranscriptLine? { lines.first { $0.role == .user } }

        /// Returns the user's first message, shortened; `nil` if personal texts may not be shown.
        func title(_ context: ReportContext) -> String? {
            caption(firstQuestion, Caption.titleLength, "New conversation", context)
        }

        /// Returns the last message, shortened; `nil` if personal texts may not be shown.
        func preview(_ context: ReportContext) -> String? {
            caption(lines.last, Caption.previewLength, "No messages yet", context)
        }

        /// Returns a message on one line, cut to `length`; `none` if there is no message or text.
        private func caption(
            _ line: TranscriptLine?, _ length: Int, _ none: String, _ context: ReportContext
        ) -> String? {
            guard context.opensTexts else { return nil }
            guard let line else { return none }
            let text = Caption.text(line.visibleText(context) ?? "", length, Rules(context.rules))
            return text.isEmpty ? none : text
        }

        /// The part of the chat that the AI receives with the next question.
        var memory: Memory { Memory(of: lines.map { Memory.Line($0.role, $0.text ?? "") }) }
    }

    /// The projection of chats with the AI, including the texts of their messages.
    package enum Transcripts: Projection {
        package enum Event: EventSet {
            case session(AISession.Event), idReplaced(Household.IdReplaced)

            package static let kinds =
                AISession.Event.kinds.map { $0.widened(session) } + [StoredKind(idReplaced)]
        }

        package struct State: PlainRecord {
            /// Chats by session id.
            var chats: [String: Transcript] = [:]
            var newerBabyIds: [String: String] = [:]
            var newerHouseholdIds: [String: String] = [:]
            package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("chats", &chats, "replacedBabies", &newerBabyIds)
                try field("replacedHouseholds", &newerHouseholdIds)
            }

            /// Returns the query `chats`, extended by the events that replaced ids of the chats'
            /// households and babies, and of the baby `child`.
            func query(of chats: Query, child: String? = nil) -> Query {
                var tags: Set<Tag> = []
                for chat in self.chats.values {
                    tags.formUnion(
                        newerHouseholdIds.all(chat.session.householdId).map(Household.tag))
                    guard let childId = chat.session.childId else { continue }
                    tags.formUnion(newerBabyIds.all(childId).map(Household.profileTag))
                }
                if let child { tags.formUnion(newerBabyIds.all(child).map(Household.profileTag)) }
                let known = tags.filter(\.isValid).sorted()
                guard !known.isEmpty else { return chats }
                return chats.union(.any(of: [Household.IdReplaced.kind], known))
            }

            /// Replaces a former id of a household or baby in all chats.
            fileprivate mutating func apply(_ ids: Household.IdReplaced) {
                switch ids.kind {
                case .baby: _ = newerBabyIds.replace(ids.localId, by: ids.remoteId)
                case .household: _ = newerHouseholdIds.replace(ids.localId, by: ids.remoteId)
                case .album, .careEntry: return
                }
                for id in chats.keys { chats[id]?.session.apply(ids) }
            }

            /// Applies an event to its chat; creates the chat if no earlier event of it was read.
            fileprivate mutating func apply(_ event: AISession.Event, _ envelope: Envelope) {
                if chats[event.sessionId] == nil {
                    var chat = Transcript.blank
                    chat.session.newerBabyIds = newerBabyIds
                    chat.session.newerHouseholdIds = newerHouseholdIds
                    chats[event.sessionId] = chat
                }
                chats[event.sessionId]?.apply(event, envelope)
            }
        }

        package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .session(let event): state.apply(event, envelope)
            case .idReplaced(let ids): state.apply(ids)
            }
        }
    }
}

extension Chat.TranscriptLine {
    /// Returns the text, or `erased`; `nil` if personal texts may not be shown.
    func visibleText(_ context: ReportContext) -> String? {
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
