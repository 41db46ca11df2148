import Daybook
import DaybookModel

/// The cells of one row of a care file by column name, with methods that parse times and amounts.
struct CareCells {
    typealias Reason = CareFile.Reason

    /// Cells of the row as in the file, in the order of the columns.
    let fields: [String]
    /// Cells of the row without escapes and in the form in which texts are stored.
    var values: [String]
    /// The columns and rules of the file.
    let context: RowContext

    var columns: CSVColumns { context.columns }
    var rules: InputRules { context.rules }

    /// The cell in the column `name`, without surrounding white space.
    subscript(name: String) -> String {
        guard let index = context.columns[name] else { return "" }
        let value = values[index]
        // Nothing is cut from a text that begins and ends with a visible ASCII character.
        guard let first = value.utf8.first, let last = value.utf8.last,
            (0x21...0x7E).contains(first), (0x21...0x7E).contains(last)
        else { return value.trimmed }
        return value
    }

    /// True if the file has a column of this name, even if its cell is empty.
    func hasColumn(_ name: String) -> Bool { columns[name] != nil }

    /// Returns the cells of the named columns, joined by line breaks, as one personal text; `nil`
    /// if all these cells are empty.
    func note(_ names: String...) -> PersonalText? {
        var text = ""
        for name in names {
            let cell = self[name]
            if !cell.isEmpty { text += text.isEmpty ? cell : "\n" + cell }
        }
        return text.isEmpty ? nil : PersonalText(rules.normalise(text))
    }

    // MARK: Times

    /// A point in time parsed from a cell, with a flag if a clock change makes it uncertain.
    struct CellTime {
        /// The point in time; for an ambiguous local time, the earlier of the two.
        var instant: Instant
        /// Effect of a change of the clocks: the local time is ambiguous or nonexistent; `nil` if
        /// the point in time is certain.
        var flag: BabyCare.TimeFlag?
        /// The later of the two points in time; `nil` if the local time is not ambiguous.
        var later: Instant?
    }

    /// Parses the date and time in the column `name`, in `zone` unless the text has an offset.
    ///
    /// Returns `nil` for an empty cell.
    ///
    /// - Throws: the reason for the row's rejection, if the text has none of the known formats.
    func time(_ name: String) throws(Reason) -> CellTime? {
        let text = self[name]
        guard !text.isEmpty else { return nil }
        if let exact = LooseTime.parse(text) { return CellTime(instant: exact.instant) }
        guard let (local, fractionUs) = LocalText.read(text) else {
            throw Reason(
                "unreadableTime", name, "expected a date and time, found '\(text.prefix(60))'")
        }
        let resolution = try context.zone(of: self).resolve(local)
        var time = CellTime(instant: resolution.standard.advanced(byMicroseconds: fractionUs))
        switch resolution {
        case .unique: break
        case .ambiguous(_, let later):
            time.flag = .ambiguous
            time.later = later.advanced(byMicroseconds: fractionUs)
        case .nonexistent: time.flag = .nonexistent
        }
        return time
    }

    /// Parses the date and time in the column `name`; rejects the row if the cell is empty.
    func requiredTime(_ name: String) throws(Reason) -> CellTime {
        guard let time = try time(name) else {
            throw Reason("unreadableTime", name, "expected a date and time, found an empty cell")
        }
        return time
    }

    /// Creates an entry of a kind, with the times in the columns named `start` and `end`.
    ///
    /// An ambiguous end is taken as the later of its two points in time if the earlier lies before
    /// the start.
    ///
    /// - Parameter end: the column of the end; `nil` for entries without an end.
    func entry(
        _ kind: BabyCare.Kind, _ start: String, _ end: String?
    ) throws(Reason) -> BabyCare.ImportedEntry {
        let started = try requiredTime(start)
        var entry = BabyCare.ImportedEntry(kind, started: started.instant)
        entry.startFlag = started.flag
        if let end { entry.setEnd(try time(end)) }
        return entry
    }

    // MARK: Amounts

    /// Splits a quantity such as `8 oz` into the texts of its number and of its unit.
    ///
    /// - Parameter name: the column of the quantity, which an error names.
    /// - Throws: an error if a non-empty text does not start with a number.
    func splitQuantity(
        _ text: String, _ name: String
    ) throws(Reason) -> (number: String, unit: String) {
        let number = text.prefix { $0.isNumber || ".,+-".contains($0) }
        guard text.isEmpty || !number.isEmpty else {
            _ = try checkedAmount(nil, name); return ("", "")
        }
        return (String(number), text.dropFirst(number.count).trimmed)
    }

    /// Parses the name of a unit, such as `oz`.
    func unit(_ text: String, _ name: String) throws(Reason) -> BabyCare.AmountUnit {
        guard let unit = BabyCare.AmountUnit(name: text) else {
            throw Reason(
                "unknownUnit", name,
                "expected a unit such as ml, oz, kg or cm, found '\(text.prefix(60))'")
        }
        return unit
    }

    /// Returns the amount that was parsed from the column `name`.
    ///
    /// - Parameter value: the parsed amount; `nil` if the text could not be parsed.
    /// - Throws: an error if the amount is `nil` or negative.
    func checkedAmount(_ value: Int64?, _ name: String) throws(Reason) -> Int64 {
        guard let value, value >= 0 else {
            throw Reason(
                "unreadableAmount", name,
                "expected a number of at least 0, found '\(self[name].prefix(60))'")
        }
        return value
    }

    /// Parses a cell with a number of minutes and returns whole seconds; `nil` for an empty cell.
    func secondsFromMinutes(_ name: String) throws(Reason) -> Int64? {
        let text = self[name]
        guard !text.isEmpty else { return nil }
        return try checkedAmount(BabyCare.seconds(ofMinutes: text), name)
    }

    /// Parses a cell with `h:mm`, `h:mm:ss` or a number of minutes, and returns whole seconds;
    /// `nil` for an empty cell.
    func duration(_ name: String) throws(Reason) -> Int64? {
        let text = self[name]
        guard text.contains(":") else { return try secondsFromMinutes(name) }
        guard let numbers = LocalText.clockNumbers(text[...]) else {
            return try checkedAmount(nil, name)
        }
        return Int64(numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0))
    }

    /// True if the cell in the column `name` has `1`, `true`, `yes` or `y`; false if it has `0`,
    /// `false`, `no` or `n`, or is empty; any other text is an error.
    func isTrue(_ name: String) throws(Reason) -> Bool {
        switch self[name].lowercased() {
        case "1", "true", "yes", "y": return true
        case "", "0", "false", "no", "n": return false
        default:
            throw Reason(
                "unreadableFlag", name,
                "expected 1, 0, true, false, yes or no, found '\(self[name].prefix(60))'")
        }
    }
}

extension BabyCare.ImportedEntry {
    /// Sets the end; an ambiguous one is the later of its times if the earlier is before the start.
    mutating func setEnd(_ time: CareCells.CellTime?) {
        guard let time else { return }
        ended = time.instant
        endFlag = time.flag
        if time.instant < started, let later = time.later { ended = later }
    }
}
