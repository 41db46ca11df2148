extension ZoneRule {
    /// Parses a rule like `<-03>3<-02>,M3.5.0/-2,M10.5.0/-1`; `nil` for any other text.
    ///
    /// Times of more than 24 hours are allowed, as in version 3 of the TZif format. A rule with
    /// daylight saving time must have the days on which it starts and ends, because POSIX does not
    /// define the meaning of other rules.
    init?(_ text: some Collection<UInt8>) {
        var reader = Reader(bytes: Array(text))
        guard reader.skipAbbreviation(), let standard = reader.readTime(limitHours: 24) else {
            return nil
        }
        standardS = -standard
        guard !reader.isAtEnd else {
            saving = nil
            return
        }
        guard reader.skipAbbreviation() else { return nil }
        var offsetS = standardS + 3_600
        if reader.peek != UInt8(ascii: ",") {
            guard let ahead = reader.readTime(limitHours: 24) else { return nil }
            offsetS = -ahead
        }
        guard let start = reader.readDay(), let end = reader.readDay(), reader.isAtEnd else {
            return nil
        }
        saving = Saving(offsetS: offsetS, start: start, end: end)
    }

    /// A reader of the names, times and days of a rule, from left to right.
    ///
    /// Its limits keep offsets within `Stretch.offsets`.
    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        /// True if all bytes have been read.
        var isAtEnd: Bool { index == bytes.count }
        /// The next byte, which is not skipped; `nil` if no byte is left.
        var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

        /// Skips `character` if it comes next; returns false if another character comes next.
        mutating func consume(_ character: Unicode.Scalar) -> Bool {
            guard peek == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        /// Skips a zone abbreviation like `EST` or `<+03>`; returns false if none comes next.
        ///
        /// An abbreviation has three or more letters; in angle brackets also digits and signs.
        mutating func skipAbbreviation() -> Bool {
            let isQuoted = consume("<")
            let start = index
            while let byte = peek, Self.isLetter(byte) || isQuoted && Self.isDigitOrSign(byte) {
                index += 1
            }
            return index - start >= 3 && (!isQuoted || consume(">"))
        }

        private static func isLetter(_ byte: UInt8) -> Bool {
            (65...90).contains(byte) || (97...122).contains(byte)
        }

        /// True for a digit, `+` or `-`.
        private static func isDigitOrSign(_ byte: UInt8) -> Bool {
            (48...57).contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        }

        /// Reads a number of up to three digits; `nil` if none comes next, or it is not in `range`.
        mutating func readNumber(_ range: ClosedRange<Int>) -> Int? {
            let start = index
            var value = 0
            while let byte = peek, (48...57).contains(byte), index - start < 3 {
                value = value * 10 + Int(byte - 48)
                index += 1
            }
            return index > start && range.contains(value) ? value : nil
        }

        /// Reads a time `[+-]hh[:mm[:ss]]` in seconds; `nil` if malformed, or beyond `limitHours`.
        mutating func readTime(limitHours: Int) -> Int64? {
            let isNegative = consume("-")
            if !isNegative { _ = consume("+") }
            guard let hours = readNumber(0...limitHours) else { return nil }
            var seconds = Int64(hours) * 3_600
            if consume(":") {
                guard let minutes = readNumber(0...59) else { return nil }
                seconds += Int64(minutes) * 60
                if consume(":") {
                    guard let rest = readNumber(0...59) else { return nil }
                    seconds += Int64(rest)
                }
            }
            return isNegative ? -seconds : seconds
        }

        /// Reads a comma, a day `Jn`, `n` or `Mm.w.d`, and `/time`, which by default is 02:00.
        mutating func readDay() -> Day? {
            guard consume(",") else { return nil }
            let form: Day.Form
            if consume("J") {
                guard let number = readNumber(1...365) else { return nil }
                form = .julian(number)
            } else if consume("M") {
                guard let month = readNumber(1...12), consume("."), let week = readNumber(1...5),
                    consume("."), let weekday = readNumber(0...6)
                else { return nil }
                form = .weekday(month: month, week: week, weekday: weekday)
            } else {
                guard let number = readNumber(0...365) else { return nil }
                form = .zeroBased(number)
            }
            guard consume("/") else { return Day(form: form, timeS: 7_200) }
            guard let timeS = readTime(limitHours: 167) else { return nil }
            return Day(form: form, timeS: timeS)
        }
    }
}
