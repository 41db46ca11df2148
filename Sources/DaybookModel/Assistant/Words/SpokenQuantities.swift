extension Assistant {
    /// The amount and the duration that a text states.
    ///
    /// The standard rules accept only a complete whole number: no part of a longer number, no
    /// fraction, no range and no negative number. The app accepts any digits before a unit.
    struct SpokenQuantities: Hashable, Sendable {
        /// The result of reading a number with its unit.
        enum Quantity: Hashable, Sendable {
            /// The text has no such number.
            case none
            /// The text states this number.
            case stated(Int64)
            /// The text has a number whose meaning is uncertain, such as a range.
            case unclear

            /// Stated number; `nil` if there is none, or it is unclear.
            var value: Int64? {
                if case .stated(let value) = self { value } else { nil }
            }
            /// True if the meaning of a number is uncertain.
            var isUnclear: Bool { self == .unclear }
        }

        /// Amount in millilitres.
        let amountMl: Quantity
        /// Duration in minutes.
        let durationMin: Quantity
        /// True if `약` (about) precedes a duration, such as `약 10분`.
        let hasApproximateTime: Bool

        /// Reads the amount and the duration of a lower-case text by the rules.
        init(_ text: String, _ rules: Rules) {
            let numbers = NumberReader(text, rules)
            switch numbers.firstNumber(ofDigits: 4, before: ["ml", "cc", "㎖", "밀리"]) {
            case .stated(0): amountMl = .none
            case let amount: amountMl = amount
            }
            let hours = numbers.firstNumber(ofDigits: 2, before: ["시간", "hour", "hr"])
            let minutes = numbers.firstNumber(ofDigits: 3, before: ["분", "min"])
            let half: Int64 = numbers.hasHalf ? 30 : 0
            let total = (hours.value ?? 0) * 60 + half + (minutes.value ?? 0)
            if hours.isUnclear || minutes.isUnclear || numbers.hasSpelledTime {
                durationMin = .unclear
            } else {
                durationMin = total > 0 ? .stated(total) : .none
            }
            hasApproximateTime = numbers.hasApproximateTime
        }
    }
}

/// A reader of numbers that stand before units, such as `120ml`.
private struct NumberReader {
    /// Characters of the text.
    private let scalars: [Unicode.Scalar]
    /// True under the standard rules, which accept only complete whole numbers.
    private let isStrict: Bool

    init(_ text: String, _ rules: Rules) {
        scalars = Array(text.unicodeScalars)
        isStrict = rules == .standard
    }

    /// Returns the first number of at most `maxDigits` digits before one of `units`.
    ///
    /// White space may separate the number and the unit.
    func firstNumber(
        ofDigits maxDigits: Int, before units: [String]
    ) -> Assistant.SpokenQuantities.Quantity {
        var first: Int64?
        for index in scalars.indices {
            let digits = scalars[index...].prefix(maxDigits).prefix { $0.isDigit }
            guard !digits.isEmpty, let unit = unit(at: digits.endIndex, of: units) else { continue }
            if !isStrict || isWhole(digits, unit) {
                first = first ?? Int64(String(String.UnicodeScalarView(digits)))
                if !isStrict { break }
            } else if index == 0 || !scalars[index - 1].isDigit || digits.count == maxDigits {
                return .unclear
            }
        }
        return first.map { .stated($0) } ?? .none
    }

    /// Returns the range of a unit at `index`, after optional white space; `nil` if none follows.
    private func unit(at index: Int, of units: [String]) -> Range<Int>? {
        let start = indexAfterBlanks(from: index)
        for unit in units where scalars[start...].starts(with: unit.unicodeScalars) {
            let end = start + unit.unicodeScalars.count
            // In `120분유` the letter is part of `분유` (formula) and does not mean minutes.
            if isStrict, unit == "분", end < scalars.count, scalars[end] == "유" { continue }
            return start..<end
        }
        return nil
    }

    /// Returns the index of the first character at or after `index` that is not white space.
    private func indexAfterBlanks(from index: Int) -> Int {
        scalars[index...].firstIndex { !$0.properties.isWhitespace } ?? scalars.count
    }

    /// True if the digits are a complete, non-negative number outside of a range.
    ///
    /// False for the `2345` of `12345ml`, the `5` of `1.5ml`, and both numbers of `120-150ml`.
    private func isWhole(_ digits: ArraySlice<Unicode.Scalar>, _ unit: Range<Int>) -> Bool {
        if let before = scalars[..<digits.startIndex].last, before.isDigit { return false }
        if scalars[..<digits.startIndex].last.map({ $0 == "." || $0 == "," }) == true,
            digits.startIndex >= 2, scalars[digits.startIndex - 2].isDigit
        {
            return false
        }
        return !isBelowZeroOrRangeEnd(digits.startIndex) && !isRangeStart(unit.upperBound)
    }

