extension Assistant {
    /// The known words of a text in their order, with or without blanks between them.
    ///
    /// Letters that stand together are known words only where nothing of them is left over: `약먹였어`
    /// is a noun and a verb, `예약` is another noun. Where the beginning is not known, as a name,
    /// words of two syllables or more are heard in front of a verb or a number.
    struct HeardWords: Hashable, Sendable {
        /// A known word; `nil` for letters that are none.
        private let words: [String?]

        init(_ text: String) {
            var words: [String?] = []
            let scalars = Array(text.unicodeScalars)
            var index = 0
            while index < scalars.count {
                guard let script = Script(scalars[index]) else {
                    index += 1
                    continue
                }
                let letters = scalars[index...].prefix { Script($0) == script }
                let before = scalars[..<index].last { !$0.properties.isWhitespace }
                let run = Run(
                    script: script, letters: letters,
                    isBehindNumber: before?.isDigit ?? false,
                    isBeforeNumber: letters.endIndex < scalars.count
                        && scalars[letters.endIndex].isDigit)
                words += run.words
                index = letters.endIndex
            }
            self.words = words
        }

        func contains(_ word: String) -> Bool { words.contains(word) }

        /// True for a word that the text begins with, as English commands do, or ends with, as
        /// Korean ones do.
        func isCommand(_ word: String) -> Bool {
            let isAuxiliary = { (word: String?) in ["했", "줬", "됐"].contains(word) }
            return words.first == word || words.last { !isAuxiliary($0) } == word
        }

        /// True where the words of `phrase` follow each other.
        func contains(phrase: [String]) -> Bool {
            words.indices.contains { start in
                words[start...].starts(with: phrase.lazy.map { Optional($0) })
            }
        }
    }
}

extension Assistant.HeardWords {
    /// The scripts of the known words.
    fileprivate enum Script {
        case hangul, other

        /// `nil` for what separates words.
        init?(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "\u{AC00}"..."\u{D7A3}": self = .hangul
            case _ where scalar.properties.isAlphabetic: self = .other
            default: return nil
            }
        }
    }

    /// Letters of one script without anything between them.
    fileprivate struct Run {
        let script: Script
        let letters: ArraySlice<Unicode.Scalar>
        let isBehindNumber: Bool
        let isBeforeNumber: Bool

        /// The last piece that was heard, which says what may follow.
        fileprivate enum State: Int { case start, word, verb }

        var words: [String?] {
            let reaches = reachable()
            var start = letters.startIndex
            if !reaches[0][State.start.rawValue] {
                guard let later = knownEnd(reaches) else { return [nil] }
                start = later
            }
            let unknown: [String?] = start == letters.startIndex ? [] : [nil]
            return unknown + pieces(from: start, reaches)
        }

        /// For each place and state, whether the letters from there on are known words.
        private func reachable() -> [[Bool]] {
            var reaches = [[Bool]](
                repeating: [false, false, false], count: letters.count + 1)
            reaches[letters.count] = [true, true, true]
            for index in letters.indices.reversed() {
                for state in [State.start, .word, .verb] {
                    reaches[index - letters.startIndex][state.rawValue] =
                        entry(at: index, state, reaches) != nil
                }
            }
            return reaches
        }

        /// The first place from which on all is known: a word of two letters or more, and with it
        /// a verb, a word that asks for an entry, or a number.
        private func knownEnd(_ reaches: [[Bool]]) -> Int? {
            guard script == .hangul else { return nil }
            let start = letters.indices.dropFirst().first { start in
                let first = entry(at: start, .start, reaches)?.entry
                return first?.role == .word && first?.scalars.count ?? 0 > 1
            }
            guard let start else { return nil }
            let says = entries(from: start, reaches).contains {
                $0.role == .stem || Assistant.Words.asking.contains($0.name)
            }
            return says || isBeforeNumber ? start : nil
        }

        private func pieces(from start: Int, _ reaches: [[Bool]]) -> [String?] {
            entries(from: start, reaches)
                .filter { [.word, .stem, .unit, .negation].contains($0.role) }
                .map(\.name)
        }

        private func entries(
            from start: Int, _ reaches: [[Bool]]
        ) -> [Assistant.Lexicon.Entry] {
            var (heard, index, state) = ([Assistant.Lexicon.Entry](), start, State.start)
            while let (entry, after) = entry(at: index, state, reaches) {
                heard.append(entry)
                (index, state) = (index + entry.scalars.count, after)
            }
            return heard
        }

        /// The longest piece after which the rest is known too.
        private func entry(
            at index: Int, _ state: State, _ reaches: [[Bool]]
        ) -> (entry: Assistant.Lexicon.Entry, after: State)? {
            for entry in Assistant.Lexicon.spoken.entries(of: letters[index...]) {
                guard let after = state.following(entry.role, self, at: index),
                    reaches[index + entry.scalars.count - letters.startIndex][after.rawValue]
                else { continue }
                return (entry, after)
            }
            return nil
        }
    }
}

extension Assistant.HeardWords.Run.State {
    /// The state behind a piece of a role; `nil` where it may not stand.
    fileprivate func following(
        _ role: Assistant.Lexicon.Role, _ run: Assistant.HeardWords.Run, at index: Int
    ) -> Self? {
        switch role {
        case .word, .negation: .word
        case .stem: .verb
        case .particle: self == .start ? nil : .word
        case .ending: self == .verb ? .verb : nil
        case .unit: index == run.letters.startIndex && run.isBehindNumber ? .word : nil
        }
    }
}

extension Unicode.Scalar {
    var isDigit: Bool { ("0"..."9").contains(self) }
}
