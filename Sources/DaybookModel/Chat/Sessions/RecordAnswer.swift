package import Daybook

extension Chat {
    /// Records a question, the AI's answer and the charged credits in one commit.
    ///
    /// The credits must have been reserved under the same request id by `account.reserve-credits`.
    struct RecordAnswer: SessionCommand {
        static let name = "chat.record-answer"
        var sessionId = ""
        /// Id of the request to the AI, under which credits were reserved.
        var requestId = ""
        var questionId = ""
        var question: PersonalText?
        var answerId = ""
        var answer: PersonalText?
        var intent: Intent?
        /// Name of the AI model that answered.
        var model: String?
        var promptTokens: Int64 = 0
        var completionTokens: Int64 = 0
        /// True if the AI received the baby's records; false by default.
        var usePersonalData: Bool?
        /// Period of the records, such as `day`, `week` or `month`; `nil` means the last 72 hours.
        var dateMode: String?
        /// A day in the period, such as `2026-02-19`; `nil` means today.
        var anchorDate: String?
        /// Time zone in which the days begin, such as `Asia/Seoul`; `nil` means the device's zone.
        var zone: String?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sessionId", &sessionId, "requestId", &requestId)
            try field("questionId", &questionId, "question", &question)
            try field("answerId", &answerId, "answer", &answer, "intent", &intent, "model", &model)
            try field("promptTokens", &promptTokens, .halfOfTokens)
            try field("completionTokens", &completionTokens, .halfOfTokens)
            try field("usePersonalData", &usePersonalData, "dateMode", &dateMode)
            try field("anchorDate", &anchorDate, "zone", &zone, "rules", &rules)
        }

        func decide(
            _ chats: Conversations.State, now: Instant
        ) throws(Refusal) -> [Conversations.Event] {
            try decide(chats, in: CommandContext(now: now))
        }

        func decide(
            _ chats: Conversations.State, in context: CommandContext
        ) throws(Refusal) -> [Conversations.Event] {
            let session = try chats.openSession(sessionId)
            guard let question, question.text?.trimmed.isEmpty == false else {
                throw Refusal("emptyMessage", "query is required")
            }
            let usesRecords = usePersonalData ?? false
            guard !usesRecords || session.childId != nil else {
                throw Refusal("noChild", "child_id is required when use_personal_data is true")
            }
            let scope =
                usesRecords
                ? try Scope(dateMode, anchorDate, try zone(in: context), context.now, rules) : nil
            let tokens = promptTokens + completionTokens
            let charged = try chats.account.charge(
                session.userId, session.householdId, requestId, tokens)
            let asked = SessionMessageAdded(
                sessionId: sessionId, messageId: questionId, userId: session.userId, role: .user,
                text: question, requestId: requestId, intent: intent, scope: scope)
            let answered = SessionMessageAdded(
                sessionId: sessionId, messageId: answerId, userId: session.userId,
                role: .assistant, text: answer, requestId: requestId, intent: intent,
                model: model, totalTokens: tokens)
            return [
                .sessionMessageAdded(asked), .sessionMessageAdded(answered),
                .account(.creditsCharged(charged)),
            ]
        }

        /// Returns the time zone in which the days begin; throws if its name is unknown. Under
        /// `rules: source` an unknown name means UTC, as in the original app (S4).
        private func zone(in context: CommandContext) throws(Refusal) -> Zone {
            guard let zone else {
                return context.knownZone(context.zone)
                    ?? Zone(fixedOffset: Timestamp.offset(Int(context.offsetS))) ?? .utc
            }
            if let known = Zone(fixedOffset: zone.trimmed) ?? context.knownZone(zone) {
                return known
            }
            guard rules == .source else {
                throw Refusal(
                    "noZone",
                    "zone is '\(zone.prefix(60))'; expected the name of a zone like Asia/Seoul")
            }
            return .utc
        }
    }

    /// The reason why the AI did not answer.
    package enum AnswerFailure: UInt8, StoredEnum { case notConfigured, failed, timedOut }

    /// The AI did not answer a request.
    package struct AnswerFailed: EventPayload, PlainRecord {
        package static let kind: EventKind = "chat.answer-failed.v1"
        package var sessionId = ""
        package var userId = ""
        var requestId = ""
        package var reason = AnswerFailure.failed
        /// HTTP status of the AI's response; `nil` without a response.
        var httpStatus: Int64?
        package var tags: [Tag] {
            [userTag(userId), sessionTag(sessionId), Tag("ai-request", requestId)]
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sessionId", &sessionId, "userId", &userId, "requestId", &requestId)
            try field("reason", &reason)
            try field("httpStatus", &httpStatus, .httpStatus)
        }

        package func sentence(_ wording: Wording) -> String {
            let cause =
                switch reason {
                case .notConfigured: "not configured"
                case .failed: "an error"
                case .timedOut: "not in time"
                }
            return "\(httpStatus.answer)no answer from the AI: \(cause)"
        }
    }

    /// Records that the AI did not answer, and releases the reserved credits in the same commit.
    ///
    /// Also works on a closed chat, because another chat may have replaced it in the meantime.
    struct FailAnswer: SessionCommand {
        static let name = "chat.fail-answer"
        var sessionId = ""
        var requestId = ""
        var reason = AnswerFailure.notConfigured
        var httpStatus: Int64?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sessionId", &sessionId, "requestId", &requestId, "reason", &reason)
            try field("httpStatus", &httpStatus, .httpStatus)
        }

        func decide(
            _ chats: Conversations.State, now: Instant
        ) throws(Refusal) -> [Conversations.Event] {
            let session = try chats.session(sessionId)
            let released = try chats.account.release(session.userId, session.householdId, requestId)
            return [
                .answerFailed(
                    AnswerFailed(
                        sessionId: sessionId, userId: session.userId, requestId: requestId,
                        reason: reason, httpStatus: httpStatus)),
                .account(.creditsReleased(released)),
            ]
        }
    }
}

extension Limit {
    /// Accepted tokens of a question or an answer: half of the limit for both together.
    static let halfOfTokens = Limit(values: 0...500_000_000)
}
