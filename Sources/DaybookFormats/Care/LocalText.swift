import Daybook

/// Parses local dates and times without an offset, in the formats that the apps export.
enum LocalText {
    /// A number with the count of its digits.
    private struct Number {
        var value = 0
        var digitCount = 0
    }

    /// Parses a local time and its fraction of a second in microseconds; `nil` unless the text has
    /// one of these formats: `2024-02-29 23:24[:16[.5]]`, `2024-02-29`, `6/30/20 7:44 PM`,
    /// `6/30/2020 19:44`; 24:00:00 is the start of the next day.
    static func read(_ text: String) -> (LocalTime, fractionUs: Int64)? {
        // Newer files have a narrow blank before `AM` and `PM`.
        let text = text.isASCII ? text : String(text.map { $0.isWhitespace ? " " : $0 })
        var rest = Array(text.utf8)[...]
        guard let first = nextWord(&rest), let date = date(first) else { return nil }
        var (clock, last) = (nextWord(&rest), nextWord(&rest))
        guard nextWord(&rest) == nil else { return nil }
        if last == nil, let word = clock, half(word) != nil { (clock, last) = (nil, word) }
        let isAfternoon = last.flatMap(half)
        guard (last == nil) == (isAfternoon == nil) else { return nil }
        guard let clock else {
            return last == nil ? (LocalTime(date: date, secondOfDay: 0), 0) : nil
        }
        if last == nil, clock.elementsEqual("24:00:00".utf8) {
            return (LocalTime(date: date.adding(days: 1), secondOfDay: 0), 0)
        }
        guard let (second, fractionUs) = time(clock, isAfternoon) else { return nil }
        return (LocalTime(date: date, secondOfDay: second), fractionUs)
    }

    /// Removes and returns the first word of a text, which ends before white space or a `T`; `nil`
    /// if there is none.
    private static func nextWord(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        func isSeparator(_ byte: UInt8) -> Bool {
            byte == 0x20 || (0x09...0x0D).contains(byte) || byte == UInt8(ascii: "T")
        }
        text = text.drop(while: isSeparator)
        let word = text.prefix { !isSeparator($0) }
        text = text[word.endIndex...]
        return word.isEmpty ? nil : word
    }

    /// True for `PM`, false for `AM`, in any case; `nil` for another word.
    private static func half(_ word: ArraySlice<UInt8>) -> Bool? {
        guard word.count == 2, word[word.startIndex + 1] | 0x20 == UInt8(ascii: "m") else {
            return nil
        }
        switch word[word.startIndex] | 0x20 {
        case UInt8(ascii: "a"): return false
        case UInt8(ascii: "p"): return true
        default: return nil
        }
    }

    /// Parses two or three numbers of one to four digits between separators; `nil` for any other
    /// text.
    private static func numbers(
        _ text: ArraySlice<UInt8>, _ separator: Unicode.Scalar
    ) -> (Number, Number, third: Number?)? {
        var first: Number?
        var second: Number?
        var number = Number()
        for byte in text {
            if byte == UInt8(ascii: separator) {
                guard number.digitCount > 0, second == nil else { return nil }
                (first, second) = first == nil ? (number, nil) : (first, number)
                number = Number()
            } else {
                guard (48...57).contains(byte), number.digitCount < 4 else { return nil }
                number.value = number.value * 10 + Int(byte - 48)
                number.digitCount += 1
            }
        }
        guard number.digitCount > 0, let first else { return nil }
        guard let second else { return (first, number, nil) }
        return (first, second, number)
    }

    /// Parses `2024-02-29`, `6/30/20` or `6/30/2020`, with the month before the day.
    private static func date(_ text: ArraySlice<UInt8>) -> CivilDate? {
        if text.contains(UInt8(ascii: "/")) {
            guard let (month, day, third) = numbers(text, "/"), let year = third else { return nil }
            switch year.digitCount {
            case 2: return CivilDate(year: 2_000 + year.value, month: month.value, day: day.value)
            case 4: return CivilDate(year: year.value, month: month.value, day: day.value)
            default: return nil
            }
        }
        guard let (year, month, third) = numbers(text, "-"), let day = third, year.value >= 1_000
        else { return nil }
        return CivilDate(year: year.value, month: month.value, day: day.value)
    }

    /// Parses a clock text such as `7:44` or `7:44:16` into its two or three numbers. The numbers
    /// after the first must have two digits and be below 60. Returns `nil` for any other text.
    static func clockNumbers(_ text: Substring) -> [Int]? {
        clockParts(ArraySlice(text.utf8)).map { hour, minute, second in
            [hour, minute] + (second.map { [$0] } ?? [])
        }
    }

    /// Parses a clock text as `clockNumbers` does.
    private static func clockParts(
        _ text: ArraySlice<UInt8>
    ) -> (hour: Int, minute: Int, second: Int?)? {
        func isSixtieth(_ part: Number) -> Bool { part.digitCount == 2 && part.value < 60 }
        guard let (hour, minute, second) = numbers(text, ":"), isSixtieth(minute),
            second.map(isSixtieth) ?? true
        else { return nil }
        return (hour.value, minute.value, second?.value)
    }

    /// Parses a time of day; returns the second of the day and the fraction in microseconds.
    ///
    /// Returns `nil` if the text is not a time of day.
    ///
    /// - Parameter isAfternoon: true after `PM`, false after `AM`, `nil` for a 24-hour clock.
    private static func time(_ text: ArraySlice<UInt8>, _ isAfternoon: Bool?) -> (Int, Int64)? {
        var whole = text
        var fractionUs: Int64 = 0
        if let point = text.firstIndex(of: UInt8(ascii: ".")) {
            let digits = text[(point + 1)...]
            guard (1...6).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) })
            else { return nil }
            for digit in digits { fractionUs = fractionUs * 10 + Int64(digit - 48) }
            for _ in digits.count..<6 { fractionUs *= 10 }
            whole = text[..<point]
        }
        guard case (var hour, let minute, let second)? = clockParts(whole) else { return nil }
        if let isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard hour < 24 else { return nil }
        return (hour * 3_600 + minute * 60 + (second ?? 0), fractionUs)
    }
}

extension String {
    /// True if the text contains a word of ASCII letters; by bytes, if the text itself is ASCII.
    func contains(asciiWord word: String) -> Bool {
        guard isASCII else { return contains(word) }
        return withUTF8Bytes { text in
            word.withUTF8Bytes { word in
                guard word.count <= text.count else { return false }
                for start in 0...text.count - word.count {
                    var index = 0
                    while index < word.count, text[start + index] == word[index] { index += 1 }
                    if index == word.count { return true }
                }
                return false
            }
        }
    }
}
