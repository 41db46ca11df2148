extension Assistant {
    /// A reader that divides a command into phrases, each of whose meanings is known.
    ///
    /// Speech and typing leave out blanks between Korean words, and between a verb and its auxiliary.
    struct SentenceReader {
        /// A phrase at a place of the text.
        struct Part {
            let meaning: Phrase.Meaning
            /// Index after the phrase.
            let end: Int
        }

        /// Characters of the text, with one blank for white space of any length.
        let letters: [Unicode.Scalar]

        /// Prepares a text in lower case.
        init(_ text: String) {
            let words = text.unicodeScalars.split { $0.properties.isWhitespace }
            letters = Array(words.joined(separator: [" "]))
        }

        /// Meanings of all phrases in order; `nil` if the phrases do not cover the text.
        var meanings: [Phrase.Meaning]? {
            var parts = [Part?](repeating: nil, count: letters.count)
            for start in letters.indices.reversed() {
                parts[start] = self.parts(at: start).first {
                    $0.end == letters.count || parts[$0.end] != nil
                }
            }
            var meanings: [Phrase.Meaning] = []
            var index = 0
            while index < letters.count {
                guard let part = parts[index] else { return nil }
                meanings.append(part.meaning)
                index = part.end
            }
            return meanings
        }

        /// Returns the phrases that may begin at an index, the longest first.
        func parts(at start: Int) -> [Part] {
            if isPause(at: start) { return [Part(meaning: .pause, end: start + 1)] }
            let phrases = Phrase.known[letters[start]] ?? []
            return quantities(at: start)
                + phrases.compactMap { phrase in
                    end(of: phrase, at: start).map { Part(meaning: phrase.meaning, end: $0) }
                }
        }

        /// Returns the index after a phrase that begins at `start`; `nil` if it does not.
        private func end(of phrase: Phrase, at start: Int) -> Int? {
            guard var end = end(of: phrase.scalars, at: start, isVerb: phrase.isVerb) else {
                return nil
            }
            guard !phrase.isWord || !isLatin(at: start - 1) && !isLatin(at: end) else { return nil }
            // `기록해줘~` is friendly, while `10분~` is an open range.
            if phrase.meaning == .request { while letter(at: end) == "~" { end += 1 } }
            return end
        }

        /// Returns the index after a word that begins at `start`; `nil` if it does not. A Korean
        /// verb may have blanks inside, as in `기록해 줘`.
        private func end(
            of word: some Sequence<Unicode.Scalar>, at start: Int, isVerb: Bool = false
        ) -> Int? {
            var index = start
            for scalar in word {
                if isVerb, index > start, letter(at: index) == " ", scalar.isHangul { index += 1 }
                guard letter(at: index) == scalar else { return nil }
                index += 1
            }
            return index
        }

        /// Returns the character at an index; `nil` outside of the text.
        private func letter(at index: Int) -> Unicode.Scalar? {
            letters.indices.contains(index) ? letters[index] : nil
        }

        private func isLetter(at index: Int) -> Bool {
            letter(at: index)?.properties.isAlphabetic ?? false
        }

        private func isLatin(at index: Int) -> Bool {
            isLetter(at: index) && !(letter(at: index)?.isHangul ?? false)
        }

        /// True for a blank or a mark between phrases.
        private func isPause(at index: Int) -> Bool { letters[index] == " " || isMark(at: index) }

        /// True for a mark between phrases, but not for a sign, a decimal point or a range.
        private func isMark(at index: Int) -> Bool {
            let (before, after) = (letter(at: index - 1), letter(at: index + 1))
            switch letters[index] {
            case ".": return !(after?.isDigit ?? false)
            case ",", ":", ";", "!": return !(after?.isDigit ?? false) || isLetter(at: index - 1)
            case _ where letters[index].isDash:
                return isLetter(at: index - 1) || before ?? " " == " " && after ?? " " == " "
            default: return false
            }
        }
    }
}

extension Assistant.SentenceReader {
    /// A unit of a number.
    private enum Unit: CaseIterable {
        case millilitres, hours, minutes, grams

        /// Greatest number of digits before the unit.
        var maxDigits: Int {
            switch self {
            case .millilitres, .grams: 4
            case .hours: 2
            case .minutes: 3
            }
        }

        /// Spoken and written forms, each before those that it begins with.
        var forms: [String] {
            switch self {
            case .millilitres: ["mls", "ml", "cc", "㎖", "밀리리터", "밀리"]
            case .hours: ["시간", "hours", "hour", "hrs", "hr"]
            case .minutes: ["분", "minutes", "minute", "mins", "min"]
            case .grams: ["그램", "grams", "gram", "g"]
            }
        }
    }

