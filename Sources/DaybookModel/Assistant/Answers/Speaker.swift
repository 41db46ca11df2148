package import Daybook

extension Assistant {
    /// An answer in words.
    package struct Spoken: PlainRecord {
        var question = Question.none
        package var tone = Tone.neutral
        /// Sentence that is spoken or shown.
        package var dialog = ""
        /// Note on the records that the answer is based on.
        package var reference = ""
        /// Point in time that the answer is computed for.
        package var now = Instant.epoch
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("question", &question, "tone", &tone, "dialog", &dialog)
            try field("reference", &reference, "nowUs", &now)
        }
    }

    /// A generator of spoken answers to questions about a baby.
    ///
    /// Times are in the baby's zone, with the date if it is another day. Under `rules: source`
    /// times are in UTC without a date, and open and cancelled entries are included, except in the
    /// answers about the last feeding, sleep, diaper and medication.
    struct Speaker: Sendable {
        private let reporter: BabyCare.Reporter
        private let tone: Tone
        private let now: Instant

        init(_ reporter: BabyCare.Reporter, _ tone: Tone, at now: Instant) {
            self.reporter = reporter
            self.tone = tone
            self.now = now
        }

        /// Returns the answer to a question; for the question `none` its sentence and note are
        /// empty.
        func answer(_ question: Question) -> Spoken {
            let (dialog, reference) = texts(of: question)
            return Spoken(
                question: question, tone: tone, dialog: dialog, reference: reference, now: now)
        }

        /// Returns the answer to a Siri intent; a name other than the three supported intents gets
        /// the sentence `Unsupported intent.`
        func answer(intent: String) -> Spoken {
            guard let question = Question(intent: intent) else {
                return Spoken(
                    tone: tone, dialog: "Unsupported intent.", reference: "intent_name", now: now)
            }
            return answer(question)
        }

        /// Returns the answer to a question, and a note on the records that it is based on.
        private func texts(of question: Question) -> (dialog: String, reference: String) {
            switch question {
            case .none: ("", "")
            case .nextFeeding: nextFeeding
            case .today: today
            case .lastPoo: lastPoo
            case .lastFeeding:
                latestEntry(
                    "feeding", (\.feeding, names: true), recent: "Latest feeding",
                    logged: "feeding event (FORMULA or BREASTFEED)")
            case .recentSleep:
                latestEntry(
                    "sleep", (\.sleep, names: false), recent: "Most recent sleep",
                    logged: "sleep event for this baby", word: "Recent sleep")
            case .lastDiaper:
                latestEntry(
                    "diaper", (\.diaper, names: true), recent: "Latest diaper event",
                    logged: "diaper event (PEE or POO)")
            case .lastMedication:
                latestEntry(
                    "medication", (\.medication, names: false), recent: "Latest medication event",
                    logged: "medication event for this baby")
            }
        }
    }
}

extension Assistant.Speaker {
    /// Returns a time as text: `07:10`, or `07:10 on 2026-02-19` for another day. Under `rules:
    /// source` the time is in UTC: `22:10 UTC`.
    private func clockText(_ instant: Instant) -> String {
        guard reporter.rules == .standard else {
            return "\(Zone.utc.local(at: instant).text.dropFirst(11).prefix(5)) UTC"
        }
        let (day, time) = reporter.localDayAndTime(instant)
        return day == reporter.localDayAndTime(now).day ? time : "\(time) on \(day)"
    }

    /// Answer to the question when the next feeding is due.
    private var nextFeeding: (dialog: String, reference: String) {
        let next = reporter.nextFeeding(at: now)
        guard let eta = next.etaMin, let average = next.averageMin else {
            return (
                "Need more feeding logs to calculate ETA.",
                "At least two feeding records are required."
            )
        }
        let dialog = tone.text(
            friendly: "Next feeding is in about \(eta) minutes.",
            formal: "The recommended next feeding time is in \(eta) minutes.",
            brief: "ETA \(eta)m.")
        let every = "avg \(average / 60)h \(average % 60)m"
        return (dialog, "Computed from \(next.feedCount) recent feeding events (\(every)).")
    }

    /// Answer to the question how many entries today has.
    private var today: (dialog: String, reference: String) {
        let count = reporter.dayCount(at: now)
        let (poo, pee) = (Self.countText(count.poo), Self.countText(count.pee))
        let dialog = tone.text(
            friendly: "Today: \(count.entries) events, poo \(poo), pee \(pee).",
            formal: "Today's summary includes \(count.entries) events, with poo \(poo) and pee "
                + "\(pee).",
            brief: "Today: \(count.entries) events.")
        return (dialog, "Derived from today's confirmed events.")
    }

    private static func countText(_ count: Int64?) -> String {
        count.map { "\($0)" } ?? "not recorded"
    }

    /// Answer to the question when the last poo was.
    private var lastPoo: (dialog: String, reference: String) {
        guard let poo = reporter.latest(at: now).poo else {
            return ("No poo logs yet.", "No confirmed poo events are available.")
        }
        let clock = clockText(poo.started)
        let dialog = tone.text(
            friendly: "Last poo was at \(clock).",
            formal: "The latest recorded poo event time is \(clock).", brief: "Last poo: \(clock).")
        return (dialog, "Based on confirmed event logs.")
    }

    /// Returns the answer to the question when the last entry of a type was, such as a feeding.
    ///
    /// - Parameters:
    ///   - selection: The path to the latest entry of the type, and true to name the entry's kind.
    ///   - logged: Words for the entries in the reference, such as `sleep event for this baby`.
    private func latestEntry(
        _ noun: String, _ selection: (KeyPath<BabyCare.LatestOfAll, BabyCare.Latest?>, names: Bool),
        recent: String, logged: String, word: String? = nil
    ) -> (dialog: String, reference: String) {
        guard let latest = reporter.latest(at: now)[keyPath: selection.0] else {
            return ("No \(noun) records yet.", "No confirmed \(noun) events are stored yet.")
        }
        let (clock, kind) = (clockText(latest.started), latest.kind.name)
        let type = kind.uppercased()
        let word = word ?? "Last \(noun)"
        let dialog = tone.text(
            friendly: "\(recent)\(selection.names ? " (\(kind))" : "") was logged at \(clock).",
            formal: selection.names
                ? "The most recent \(noun) event type is \(type) at \(clock)."
                : "The latest recorded \(noun) event time is \(clock).",
            brief: "\(word): \(selection.names ? "\(type) at " : "")\(clock).")
        return (dialog, "Latest confirmed \(logged).")
    }
}
