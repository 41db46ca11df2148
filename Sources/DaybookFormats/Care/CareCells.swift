import Daybook
import DaybookModel

/// The cells of one row by column name, with methods that parse times and amounts.
struct CareCells {
    /// Columns of the file, by name.
    let columns: CSVColumns
    /// Cells of the row, in the order of the columns.
    let values: [String]
    /// Zone of local times without an offset.
    let zone: Zone
    /// Rules that normalise the texts of the file.
    let rules: InputRules

    /// The cell without surrounding white space; empty if the file lacks the column.
    subscript(name: String) -> String {
        guard let index = columns[name] else { return "" }
        return values[index].trimmed
    }

    /// True if the file has a column of this name, even if its cell is empty.
    func hasColumn(_ name: String) -> Bool { columns[name] != nil }

    /// Returns the cells of the named columns, joined by line breaks, as one personal text.
    ///
    /// Returns `nil` if all of them are empty.
    func note(_ names: String...) -> PersonalText? {
        let text = names.map { self[$0] }.filter { !$0.isEmpty }.joined(separator: "\n")
        return text.isEmpty ? nil : PersonalText(rules.normalise(text))
    }

    // MARK: Times

    /// A time from a cell, with the flag of a local time that is ambiguous or does not exist.
    struct Moment {
        /// The time itself; for an ambiguous local time the earlier reading.
        var instant: Instant
        /// Doubt about a local time near a clock change; `nil` for a certain time.
        var flag: BabyCare.TimeFlag?
        /// Later reading of an ambiguous time; `nil` for any other time.
        var later: Instant?
    }

    /// Parses the time in a cell, in the zone of the file unless it has an offset.
    ///
    /// Returns `nil` for an empty cell; throws an error for an unknown format.
    func moment(_ name: String) throws(CareFile.Reason) -> Moment? {
        let text = self[name]
        guard !text.isEmpty else { return nil }
        if let exact = Timestamp.parse(text.replacingSpace) {
            return Moment(instant: exact.instant)
        }
        guard let (local, fractionUs) = LocalText.read(text) else {
            throw CareFile.Reason(
                "unreadableTime", name, "expected a date and time, found '\(text.prefix(60))'")
        }
        let resolution = zone.resolve(local)
        var moment = Moment(instant: resolution.standard.advanced(byMicroseconds: fractionUs))
        switch resolution {
        case .unique: break
        case .ambiguous(_, let later):
            moment.flag = .ambiguous
            moment.later = later.advanced(byMicroseconds: fractionUs)
        case .nonexistent: moment.flag = .nonexistent
        }
        return moment
    }

    /// Parses the time in a cell; an empty cell is an error.
    func requiredMoment(_ name: String) throws(CareFile.Reason) -> Moment {
        guard let moment = try moment(name) else {
            throw CareFile.Reason("unreadableTime", name, "is empty")
        }
        return moment
    }

    /// Creates an entry with the times in the columns named `start` and `end`.
    ///
    /// If an ambiguous end lies before the start, its later reading is used. A sleep without an end
    /// stays open.
    func entry(
        _ kind: BabyCare.Kind, _ start: String, _ end: String?
    ) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        let started = try requiredMoment(start)
        var entry = BabyCare.ImportedEntry(kind, started: started.instant)
        entry.startFlag = started.flag
        if let end, let ended = try moment(end) {
            entry.ended = ended.instant
            entry.endFlag = ended.flag
            if ended.instant < started.instant, let later = ended.later { entry.ended = later }
        }
        if kind == .sleep, entry.ended == nil { entry.state = .open }
        return entry
    }

    // MARK: Amounts

    /// Splits a quantity like `8 oz` into its number and its unit, as texts.
    ///
    /// - Parameter name: the column that an error names.
    /// - Throws: an error if a non-empty text does not start with a number.
    func split(
        _ text: String, _ name: String
    ) throws(CareFile.Reason) -> (number: String, unit: String) {
        let number = text.prefix { $0.isNumber || ".,+-".contains($0) }
        guard text.isEmpty || !number.isEmpty else { _ = try amount(nil, name); return ("", "") }
        return (String(number), text.dropFirst(number.count).trimmed)
    }

    /// Parses the name of a unit, such as `oz`; an unknown unit is an error in the column `name`.
    func unit(_ text: String, _ name: String) throws(CareFile.Reason) -> BabyCare.AmountUnit {
        guard let unit = BabyCare.AmountUnit(name: text) else {
            throw CareFile.Reason("unknownUnit", name, "'\(text.prefix(60))' is not a unit")
        }
        return unit
    }

    /// Returns a parsed amount, or throws an error in the column `name` if it is `nil` or negative.
    func amount(_ value: Int64?, _ name: String) throws(CareFile.Reason) -> Int64 {
        guard let value, value >= 0 else {
            throw CareFile.Reason(
                "unreadableAmount", name, "expected an amount, found '\(self[name].prefix(60))'")
        }
        return value
    }

    /// Reads a number of minutes as whole seconds; `nil` for an empty cell.
    func minutes(_ name: String) throws(CareFile.Reason) -> Int64? {
        let text = self[name]
        guard !text.isEmpty else { return nil }
        return try amount(BabyCare.seconds(ofMinutes: text), name)
    }

    /// Reads `h:mm`, `h:mm:ss` or a number of minutes as whole seconds; `nil` for an empty cell.
    func duration(_ name: String) throws(CareFile.Reason) -> Int64? {
        let text = self[name]
        guard text.contains(":") else { return try minutes(name) }
        guard let numbers = LocalText.clock(text[...]) else { return try amount(nil, name) }
        return Int64(numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0))
    }

    /// Parses `1`, `0`, `true`, `false`, `yes` or `no`; an empty cell is `false`.
    func isTrue(_ name: String) throws(CareFile.Reason) -> Bool {
        switch self[name].lowercased() {
        case "1", "true", "yes", "y": return true
        case "", "0", "false", "no", "n": return false
        default:
            throw CareFile.Reason(
                "unreadableFlag", name, "expected 1 or 0, found '\(self[name].prefix(60))'")
        }
    }
}

