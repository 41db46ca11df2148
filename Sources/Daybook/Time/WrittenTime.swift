/// A point in time or a range of days as people write it: `2026-03-03 14:00`, `yesterday`, `-2h`.
///
/// | text | meaning |
/// |---|---|
/// | `2026-07-12T12:00:00Z`, `2026-07-12 14:00+02:00` | a point in time with its offset from UTC |
/// | `2026-03-03 14:00`, `monday 9:30`, `14:00:05.250 +02:00` | a local time, to its last digit |
/// | `2026-03-03`, `today`, `yesterday`, `tomorrow`, `monday` | a day |
/// | `2026-W10`, `this week`, `last week` | a week, from Monday |
/// | `2026-03`, `this month`, `last month` | a month |
/// | `now`, `-2h`, `+30m`, `2 days ago` | a point in time relative to now |
///
/// A weekday means today or the last such day before today. A time given in days or weeks relative
/// to now has the present local time of day.
package enum WrittenTime: Hashable, Sendable {
    /// One point in time.
    case moment(Instant)
    /// The minute, second or fraction that a local time names, from its start, in microseconds; with
    /// a doubt if the clocks showed it twice or never, and the start is the one usually meant.
    case clock(Instant, lengthUs: Int64, LocalTimeDoubt?)
    /// Whole days from a first to a last day, both included.
    case days(CivilDate, through: CivilDate)

    /// Parses a text of the table above, relative to `now` or local in `zone`; `nil` for any other.
    public init?(_ text: String, now: Instant, in zone: Zone) {
        if let time = Timestamp.parse(text) {
            self = .moment(time.instant)
            return
        }
        guard text.utf8.count <= 100 else { return nil }
        let words = text.lowercased().split(whereSeparator: { $0 == " " || $0 == "_" })
            .map(String.init)
        let reader = Reader(now: now, zone: zone)
        guard
            let time = reader.parseRelative(words) ?? reader.parseDays(words)
                ?? reader.parseLocalTime(words)
        else { return nil }
        self = time
    }

    /// True if a text is an RFC 3339 time, whose meaning depends neither on a zone nor on `now`.
    public static func isExact(_ text: String) -> Bool { Timestamp.parse(text) != nil }

    /// Returns the point in time, or the first microsecond of a local time or of the first day.
    public func start(in zone: Zone) -> Instant {
        switch self {
        case .moment(let instant), .clock(let instant, _, _): instant
        case .days(let first, _): zone.start(of: first)
        }
    }

    /// Returns the point in time, or the last microsecond of a local time or of the last day.
    public func end(in zone: Zone) -> Instant {
        switch self {
        case .moment(let instant): instant
        case .clock(let instant, let lengthUs, _): instant.advanced(byMicroseconds: lengthUs - 1)
        case .days(_, let last):
            zone.start(of: last.adding(days: 1)).advanced(byMicroseconds: -1)
        }
    }

    /// Returns the day on which the point in time falls; for days, the first day.
    public func date(in zone: Zone) -> CivilDate {
        switch self {
        case .moment(let instant), .clock(let instant, _, _): zone.day(at: instant)
        case .days(let first, _): first
        }
    }

    /// Returns the day on which the point in time falls; for days, the last day.
    public func lastDate(in zone: Zone) -> CivilDate {
        guard case .days(_, let last) = self else { return date(in: zone) }
        return last
    }
}

/// A parser of texts that mean a time relative to `now` or a local time in `zone`.
private struct Reader {
    /// The point in time to which relative texts such as `-2h` refer.
    let now: Instant
    /// The zone in which local times and days are meant.
    let zone: Zone

    /// The day in `zone` on which `now` falls.
    private var today: CivilDate { zone.day(at: now) }

    // Points in time relative to now.

    /// Parses a time like `now`, `-2h` or `2 days ago`; `nil` for other words.
    func parseRelative(_ words: [String]) -> WrittenTime? {
        if words == ["now"] { return .moment(now) }
        var text = words.joined()
        guard let first = text.first else { return nil }
        let isAgo = text.hasSuffix("ago")
        if isAgo { text.removeLast(3) }
        guard isAgo != (first == "-" || first == "+") else { return nil }
        if !isAgo { text.removeFirst() }
        let sign: Int64 = isAgo || first == "-" ? -1 : 1
        var (days, seconds): (Int64, Int64) = (0, 0)
        var rest = text[...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard digits.count <= 6, let count = Int64(digits) else { return nil }
            switch unit {
            case "s", "sec", "second", "seconds": seconds += count
            case "m", "min", "minute", "minutes": seconds += count * 60
            case "h", "hour", "hours": seconds += count * 3_600
            case "d", "day", "days": days += count
            case "w", "week", "weeks": days += count * 7
            default: return nil
            }
        }
        var moment = now
        if days > 0 {
            let local = zone.local(at: now)
            let date = local.date.adding(days: Int(sign * days))
            let fraction = now.microseconds - now.second * 1_000_000
            moment = zone.instant(of: LocalTime(date: date, secondOfDay: local.secondOfDay))
                .advanced(byMicroseconds: fraction)
        }
        return .moment(moment.advanced(byMicroseconds: sign * seconds * 1_000_000))
    }

