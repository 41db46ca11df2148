/// The rule behind the last transition of a zone: `EST5EDT,M3.2.0,M11.1.0`.
///
/// Source: RFC 8536, section 3.3, and POSIX.1-2017, section 8.3, with the hours beyond a day that
/// version 3 of the format allows.
struct ZoneRule: Hashable, Sendable {
    let standardS: Int32
    let saving: Saving?

    struct Saving: Hashable, Sendable {
        let offsetS: Int32
        let start: Day
        let end: Day
    }

    /// A day of the year and a local time of it.
    struct Day: Hashable, Sendable {
        enum Form: Hashable, Sendable {
            /// 1 to 365; 29 February never counts.
            case julian(Int)
            /// 0 to 365.
            case zeroBased(Int)
            /// The week-th weekday (0 for Sunday) of a month; week 5 is the last one.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        let form: Form
        /// Seconds after midnight, before it where negative.
        let timeS: Int64

        /// Seconds since 1970 by the wall's clock.
        func wallSecond(in year: Int) -> Int64 {
            guard let first = CivilDate(year: year, month: 1, day: 1) else { return 0 }
            let day: Int
            switch form {
            case .julian(let number):
                let isLeap = CivilDate.length(ofMonth: 2, in: year) == 29
                day = first.daysSince1970 + number - 1 + (isLeap && number > 59 ? 1 : 0)
            case .zeroBased(let number): day = first.daysSince1970 + number
            case .weekday(let month, let week, let weekday):
                guard let start = CivilDate(year: year, month: month, day: 1) else { return 0 }
                let ahead = (weekday - start.isoWeekday % 7 + 7) % 7
                var date = ahead + (week - 1) * 7
                while date >= CivilDate.length(ofMonth: month, in: year) { date -= 7 }
                day = start.daysSince1970 + date
            }
            return Int64(day) * 86_400 + timeS
        }
    }

    func offset(atSecond second: Int64) -> Int32 {
        guard let saving else { return standardS }
        let year = LocalTime(asUTC: second + Int64(standardS)).date.year
        let start = saving.start.wallSecond(in: year) - Int64(standardS)
        let end = saving.end.wallSecond(in: year) - Int64(saving.offsetS)
        let isSaving =
            start < end ? (start..<end).contains(second) : !(end..<start).contains(second)
        return isSaving ? saving.offsetS : standardS
    }
}

extension ZoneRule {
    /// `nil` for a text that is no such rule.
    init?(_ text: some Collection<UInt8>) {
        var reader = Reader(bytes: Array(text))
        guard reader.name(), let standard = reader.time(limitHours: 24) else { return nil }
        standardS = Int32(-standard)
        guard !reader.isAtEnd else {
            saving = nil
            return
        }
        guard reader.name() else { return nil }
        var offsetS = standardS + 3_600
        if reader.peek != UInt8(ascii: ",") {
            guard let ahead = reader.time(limitHours: 24) else { return nil }
            offsetS = Int32(-ahead)
        }
        guard let start = reader.day(), let end = reader.day(), reader.isAtEnd else { return nil }
        saving = Saving(offsetS: offsetS, start: start, end: end)
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        var isAtEnd: Bool { index == bytes.count }
        var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard peek == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        /// `EST`, `<+03>`.
        mutating func name() -> Bool {
            let start = index
            if take("<") {
                while let byte = peek, byte != UInt8(ascii: ">") { index += 1; _ = byte }
                return take(">") && index - start >= 5
            }
            while let byte = peek, (65...90).contains(byte) || (97...122).contains(byte) {
                index += 1
            }
            return index - start >= 3
        }

        mutating func number(_ range: ClosedRange<Int>) -> Int? {
            let start = index
            var value = 0
            while let byte = peek, (48...57).contains(byte), index - start < 4 {
                value = value * 10 + Int(byte - 48)
                index += 1
            }
            return index > start && range.contains(value) ? value : nil
        }

        /// Seconds of `[+-]hh[:mm[:ss]]`.
        mutating func time(limitHours: Int) -> Int64? {
            let isNegative = take("-")
            if !isNegative { _ = take("+") }
            guard let hours = number(0...limitHours) else { return nil }
            var seconds = Int64(hours) * 3_600
            if take(":") {
                guard let minutes = number(0...59) else { return nil }
                seconds += Int64(minutes) * 60
                if take(":") {
                    guard let rest = number(0...59) else { return nil }
                    seconds += Int64(rest)
                }
            }
            return isNegative ? -seconds : seconds
        }

        mutating func day() -> Day? {
            guard take(",") else { return nil }
            let form: Day.Form
            if take("J") {
                guard let number = number(1...365) else { return nil }
                form = .julian(number)
            } else if take("M") {
                guard let month = number(1...12), take("."), let week = number(1...5),
                    take("."), let weekday = number(0...6)
                else { return nil }
                form = .weekday(month: month, week: week, weekday: weekday)
            } else {
                guard let number = number(0...365) else { return nil }
                form = .zeroBased(number)
            }
            guard take("/") else { return Day(form: form, timeS: 7_200) }
            guard let timeS = time(limitHours: 167) else { return nil }
            return Day(form: form, timeS: timeS)
        }
    }
}