    /// True if a minus sign, the word minus, or the dash of a range precedes `start`.
    private func isBelowZeroOrRangeEnd(_ start: Int) -> Bool {
        guard let dash = scalars[..<start].lastIndex(where: { !$0.properties.isWhitespace })
        else { return false }
        if hasWord(["minus", "마이너스"], endingAt: dash) { return true }
        guard scalars[dash].isDash else { return false }
        guard let before = scalars[..<dash].lastIndex(where: { !$0.properties.isWhitespace })
        else { return true }
        if scalars[before].isDigit || endsWithUnit(before) { return true }
        // The dash of `formula-120ml` and `formula - 120ml` separates; in `formula -120ml` it is a
        // minus.
        let isApart = before < dash - 1
        return isApart ? dash == start - 1 : !scalars[before].properties.isAlphabetic
    }

    /// True if a dash and a number follow `end`, as in `120ml-150ml`.
    private func isRangeStart(_ end: Int) -> Bool {
        let dash = indexAfterBlanks(from: end)
        guard dash < scalars.count, scalars[dash].isDash else { return false }
        let next = indexAfterBlanks(from: dash + 1)
        return next < scalars.count && scalars[next].isDigit
    }

    /// True if a number with a unit, such as `120ml`, ends at the index.
    private func endsWithUnit(_ index: Int) -> Bool {
        ["ml", "cc", "㎖", "밀리", "시간", "hour", "hours", "hr", "분", "min"].contains { unit in
            guard hasWord([unit], endingAt: index) else { return false }
            let before = scalars[...index].dropLast(unit.unicodeScalars.count)
            return before.last { !$0.properties.isWhitespace }?.isDigit ?? false
        }
    }

    /// True if one of the words ends at the index.
    private func hasWord(_ words: [String], endingAt index: Int) -> Bool {
        words.contains { word in
            scalars[...index].suffix(word.unicodeScalars.count).elementsEqual(word.unicodeScalars)
        }
    }
}

extension NumberReader {
    /// True if the text has a number of hours and a half, such as `1시간 반`.
    var hasHalf: Bool {
        guard isStrict else { return false }
        return indicesAfter(["시간"]).contains { place, isNumber in
            let half = indexAfterBlanks(from: place)
            guard isNumber, half < scalars.count, scalars[half] == "반" else { return false }
            guard half + 1 < scalars.count else { return true }
            let next = scalars[half + 1]
            return !next.properties.isAlphabetic || "자잤동정쯤을이만수".unicodeScalars.contains(next)
        }
    }

    /// True if the text has a duration with its number in words, as `한 시간` or `half an hour`.
    var hasSpelledTime: Bool {
        guard isStrict else { return false }
        let words = [
            "한", "두", "세", "네", "다섯", "여섯", "몇", "반", "a", "an", "one", "two", "three", "four",
            "five", "half", "few",
        ]
        for unit in ["시간", "hour", "min"] {
            for start in indices(of: unit) {
                guard let last = scalars[..<start].lastIndex(where: { !$0.properties.isWhitespace })
                else { continue }
                let isSpelled = words.contains { word in
                    let first = last + 1 - word.unicodeScalars.count
                    return hasWord([word], endingAt: last)
                        && (first == 0 || !scalars[first - 1].properties.isAlphabetic)
                }
                if isSpelled { return true }
            }
        }
        return false
    }

    /// True if a number of hours or minutes follows `약` (about).
    var hasApproximateTime: Bool {
        guard isStrict else { return false }
        return indices(of: "약").contains { place in
            let start = indexAfterBlanks(from: place + 1)
            let digits = scalars[start...].prefix { $0.isDigit }
            guard !digits.isEmpty,
                place == 0 || !scalars[place - 1].properties.isAlphabetic
            else { return false }
            return unit(at: digits.endIndex, of: ["시간", "분"]) != nil
        }
    }

    /// Returns the index of each occurrence of a word.
    private func indices(of word: String) -> [Int] {
        let letters = Array(word.unicodeScalars)
        return scalars.indices.filter { scalars[$0...].starts(with: letters) }
    }

    /// Returns the index after each occurrence of the words, and true if a number precedes the
    /// word.
    private func indicesAfter(_ words: [String]) -> [(Int, Bool)] {
        words.flatMap { word in
            indices(of: word).map { start in
                let before = scalars[..<start].last { !$0.properties.isWhitespace }
                return (start + word.unicodeScalars.count, before?.isDigit ?? false)
            }
        }
    }
}

extension Unicode.Scalar {
    /// True for a hyphen, a dash, a minus sign or a tilde.
    fileprivate var isDash: Bool {
        "-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}~\u{301C}\u{FF5E}\u{FF0D}".unicodeScalars
            .contains(self)
    }
}
