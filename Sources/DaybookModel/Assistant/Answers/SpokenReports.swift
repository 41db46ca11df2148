package import Daybook

extension Assistant {
    /// Reports of the assistant, in the order in which they are listed.
    package static let reports = [
        ReportDescription(AskReport.self), ReportDescription(SiriReport.self),
        ReportDescription(BixbyReport.self),
    ]

    /// A report that answers a question asked in free text.
    package struct AskReport: CareReport, PlainRecord {
        package typealias Answer = Spoken
        package static let name = "ask"
        package static let summary = "The quick answer to a question, in words"
        package static let clock: String? = "nowUs"
        package static let positional: String? = "question"
        package var baby = ""
        /// Name of the time zone of the answer; `nil` means the baby's own zone.
        package var zone: String?
        /// Question in English or Korean, such as `when is the next feeding?` or `마지막 수유`.
        var question = ""
        /// Tone of the answer: `friendly`, `neutral` (default), `formal`, `brief` or `coach`.
        package var tone: String?
        /// Point in time that the answer is for; `nil` means the recording time of the last event.
        package var now: Instant?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone, "question", &question, "tone", &tone)
            try field("nowUs", &now, .any)
        }

        package func answer(
            by reporter: BabyCare.Reporter, _ context: ReportContext
        ) throws(ReportError) -> Spoken {
            let known = Question(question, rules: reporter.rules.isOfSource ? .source : .standard)
            guard known != .none else {
                throw .unanswerable("no quick answer fits the question '\(question.prefix(60))'")
            }
            return Speaker(reporter, Tone(tone), at: now ?? context.knownAt).answer(known)
        }
    }

    /// A report that answers a Siri intent.
    package struct SiriReport: CareReport, PlainRecord {
        package typealias Answer = Spoken
        package static let name = "siri"
        package static let summary = "The dialog that Siri speaks for an intent"
        package static let clock: String? = "nowUs"
        package static let positional: String? = "intent"
        package var baby = ""
        package var zone: String?
        /// Name of the intent: `GetLastPooTime`, `GetNextFeedingEta` or `GetTodaySummary`.
        package var intent = ""
        package var tone: String?
        package var now: Instant?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone, "intent", &intent, "tone", &tone)
            try field("nowUs", &now, .any)
        }

        package func answer(
            by reporter: BabyCare.Reporter, _ context: ReportContext
        ) throws(ReportError) -> Spoken {
            Speaker(reporter, Tone(tone), at: now ?? context.knownAt).answer(intent: intent.trimmed)
        }
    }

    /// A report that answers a Bixby action; an unknown action gets the summary of the day.
    package struct BixbyReport: CareReport, PlainRecord {
        package typealias Answer = Spoken
        package static let name = "bixby"
        package static let summary = "The answer that Bixby speaks for an action"
        package static let clock: String? = "nowUs"
        package static let positional: String? = "action"
        package var baby = ""
        package var zone: String?
        /// Name of the action, which is that of a Siri intent, such as `GetLastPooTime`.
        var action = ""
        package var tone: String?
        package var now: Instant?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone, "action", &action, "tone", &tone)
            try field("nowUs", &now, .any)
        }

        package func answer(
            by reporter: BabyCare.Reporter, _ context: ReportContext
        ) throws(ReportError) -> Spoken {
            let action = action.trimmed
            guard !action.isEmpty else {
                throw .invalid(argument: "action", "capsule_action and baby_id are required")
            }
            return Speaker(reporter, Tone(tone), at: now ?? context.knownAt)
                .answer(Question(intent: action) ?? .today)
        }
    }
}
