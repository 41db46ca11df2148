extension Assistant {
    /// The known words of a text in order, even if no spaces separate them.
    ///
    /// A run of letters consists of known words only if they cover the whole run: `약먹였어` is the
    /// noun `약` and a verb, while `예약` is a different noun. If the beginning of a Korean run is
    /// unknown, such as a name, the rest of the run counts if it starts with a known word of two or
    /// more syllables and has a verb, a word that asks for an entry, or a number after the run.
    struct HeardWords: Equatable, Sendable {
        /// Known words in order; `nil` for a run of unknown letters.
        private let words: [String?]

        /// Splits a text into known words and runs of unknown letters.
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
                    script: script, letters: letters, isAfterNumber: before?.isDigit ?? false,
                    isBeforeNumber: letters.endIndex < scalars.count
                        && scalars[letters.endIndex].isDigit)
                words += run.words
                index = letters.endIndex
            }
            self.words = words
        }

        /// True if the text has any variant of the known word, given by its first variant in the
        /// lexicon.
        func contains(_ word: String) -> Bool { words.contains(word) }

        /// True if the words of `phrase` directly follow each other.
        func contains(phrase: [String]) -> Bool {
            words.indices.contains { start in
                words[start...].starts(with: phrase.lazy.map { Optional($0) })
            }
        }
    }
}

extension Assistant.HeardWords {
    /// The script of a letter: Korean or any other.
    fileprivate enum Script {
        case hangul, other

        /// Creates the script of a letter; `nil` for a character that separates words.
        init?(_ scalar: Unicode.Scalar) {
            guard scalar.properties.isAlphabetic else { return nil }
            self = scalar.isHangul ? .hangul : .other
        }
    }

    /// An uninterrupted sequence of letters of one script.
    fileprivate struct Run {
        let script: Script
        /// Letters of the run, with their indices in the whole text.
        let letters: ArraySlice<Unicode.Scalar>
        /// True if a number precedes the run, with at most white space between them.
        let isAfterNumber: Bool
        /// True if a number directly follows the run.
        let isBeforeNumber: Bool

        /// The kind of the last piece of the run that was read; it determines the pieces that may
        /// follow.
        fileprivate enum State: Int { case start, word, verb }

        /// Known words of the run in order; `nil` for unknown letters.
        var words: [String?] {
            let isKnownFrom = knownSuffixes()
            var start = letters.startIndex
            if !isKnownFrom[0][State.start.rawValue] {
                guard let later = startOfKnownSuffix(isKnownFrom) else { return [nil] }
                start = later
            }
            let unknown: [String?] = start == letters.startIndex ? [] : [nil]
            return unknown + wordNames(from: start, isKnownFrom)
        }

        /// Returns a table by index and state: true if the letters from the index to the end
        /// consist of known words.
        private func knownSuffixes() -> [[Bool]] {
            // Nothing is left at the end; the rows before it are set from the last to the first.
            var isKnownFrom = [[Bool]](repeating: [true, true, true], count: letters.count + 1)
            for index in letters.indices.reversed() {
                for state in [State.start, .word, .verb] {
                    isKnownFrom[index - letters.startIndex][state.rawValue] =
                        entry(at: index, state, isKnownFrom) != nil
                }
            }
            return isKnownFrom
        }

        /// Returns the first index from which all letters are known; `nil` if they may be known by
        /// chance. The known letters must start with a word of two or more letters, and have a
        /// verb, a word that asks for an entry, or a number after them.
        private func startOfKnownSuffix(_ isKnownFrom: [[Bool]]) -> Int? {
            guard script == .hangul else { return nil }
            let start = letters.indices.dropFirst().first { start in
                let first = entry(at: start, .start, isKnownFrom)?.entry
                return first?.role == .word && first?.scalars.count ?? 0 > 1
            }
            guard let start else { return nil }
            let hasVerbOrRequest = entries(from: start, isKnownFrom).contains {
                $0.role == .stem || Assistant.Words.recordingWords.contains($0.name)
            }
            return hasVerbOrRequest || isBeforeNumber ? start : nil
        }

        /// Returns the names of the words from an index to the end, without particles and endings.
        private func wordNames(from start: Int, _ isKnownFrom: [[Bool]]) -> [String?] {
            entries(from: start, isKnownFrom)
                .filter { [.word, .stem, .unit, .negation].contains($0.role) }
                .map(\.name)
        }

        /// Returns the lexicon entries of all pieces from an index to the end of the run.
        private func entries(
            from start: Int, _ isKnownFrom: [[Bool]]
        ) -> [Assistant.Lexicon.Entry] {
            var (heard, index, state) = ([Assistant.Lexicon.Entry](), start, State.start)
            while let (entry, after) = entry(at: index, state, isKnownFrom) {
                heard.append(entry)
                (index, state) = (index + entry.scalars.count, after)
            }
            return heard
        }

        /// Returns the longest known piece at an index after which all letters are known too, and
        /// the state after the piece; `nil` if there is none.
        private func entry(
            at index: Int, _ state: State, _ isKnownFrom: [[Bool]]
        ) -> (entry: Assistant.Lexicon.Entry, after: State)? {
            for entry in Assistant.Lexicon.spoken.entries(of: letters[index...]) {
                guard let after = state.following(entry.role, self, at: index),
                    isKnownFrom[index + entry.scalars.count - letters.startIndex][after.rawValue]
                else { continue }
                return (entry, after)
            }
            return nil
        }
    }
}

extension Assistant.HeardWords.Run.State {
    /// Returns the state after a piece with this role; `nil` if the piece is not allowed here.
    fileprivate func following(
        _ role: Assistant.Lexicon.Role, _ run: Assistant.HeardWords.Run, at index: Int
    ) -> Self? {
        switch role {
        case .word, .negation: .word
        case .stem: .verb
        case .particle: self == .start ? nil : .word
        case .ending: self == .verb ? .verb : nil
        case .unit: index == run.letters.startIndex && run.isAfterNumber ? .word : nil
        }
    }
}
