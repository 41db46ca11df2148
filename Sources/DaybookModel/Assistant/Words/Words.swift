import Daybook

extension Assistant {
    /// The recognised words and numbers of a spoken or written command, in English and Korean.
    ///
    /// Source: S4's app, which finds words anywhere in the text, even inside other words.
    struct Words: Equatable, Sendable {
        /// Words that ask to record an entry.
        static let recordingWords: Set = [
            "기록", "저장", "추가", "입력", "등록", "record", "log", "save", "add", "track",
        ]

        /// Text in lower case.
        private let text: String
        /// Known words of the text; `nil` under `rules: source`, which also finds parts of words.
        private let heardWords: HeardWords?
        /// The text as a sentence; `nil` if a part is not understood, and under `rules: source`.
        private let sentence: Sentence?

        /// Recognises the words and numbers of a text by the rules.
        init(_ text: String, _ rules: Rules) {
            let isStrict = rules == .standard
            self.text = (isStrict ? text.nfc : text).lowercased()
            heardWords = isStrict ? HeardWords(self.text) : nil
            sentence = isStrict ? Sentence(self.text) : nil
        }

        func contains(_ words: String...) -> Bool { containsAny(of: words) }

        private func containsAny(of words: some Sequence<String>) -> Bool {
            if let heardWords { return words.contains { heardWords.contains($0) } }
            return words.contains { text.utf8.firstRange(of: $0.utf8) != nil }
        }

        var asksForEntry: Bool { containsAny(of: Self.recordingWords) }

        /// True if the text asks to record an entry of the type.
        ///
        /// By the standard rules the whole text must be understood. A memo is free text, which the
        /// request frames.
        ///
        /// - Parameter isChosen: True if the user chose the type, which needs no further request.
        func isRequest(for tile: Tile, isChosen: Bool) -> Bool {
            guard let heardWords else { return isChosen || asksForEntry }
            if tile != .memo {
                return sentence.map { $0.fits(tile) && (isChosen || $0.isRequest) } ?? false
            }
            let doubts = [
                "안", "못", "않", "언제", "not", "what", "when", "should", "삭제", "조회", "지워", "보여",
                "delete", "show",
            ]
            let hasDoubt = doubts.contains { heardWords.contains($0) }
            let isFramed = SentenceReader(text).framesMemo(hasDoubt: hasDoubt)
            return !text.contains { "?？".contains($0) }
                && (isFramed || isChosen && !asksForEntry && !hasDoubt)
        }

        /// True if the text contains `daily summary`.
        var asksForDailySummary: Bool {
            contains("daily summary")
                || heardWords?.contains(phrase: ["daily", "summary"]) ?? false
        }

        var namesMillilitres: Bool { contains("ml") }

        /// Type of entry that the text names; `nil` if it names none.
        var tile: Tile? {
            if let tile = sentence?.tile { return tile }
            if contains("formula", "분유") { return .formula }
            if contains("breast", "breastfeed", "모유") { return .breastfeed }
            if contains("weaning", "solid", "이유식") { return .weaning }
            if contains("diaper", "pee", "poo", "기저귀", "소변", "대변", "오줌", "응가", "똥") {
                return .diaper
            }
            if contains("sleep", "잠", "수면", "기상", "잠들") { return .sleep }
            if heardWords != nil {
                if contains("stool", "urine") { return .diaper }
                if contains("nap") { return .sleep }
            }
            if contains("medication", "medicine", "투약") { return .medication }
            // In a sentence that is understood without medicine, `약` means "about".
            if sentence == nil, contains("약") { return .medication }
            if contains("memo", "note", "메모") { return .memo }
            let hasAmount =
                heardWords == nil ? quantities.amountMl != nil : SentenceReader(text).hasAmount
            return hasAmount ? .formula : nil
        }
    }
}

extension Assistant.Words {
    /// Values for an entry that the text states; by the standard rules none if a part of the text
    /// is not understood.
    var values: Assistant.ActionValues {
        guard heardWords == nil else {
            return Assistant.ActionValues(
                amountMl: sentence?.amountMl, durationMin: sentence?.durationMin,
                diaper: sentence?.diaper, sleep: sentence?.sleep, grams: sentence?.grams)
        }
        let quantities = quantities
        return Assistant.ActionValues(
            amountMl: quantities.amountMl, durationMin: quantities.durationMin, diaper: diaper,
            sleep: sleep)
    }

    /// Amount and duration by the source's rules.
    private var quantities: Assistant.SpokenQuantities { Assistant.SpokenQuantities(text) }

    /// Content of a diaper by the source's rules.
    private var diaper: Assistant.Diaper? {
        if contains("대변", "응가", "똥", "poo", "stool") { return .poo }
        if contains("소변", "오줌", "pee", "urine") { return .pee }
        return nil
    }

    /// Start or end of a sleep by the source's rules.
    private var sleep: Assistant.SleepAction? {
        if contains("수면시작", "잠시작", "재우기 시작", "잠들", "sleep start", "start sleep") { return .start }
        let isEnd = contains("수면종료", "잠종료", "기상", "깼", "wake", "woke", "sleep end", "stop sleep")
        return isEnd ? .end : nil
    }
}
