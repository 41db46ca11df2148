import EventSourcing

extension Assistant {
    /// The words of a spoken or written command, in English and Korean.
    ///
    /// Source: the app behind S4, whose words may stand anywhere in the text.
    struct Words: Hashable, Sendable {
        private let text: String
        /// False takes digits out of the middle of a number, as the app does.
        private let isStrict: Bool

        init(_ text: String, _ rules: Rules) {
            self.text = text.lowercased()
            isStrict = rules == .standard
        }

        func contains(_ words: String...) -> Bool {
            words.contains { text.utf8.firstRange(of: $0.utf8) != nil }
        }

        /// True for a word that asks to write something down.
        var asksForEntry: Bool {
            contains(
                "기록", "저장", "추가", "입력", "등록", "record", "log", "save", "add", "track")
        }

        var namesMillilitres: Bool { contains("ml") }

        /// The first tile with a word in the text.
        var tile: Tile? {
            if contains("formula", "분유") { return .formula }
            if contains("breast", "모유") { return .breastfeed }
            if contains("weaning", "solid", "이유식") { return .weaning }
            if contains("diaper", "pee", "poo", "기저귀", "소변", "대변", "오줌", "응가", "똥") {
                return .diaper
            }
            if contains("sleep", "잠", "수면", "기상") { return .sleep }
            if contains("medication", "medicine", "투약", "약") { return .medication }
            if contains("memo", "note", "메모") { return .memo }
            return nil
        }

        var diaper: Diaper? {
            if contains("대변", "응가", "똥", "poo", "stool") { return .poo }
            if contains("소변", "오줌", "pee", "urine") { return .pee }
            return nil
        }

        var sleep: SleepAction? {
            if contains("수면시작", "잠시작", "재우기 시작", "잠들", "sleep start", "start sleep") {
                return .start
            }
            let ends = contains(
                "수면종료", "잠종료", "기상", "깼", "wake", "woke", "sleep end", "stop sleep")
            return ends ? .end : nil
        }

        /// Millilitres of `120ml`, `120 cc`, `120밀리`.
        var amountMl: Int64? {
            number(ofDigits: 4, before: ["ml", "cc", "㎖", "밀리"]).flatMap { $0 > 0 ? $0 : nil }
        }

        /// Minutes of `1시간 30분`, `1 hour 30 min`.
        var durationMin: Int64? {
            let hours = number(ofDigits: 2, before: ["시간", "hour", "hr"]) ?? 0
            let minutes = number(ofDigits: 3, before: ["분", "min"]) ?? 0
            let total = hours * 60 + minutes
            return total > 0 ? total : nil
        }

        /// The first number of at most so many digits with a unit behind it, white space between
        /// them allowed.
        private func number(ofDigits most: Int, before units: [String]) -> Int64? {
            let scalars = text.unicodeScalars
            var index = scalars.startIndex
            while index < scalars.endIndex {
                let digits = scalars[index...].prefix(most) { $0.isDigit }
                if !digits.isEmpty, !isStrict || isWhole(digits, in: scalars) {
                    let rest = scalars[digits.endIndex...].drop { $0.properties.isWhitespace }
                    if units.contains(where: { rest.starts(with: $0.unicodeScalars) }) {
                        return Int64(String(String.UnicodeScalarView(digits)))
                    }
                }
                index = scalars.index(after: index)
            }
            return nil
        }

        /// True for digits that are no part of a longer number, nor behind a point: neither the
        /// `2345` of `12345ml` nor the `5` of `1.5ml`.
        private func isWhole(
            _ digits: Substring.UnicodeScalarView, in scalars: String.UnicodeScalarView
        ) -> Bool {
            let before = scalars[..<digits.startIndex].reversed().prefix(2)
            guard let last = before.first else { return true }
            if last.isDigit { return false }
            guard last == "." || last == "," else { return true }
            return !(before.dropFirst().first?.isDigit ?? false)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

extension Collection {
    /// The first elements that are alike, at most so many.
    fileprivate func prefix(_ most: Int, while isMeant: (Element) -> Bool) -> SubSequence {
        prefix(most).prefix(while: isMeant)
    }
}
