extension ZoneRule {
    /// Parses a rule like `<-03>3<-02>,M3.5.0/-2,M10.5.0/-1`; `nil` for any other text.
    ///
    /// Hours beyond a day are allowed, as in version 3 of the format. A rule with saving time but
    /// without its days is refused, because POSIX leaves its meaning to each system.
    init?(_ text: some Collection<UInt8>) {
        var reader = Reader(bytes: Array(text))
        guard reader.name(), let standard = reader.time(limitHours: 24) else { return nil }
        standardS = -standard
        guard !reader.isAtEnd else {
            saving = nil
            return
        }
        guard reader.name() else { return nil }
        var offsetS = standardS + 3_600
        if reader.peek != UInt8(ascii: ",") {
            guard let ahead = reader.time(limitHours: 24) else { return nil }
            offsetS = -ahead
        }
        guard let start = reader.day(), let end = reader.day(), reader.isAtEnd else { return nil }
        saving = Saving(offsetS: offsetS, start: start, end: end)
    }

    /// A reader of the parts of a rule, with limits that keep offsets within `Stretch.offsets`.
    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// True if no bytes are left.
        var isAtEnd: Bool { index == bytes.count }
        /// The next byte; `nil` at the end.
        var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

        /// Skips a character and returns true; returns false if another character comes next.
        mutating func consume(_ character: Unicode.Scalar) -> Bool {
            guard peek == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        /// Skips an abbreviation, `EST` or `<+03>`; false if there is none.
        ///
        /// It has three or more letters, and in angle brackets also digits and signs.
        mutating func name() -> Bool {
            let isQuoted = consume("<")
            let start = index
            while let byte = peek, Self.isLetter(byte) || isQuoted && Self.isDigitOrSign(byte) {
                index += 1
            }
            return index - start >= 3 && (!isQuoted || consume(">"))
        }

        /// True for an ASCII letter.
        private static func isLetter(_ byte: UInt8) -> Bool {
            (65...90).contains(byte) || (97...122).contains(byte)
        }

        /// True for a digit, `+` or `-`.
        private static func isDigitOrSign(_ byte: UInt8) -> Bool {
            (48...57).contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        }

        /// Reads a number of up to three digits; `nil` if it is outside the range.
        mutating func number(_ range: ClosedRange<Int>) -> Int? {
            let start = index
            var value = 0
            while let byte = peek, (48...57).contains(byte), index - start < 3 {
                value = value * 10 + Int(byte - 48)
                index += 1
            }
            return index > start && range.contains(value) ? value : nil
        }

        /// Reads a time `[+-]hh[:mm[:ss]]` in seconds.
        mutating func time(limitHours: Int) -> Int64? {
            let isNegative = consume("-")
            if !isNegative { _ = consume("+") }
            guard let hours = number(0...limitHours) else { return nil }
            var seconds = Int64(hours) * 3_600
            if consume(":") {
                guard let minutes = number(0...59) else { return nil }
                seconds += Int64(minutes) * 60
                if consume(":") {
                    guard let rest = number(0...59) else { return nil }
                    seconds += Int64(rest)
                }
            }
            return isNegative ? -seconds : seconds
        }

        /// Reads a comma and a day `Jn`, `n` or `Mm.w.d`, with `/time` unless the time is 02:00.
        mutating func day() -> Day? {
            guard consume(",") else { return nil }
            let form: Day.Form
            if consume("J") {
                guard let number = number(1...365) else { return nil }
                form = .julian(number)
            } else if consume("M") {
                guard let month = number(1...12), consume("."), let week = number(1...5),
                    consume("."), let weekday = number(0...6)
                else { return nil }
                form = .weekday(month: month, week: week, weekday: weekday)
            } else {
                guard let number = number(0...365) else { return nil }
                form = .zeroBased(number)
            }
            guard consume("/") else { return Day(form: form, timeS: 7_200) }
            guard let timeS = time(limitHours: 167) else { return nil }
            return Day(form: form, timeS: timeS)
        }
    }
}