    /// True if a number before millilitres stands anywhere in the text, outside of a longer number.
    var hasAmount: Bool {
        letters.indices.contains { start in
            (letter(at: start - 1) ?? " " == " " || isLetter(at: start - 1))
                && number(at: start, of: .millilitres) != nil
        }
    }

    /// Returns the quantity at an index, with and without a particle.
    private func quantities(at start: Int) -> [Part] {
        guard let quantity = duration(at: start) ?? amount(at: start) else { return [] }
        let particles = ["정도", "쯤", "동안", "을", "를", "은", "는", "이", "가", "으로", "로", "간", "만"]
        let longer = particles.compactMap { end(of: $0.unicodeScalars, at: quantity.end) }
        return longer.map { Part(meaning: quantity.meaning, end: $0) } + [quantity]
    }

    /// Returns the amount or the mass at an index.
    private func amount(at start: Int) -> Part? {
        if let volume = number(at: start, of: .millilitres) {
            return Part(meaning: .quantity(.amountMl, volume.value), end: volume.end)
        }
        return number(at: start, of: .grams).map {
            Part(meaning: .quantity(.grams, $0.value), end: $0.end)
        }
    }

    /// Returns the duration at an index: hours, minutes, or both; `약` (about) may precede it.
    private func duration(at start: Int) -> Part? {
        var start = start
        if letters[start] == "약", !isLetter(at: start - 1) { start = indexAfterBlank(start + 1) }
        guard let hours = number(at: start, of: .hours) else {
            return number(at: start, of: .minutes).map {
                Part(meaning: .quantity(.durationMin, $0.value), end: $0.end)
            }
        }
        var (value, end) = (hours.value * 60, hours.end)
        let next = indexAfterBlank(end)
        let afterAnd = self.end(of: "and ".unicodeScalars, at: next) ?? next
        if letter(at: next) == "반" {
            (value, end) = (value + 30, next + 1)
        } else if let minutes = number(at: afterAnd, of: .minutes) {
            (value, end) = (value + minutes.value, minutes.end)
        }
        return Part(meaning: .quantity(.durationMin, value), end: end)
    }

    /// Returns the whole, positive number before a unit, and the index after the unit.
    private func number(at start: Int, of unit: Unit) -> (value: Int64, end: Int)? {
        let digits = letters[min(start, letters.count)...].prefix { $0.isDigit }
        guard digits.count <= unit.maxDigits,
            let value = Int64(String(String.UnicodeScalarView(digits))), value > 0
        else { return nil }
        let place = indexAfterBlank(digits.endIndex)
        for form in unit.forms {
            guard let end = end(of: form.unicodeScalars, at: place) else { continue }
            return isLatin(at: end - 1) && isLatin(at: end) ? nil : (value, end)
        }
        return nil
    }

    private func indexAfterBlank(_ index: Int) -> Int {
        letter(at: index) == " " ? index + 1 : index
    }
}

extension Assistant.SentenceReader {
    /// True if a request to record frames the free text of a memo, such as `메모 첫 미소 저장` or
    /// `save a note: first smile`.
    ///
    /// - Parameter hasDoubt: True if the text may be a denial, a question or another command. A mark
    ///   must then separate the text from the request.
    func framesMemo(hasDoubt: Bool) -> Bool {
        let frame: Set<Assistant.Phrase.Meaning> = [.pause, .filler, .request, .entry(.memo)]
        var (start, opening) = (0, Set<Assistant.Phrase.Meaning>())
        while start < letters.count, !opening.contains(.entry(.memo)),
            let part = parts(at: start).first(where: { frame.contains($0.meaning) })
        {
            opening.insert(part.meaning)
            start = part.end
        }
        let isNamedFirst = opening.contains(.entry(.memo))
        if isNamedFirst, opening.contains(.request) {
            return !hasDoubt || start < letters.count && isMark(at: start)
        }
        guard let request = finalRequest else { return false }
        let before = letters[..<request].lastIndex { $0 != " " }
        return !hasDoubt || isNamedFirst && (before.map { isMark(at: $0) } ?? false)
    }

    /// The index of a request that ends the text.
    private var finalRequest: Int? {
        letters.indices.last { start in
            !isLetter(at: start - 1)
                && parts(at: start).contains { part in
                    part.meaning == .request
                        && letters.indices[part.end...].allSatisfy { isPause(at: $0) }
                }
        }
    }
}

extension Unicode.Scalar {
    /// True for the digits 0 to 9 of ASCII.
    var isDigit: Bool { ("0"..."9").contains(self) }
    /// True for a Korean syllable.
    var isHangul: Bool { ("\u{AC00}"..."\u{D7A3}").contains(self) }
    /// True for a hyphen, a dash or a minus sign.
    fileprivate var isDash: Bool {
        self == "-" || ("\u{2010}"..."\u{2014}").contains(self) || self == "\u{2212}"
    }
}
