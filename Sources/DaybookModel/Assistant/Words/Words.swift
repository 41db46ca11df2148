import Daybook

extension Assistant {
    /// The recognised words and numbers of a spoken or written command, in English and Korean.
    ///
    /// Source: S4's app, which finds words anywhere in the text, even inside other words.
    struct Words: Hashable, Sendable {
        /// Words that ask to record an entry.
        static let recordingWords: Set = [
            "기록", "저장", "추가", "입력", "등록", "record", "log", "save", "add", "track",
        ]

        /// Text in lower case.
        private let text: String
        /// Known words of the text; `nil` under `rules: source`, which also finds parts of words.
        private let heardWords: HeardWords?
        /// Amount and duration that the text states.
        private let quantities: SpokenQuantities

        /// Recognises the words and numbers of a text by the rules.
        init(_ text: String, _ rules: Rules) {
            let isStrict = rules == .standard
            self.text = (isStrict ? text.nfc : text).lowercased()
            heardWords = isStrict ? HeardWords(self.text) : nil
            quantities = SpokenQuantities(self.text, rules)
        }

        /// True if the text has any of the words.
        func contains(_ words: String...) -> Bool { containsAny(of: words) }

        /// True if the text has any of the words.
        private func containsAny(of words: some Sequence<String>) -> Bool {
            if let heardWords { return words.contains { heardWords.contains($0) } }
            return words.contains { text.utf8.firstRange(of: $0.utf8) != nil }
        }

        /// True if the words directly follow each other; false under `rules: source`.
        private func contains(phrase words: String...) -> Bool {
            heardWords?.contains(phrase: words) ?? false
        }

        /// True if the text has a word that asks to record an entry.
        var asksForEntry: Bool { containsAny(of: Self.recordingWords) }

        /// True if the text may be a negation, a question, or a request to show or delete an entry.
        ///
        /// A memo may contain such words; it is doubtful only if it begins or ends with a request
        /// to show or delete.
        func isDoubtful(_ tile: Tile) -> Bool {
            guard let heardWords else { return false }
            let commands = ["삭제", "조회", "지워", "보여", "delete", "show"]
            if tile == .memo { return commands.contains { heardWords.isCommand($0) } }
            return text.contains { "?？".contains($0) }
                || containsAny(of: commands)
                || contains("안", "못", "않", "언제", "not", "what", "when")
        }

        /// True if the text contains `daily summary`.
        var asksForDailySummary: Bool {
            contains("daily summary") || contains(phrase: "daily", "summary")
        }

        /// True if the text contains `ml`.
        var namesMillilitres: Bool { contains("ml") }

        /// Type of entry that the text names; `nil` if it names none.
        var tile: Tile? {
            if contains("formula", "분유") { return .formula }
            if contains("breast", "breastfeed", "모유") { return .breastfeed }
            if contains("weaning", "solid", "이유식") { return .weaning }
            if contains("diaper", "pee", "poo", "기저귀", "소변", "대변", "오줌", "응가", "똥") {
                return .diaper
            }
            if contains("sleep", "잠", "수면", "기상", "잠들") { return .sleep }
            if contains("medication", "medicine", "투약") || namesMedicine { return .medication }
            if contains("memo", "note", "메모") { return .memo }
            return nil
        }

        /// True if the text has `약` (medicine); before a duration `약` means "about".
        private var namesMedicine: Bool {
            guard heardWords != nil else { return contains("약") }
            return contains("약") && !quantities.hasApproximateTime
        }

        /// Content of a diaper that the text names; `nil` if it names none.
        var diaper: Diaper? {
            if contains("대변", "응가", "똥", "poo", "stool") { return .poo }
            if contains("소변", "오줌", "pee", "urine") { return .pee }
            return nil
        }

        /// Start or end of a sleep, whichever the text names; `nil` if it names neither.
        var sleep: SleepAction? {
            let starts =
                contains("수면시작", "잠시작", "재우기 시작", "잠들", "sleep start", "start sleep")
                || contains(phrase: "수면", "시작") || contains(phrase: "잠", "시작")
                || contains(phrase: "재우", "시작") || contains(phrase: "sleep", "start")
                || contains(phrase: "start", "sleep")
            if starts { return .start }
            let ends =
                contains("수면종료", "잠종료", "기상", "깼", "wake", "woke", "sleep end", "stop sleep")
                || contains(phrase: "수면", "종료") || contains(phrase: "잠", "종료")
                || contains(phrase: "sleep", "end") || contains(phrase: "stop", "sleep")
            return ends ? .end : nil
        }

        /// Amount in millilitres, read from `120ml`, `120 cc` or `120밀리`; `nil` if none is certain.
        var amountMl: Int64? { quantities.amountMl.value }

        /// Duration in minutes, read from `1시간 30분` or `1 hour 30 min`; `nil` if none is certain.
        var durationMin: Int64? { quantities.durationMin.value }

        /// True if the duration is a range, a fraction, or a negative or spelled-out number.
        var isDurationUnclear: Bool { quantities.durationMin.isUnclear }
    }
}