    // Days, weeks and months.

    /// Parses a day, week or month, such as `today` or `last week`; `nil` for other words.
    func parseDays(_ words: [String]) -> WrittenTime? {
        switch words {
        case ["this", "week"]: return week(of: today)
        case ["last", "week"]: return week(of: today.adding(days: -7))
        case ["this", "month"]: return month(of: today)
        case ["last", "month"]: return month(of: today.firstOfPreviousMonth)
        default: break
        }
        guard words.count == 1, let word = words.first else { return nil }
        if let date = parseDay(word) { return .days(date, through: date) }
        if let monday = CivilDate.week(text: word.uppercased()) { return week(of: monday) }
        return CivilDate.month(text: word).map(month)
    }

    /// Returns the days of the week that contains a day, from Monday to Sunday.
    private func week(of date: CivilDate) -> WrittenTime {
        let monday = date.startOfWeek(startingOn: .monday)
        return .days(monday, through: monday.adding(days: 6))
    }

    /// Returns the days of the month that contains a day.
    private func month(of date: CivilDate) -> WrittenTime {
        .days(date.firstOfMonth, through: date.firstOfNextMonth.adding(days: -1))
    }

    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// Parses a day like `today`, `monday` or `2026-03-03`; `nil` for other words.
    private func parseDay(_ word: String) -> CivilDate? {
        switch word {
        case "today": return today
        case "yesterday": return today.adding(days: -1)
        case "tomorrow": return today.adding(days: 1)
        default: break
        }
        let names = Self.weekdays
        if let index = names.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
            let back = (today.isoWeekday - (index + 1) + 7) % 7
            return today.adding(days: -back)
        }
        return CivilDate(text: word)
    }

    // Local times.

    /// Parses a local time like `14:00` or `monday at 9:30`; `nil` for other words.
    func parseLocalTime(_ words: [String]) -> WrittenTime? {
        var words = words
        if words.count == 1, let word = words.first, let t = word.firstIndex(of: "t"),
            let date = CivilDate(text: String(word[..<t]))
        {
            words = [date.text, String(word[word.index(after: t)...])]
        }
        if words.count > 1, let sign = words.last?.first, "z+-".contains(sign) {
            let offset = words.removeLast()
            words[words.count - 1] += offset
        }
        if words.count == 3, words[1] == "at" { words.remove(at: 1) }
        guard let clock = words.last, words.count <= 2 else { return nil }
        var date = today
        if words.count == 2 {
            guard let named = parseDay(words[0]) else { return nil }
            date = named
        }
        guard let time = TimeOfDay(clock) else { return nil }
        let local = LocalTime(date: date, secondOfDay: Int(time.startUs / 1_000_000))
        let resolution = (time.offset ?? zone).resolve(local)
        return .clock(
            resolution.standard.advanced(byMicroseconds: time.startUs % 1_000_000),
            lengthUs: time.lengthUs, resolution.doubt)
    }
}

/// A time of day, to the minute, to the second or to a fraction of it.
private struct TimeOfDay {
    /// Start of the named minute, second or fraction, in microseconds after midnight.
    private(set) var startUs: Int64
    /// Length of the named minute, second or fraction, in microseconds.
    private(set) var lengthUs: Int64 = 60_000_000
    /// The offset from UTC that the text names; `nil` if it names none.
    let offset: Zone?

    /// Parses a time like `9:30`, `9:30:05.250` or `9:30+02:00`; `nil` for any other text.
    init?(_ text: String) {
        let end = text.firstIndex { "z+-".contains($0) } ?? text.endIndex
        var zone: Zone?
        if end < text.endIndex {
            var name = text[end...].uppercased()
            if name.count == 5 { name.insert(":", at: name.index(name.startIndex, offsetBy: 3)) }
            guard let fixed = Zone(fixedOffset: name) else { return nil }
            zone = fixed
        }
        offset = zone
        let parts = text[..<end].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), (1...2).contains(parts[0].count),
            let hour = Self.parseNumber(parts[0]), hour < 24, parts[1].count == 2,
            let minute = Self.parseNumber(parts[1]), minute < 60
        else { return nil }
        startUs = hour * 3_600_000_000 + minute * 60_000_000
        guard parts.count == 3 else { return }
        let second = parts[2].split(separator: ".", omittingEmptySubsequences: false)
        guard second[0].count == 2, let whole = Self.parseNumber(second[0]), whole < 60,
            second.count < 3
        else { return nil }
        startUs += whole * 1_000_000
        lengthUs = 1_000_000
        guard second.count == 2 else { return }
        guard (1...9).contains(second[1].count), Self.parseNumber(second[1]) != nil else {
            return nil
        }
        for digit in second[1].utf8.prefix(6) {
            lengthUs /= 10
            startUs += Int64(digit - UInt8(ascii: "0")) * lengthUs
        }
    }

    /// Parses a number of one or more decimal digits; `nil` for any other text.
    private static func parseNumber(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }
}