/// Parses local dates and times without an offset, in the formats of the apps.
enum LocalText {
    /// Parses a local time and its fraction of a second; `nil` for an unknown format.
    ///
    /// Formats: `2024-02-29 23:24[:16[.5]]`, `2024-02-29`, `6/30/20 7:44 PM`, `6/30/2020 19:44`.
    static func read(_ text: String) -> (LocalTime, fractionUs: Int64)? {
        var words = text.split { $0.isWhitespace || $0 == "T" || $0 == "\u{202F}" }
        var isAfternoon: Bool?
        if let last = words.last?.uppercased(), last == "AM" || last == "PM" {
            isAfternoon = last == "PM"
            words.removeLast()
        }
        guard (1...2).contains(words.count), let date = date(words[0]) else { return nil }
        guard words.count == 2 else {
            return isAfternoon == nil ? (LocalTime(date: date, secondOfDay: 0), 0) : nil
        }
        guard let (second, fractionUs) = time(words[1], isAfternoon) else { return nil }
        return (LocalTime(date: date, secondOfDay: second), fractionUs)
    }

    /// Parses numbers of one to four digits; `nil` if any part is not such a number.
    private static func numbers(_ text: Substring, _ separator: Character) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let isDigits = parts.allSatisfy { part in
            (1...4).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) }
        }
        return isDigits ? parts.compactMap { Int($0) } : nil
    }

    /// Parses `2024-02-29`, `6/30/20` or `6/30/2020`, with the month before the day.
    private static func date(_ text: Substring) -> CivilDate? {
        if let slash = text.lastIndex(of: "/") {
            guard let parts = numbers(text, "/"), parts.count == 3 else { return nil }
            let year: Int
            switch text[slash...].dropFirst().count {
            case 2: year = 2_000 + parts[2]
            case 4: year = parts[2]
            default: return nil
            }
            return CivilDate(year: year, month: parts[0], day: parts[1])
        }
        guard let parts = numbers(text, "-"), parts.count == 3, parts[0] >= 1_000 else {
            return nil
        }
        return CivilDate(year: parts[0], month: parts[1], day: parts[2])
    }

    /// Parses two or three numbers separated by colons; `nil` for any other text.
    ///
    /// All numbers after the first have two digits and are below 60.
    static func clock(_ text: Substring) -> [Int]? {
        guard let parts = numbers(text, ":"), (2...3).contains(parts.count),
            text.split(separator: ":" as Character).dropFirst().allSatisfy({ $0.utf8.count == 2 }),
            parts.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        return parts
    }

    /// Parses a time of day as the second of the day and the fraction in microseconds.
    ///
    /// - Parameter isAfternoon: true after `PM`, false after `AM`, `nil` for a 24-hour clock.
    private static func time(_ text: Substring, _ isAfternoon: Bool?) -> (Int, Int64)? {
        var whole = text
        var fractionUs: Int64 = 0
        if let point = text.firstIndex(of: ".") {
            let digits = text[text.index(after: point)...]
            guard (1...6).contains(digits.count), digits.utf8.allSatisfy({ (48...57).contains($0) })
            else { return nil }
            fractionUs = Scalar("0.\(digits)").scaled(toPowerOfTen: 6) ?? 0
            whole = text[..<point]
        }
        guard let parts = clock(whole) else { return nil }
        var hour = parts[0]
        if let isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard hour < 24 else { return nil }
        return (hour * 3_600 + parts[1] * 60 + (parts.count == 3 ? parts[2] : 0), fractionUs)
    }
}

extension String {
    /// This text with its first space replaced by `T`; RFC 3339 allows either.
    var replacingSpace: String {
        guard let space = firstIndex(of: " ") else { return self }
        return replacingCharacter(at: space)
    }

    /// Returns the text with `T` in place of the character at the index.
    private func replacingCharacter(at index: Index) -> String {
        self[..<index] + "T" + self[self.index(after: index)...]
    }
}
