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
        var words = Array(text.utf8).split {
            $0 == 0x20 || (0x09...0x0D).contains($0) || $0 == UInt8(ascii: "T")
        }
        var isAfternoon: Bool?
        if let last = words.last, last.count == 2, last[last.startIndex + 1] | 0x20 == 0x6D {
            switch last[last.startIndex] | 0x20 {
            case UInt8(ascii: "a"): isAfternoon = false
            case UInt8(ascii: "p"): isAfternoon = true
            default: break
            }
            if isAfternoon != nil { words.removeLast() }
        }
        guard (1...2).contains(words.count), let date = date(words[0]) else { return nil }
        guard words.count == 2 else {
            return isAfternoon == nil ? (LocalTime(date: date, secondOfDay: 0), 0) : nil
        }
        if isAfternoon == nil, words[1].elementsEqual("24:00:00".utf8) {
            return (LocalTime(date: date.adding(days: 1), secondOfDay: 0), 0)
        }
        guard let (second, fractionUs) = time(words[1], isAfternoon) else { return nil }
        return (LocalTime(date: date, secondOfDay: second), fractionUs)
    }

    /// Parses numbers of one to four digits between separators; `nil` if the text between two
    /// separators is not such a number.
    private static func numbers(
        _ text: ArraySlice<UInt8>, _ separator: Unicode.Scalar
    ) -> [Number]? {
        var numbers: [Number] = []
        numbers.reserveCapacity(3)
        var number = Number()
        for byte in text {
            if byte == UInt8(ascii: separator) {
                guard number.digitCount > 0 else { return nil }
                numbers.append(number)
                number = Number()
            } else {
                guard (48...57).contains(byte), number.digitCount < 4 else { return nil }
                number.value = number.value * 10 + Int(byte - 48)
                number.digitCount += 1
            }
        }
        guard number.digitCount > 0 else { return nil }
        numbers.append(number)
        return numbers
    }

    /// Parses `2024-02-29`, `6/30/20` or `6/30/2020`, with the month before the day.
    private static func date(_ text: ArraySlice<UInt8>) -> CivilDate? {
        if text.contains(UInt8(ascii: "/")) {
            guard let parts = numbers(text, "/"), parts.count == 3 else { return nil }
            let year: Int
            switch parts[2].digitCount {
            case 2: year = 2_000 + parts[2].value
            case 4: year = parts[2].value
            default: return nil
            }
            return CivilDate(year: year, month: parts[0].value, day: parts[1].value)
        }
        guard let parts = numbers(text, "-"), parts.count == 3, parts[0].value >= 1_000 else {
            return nil
        }
        return CivilDate(year: parts[0].value, month: parts[1].value, day: parts[2].value)
    }

    /// Parses a clock text such as `7:44` or `7:44:16` into its two or three numbers. The numbers
    /// after the first must have two digits and be below 60. Returns `nil` for any other text.
    static func clockNumbers(_ text: Substring) -> [Int]? {
        clockParts(ArraySlice(text.utf8))?.map(\.value)
    }

    /// Parses a clock text as `clockNumbers` does.
    private static func clockParts(_ text: ArraySlice<UInt8>) -> [Number]? {
        guard let parts = numbers(text, ":"), (2...3).contains(parts.count),
            parts.dropFirst().allSatisfy({ $0.digitCount == 2 && $0.value < 60 })
        else { return nil }
        return parts
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
        guard let parts = clockParts(whole) else { return nil }
        var hour = parts[0].value
        if let isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard hour < 24 else { return nil }
        let second = parts.count == 3 ? parts[2].value : 0
        return (hour * 3_600 + parts[1].value * 60 + second, fractionUs)
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
