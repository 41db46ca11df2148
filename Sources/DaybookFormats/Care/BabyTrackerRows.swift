import Daybook
import DaybookModel

/// Reads rows of Baby Tracker (Nighp), which exports one file per kind of entry.
///
/// The header determines the kind and the units, as in `Amount (oz.)`. Durations are in minutes,
/// and a row omits empty cells at its end. Dates use the order of the phone's region. Files of
/// formula and of expressed milk have equal headers, so only the file name distinguishes them.
///
/// Source: exports that public programs read or write: the files described by a heat map of sleep,
/// files with the day first that a dbt project loads, and the diapers, temperatures and medications
/// that a server writes for the app.
struct BabyTrackerRows: CareRowReader {
    /// A kind of Baby Tracker's files.
    private enum Model: String {
        case sleep, nursing, pump, bottle, diaper, temperature, medication, growth, food, other
    }

    /// Column names without units, any of which identifies a model; the first match is taken.
    private static let headers: [(model: Model, stems: [String])] = [
        (.temperature, ["temperature"]),
        (.medication, ["medication name", "medication", "medicine", "vaccine"]),
        (.growth, ["weight", "length", "height", "head size", "head circumference"]),
        (.diaper, ["status"]), (.pump, ["total amount", "left amount", "right amount"]),
        (.nursing, ["left duration", "right duration", "start side"]),
        (.food, ["food", "foods", "food type", "supplement"]),
        (.other, ["activity", "milestone", "type", "title", "description"]),
        (.bottle, ["amount"]), (.sleep, ["duration"]), (.other, ["note"]),
    ]

    /// Columns that a file must have, whatever its kind.
    let requiredColumns = ["Time"]
    /// Column that an error names if an entry is too long; rows have no end.
    let endColumn = "Duration"
    /// Kind of this file.
    private let model: Model
    /// Full name and unit of each column, by its lower-case name without the unit (the stem).
    private let stems: [String: (name: String, unit: String)]
    /// Order of month and day in the file's dates.
    private let order: CareFile.DateOrder
    /// True if neither a setting nor the dates of the file determine the order of dates.
    private let isOrderGuessed: Bool
    /// Index of the `Time` column.
    private let time: Int?
    /// Contents of the bottles in a file of bottles, from the file name; `nil` if unknown.
    private let contents: String?

    /// Determines the model and the date order from the header, the dates and the settings.
    ///
    /// - Throws: an error for an unknown header, or for dates in both orders.
    init(
        _ columns: CSVColumns, _ records: some Sequence<CSVParser.Record>,
        _ settings: CareFile.Settings
    ) throws(InputError) {
        var stems: [String: (name: String, unit: String)] = [:]
        for name in columns.names where !name.isEmpty {
            let stem = name.prefix { $0 != "(" }.trimmed.lowercased()
            let unit = name.dropFirst(name.prefix { $0 != "(" }.count)
                .filter { !"()".contains($0) }
            stems[stem] = (name, String(unit))
        }
        let found = Self.headers.first { $0.stems.contains { stems[$0] != nil } }
        guard let found else {
            throw InputError(
                "expected the header of one of Baby Tracker's files (sleep, nursing, pump, formula, "
                    + "expressed, diaper, …), found \(columns.names.joined(separator: ", "))",
                line: 1)
        }
        model = found.model
        self.stems = stems
        time = columns["Time"]
        let told = try Self.order(of: records, time)
        order = settings.dateOrder ?? told ?? .monthFirst
        isOrderGuessed = settings.dateOrder == nil && told == nil
        let name = settings.fileName.lowercased()
        contents =
            name.contains("formula") ? "Formula" : name.contains("express") ? "Breast Milk" : nil
    }

    // MARK: Dates

    /// Returns the first two numbers of a date like 4/3/26; `nil` for any other text.
    private static func numbers(_ text: String) -> (first: Int, second: Int)? {
        let date = text.trimmed.prefix { !$0.isWhitespace && $0 != "," }
        let parts = date.split { "/.-".contains($0) }
        guard parts.count == 3, parts[0].utf8.count <= 2, let first = Int(parts[0]),
            let second = Int(parts[1])
        else { return nil }
        return (first, second)
    }

    /// Returns the date order that fits all dates; `nil` if both orders fit.
    ///
    /// - Parameter time: the index of the `Time` column.
    private static func order(
        of records: some Sequence<CSVParser.Record>, _ time: Int?
    ) throws(InputError) -> CareFile.DateOrder? {
        guard let time else { return nil }
        var order: CareFile.DateOrder?
        for record in records where time < record.fields.count {
            guard let (first, second) = numbers(record.fields[time]) else { continue }
            let told: CareFile.DateOrder? =
                first > 12 ? .dayFirst : second > 12 ? .monthFirst : nil
            guard let told else { continue }
            guard order ?? told == told else {
                throw InputError(
                    "has dates with the month first and dates with the day first; --date-order "
                        + "mdy or dmy reads those that fit it",
                    line: record.line, field: "Time")
            }
            order = told
        }
        return order
    }

    /// Returns a remark on a date whose order was guessed; `nil` for a certain date.
    func remark(on fields: [String]) -> String? {
        guard isOrderGuessed, let time, time < fields.count,
            let (first, second) = Self.numbers(fields[time]), first != second
        else { return nil }
        return "the date is read with the month first, because no date of the file shows the "
            + "order; --date-order dmy reads the day first"
    }

    /// Returns the time with the month first and without the comma after the date.
    private func monthFirst(_ text: String) -> String {
        let text = text.filter { $0 != "," }
        guard order == .dayFirst, Self.numbers(text) != nil else { return text }
        let date = text.prefix { !$0.isWhitespace }
        let parts = date.split { "/.-".contains($0) }
        return "\(parts[1])/\(parts[0])/\(parts[2])" + text.dropFirst(date.count)
    }

    // MARK: Rows

    /// Returns the cells, with empty cells in place of those that the row omits at its end.
    func fields(of record: CSVParser.Record, _ columns: CSVColumns) -> [String] {
        let missing = columns.names.count - record.fields.count
        return record.fields + [String](repeating: "", count: max(0, missing))
    }

    /// Returns the kind of file, the contents of bottles, and the non-empty cells by column.
    func key(_ fields: [String], _ columns: CSVColumns) -> [String] {
        [model.rawValue, contents ?? ""] + Self.namedCells(fields, columns)
    }

    /// Returns the zone and the order of dates, as text.
    func context(_ zone: Zone, _ settings: CareFile.Settings) -> String {
        "\(zone.name)\u{0}\(order.rawValue)"
    }

    /// Parses a row of the file's kind; only a diaper gives two entries.
    func read(_ cells: CareCells, into content: inout CareFile.Content) throws(CareFile.Reason) {
        var values = cells.values
        if let time { values[time] = monthFirst(values[time]) }
        let cells = CareCells(
            columns: cells.columns, values: values, zone: cells.zone, rules: cells.rules)
        content.childName = cells["Baby"].isEmpty ? nil : cells["Baby"]
        content.identity = [model.rawValue, contents ?? "", cells["Time"]]
        var entries = try entries(cells)
        entries[0].text = cells.note("Note")
        content.entries = entries
    }

    /// Returns the cell of a column, named without its unit; empty if the column is missing.
    private func cell(_ stem: String, _ cells: CareCells) -> String {
        stems[stem].map { cells[$0.name] } ?? ""
    }

    /// Reads the entries of a row; only a diaper can have two.
    private func entries(_ cells: CareCells) throws(CareFile.Reason) -> [BabyCare.ImportedEntry] {
        switch model {
        case .sleep: return [try sleep(cells)]
        case .nursing: return [try nursing(cells)]
        case .pump: return [try pump(cells)]
        case .bottle: return [try bottle(cells)]
        case .diaper: return try diaper(cells)
        case .temperature: return [try temperature(cells)]
        case .medication: return [try medication(cells)]
        case .growth: return [try growth(cells)]
        case .food:
            var entry = try cells.entry(.weaning, "Time", nil)
            let food = ["food", "foods", "food type", "supplement"].map { cell($0, cells) }
                .first { !$0.isEmpty }
            entry.value.contents = food
            keep(["amount"], cells, &entry)
            return [entry]
        case .other:
            var entry = try cells.entry(.memo, "Time", nil)
            let names = ["activity", "milestone", "type", "title", "description"]
            entry.meta["activity"] = names.map { cell($0, cells) }.first { !$0.isEmpty } ?? "note"
            entry.value.durationS = try minutes("duration", cells)
            keep(["amount"], cells, &entry)
            return [entry]
        }
    }

    /// Copies cells without a field in `Value` to the metadata, by column name.
    private func keep(
        _ names: [String], _ cells: CareCells, _ entry: inout BabyCare.ImportedEntry
    ) {
        for name in names where !cell(name, cells).isEmpty {
            let unit = stems[name]?.unit ?? ""
            entry.meta[name] = cell(name, cells) + (unit.isEmpty ? "" : " \(unit)")
        }
    }

    /// Reads a column of minutes as whole seconds; `nil` if the column is missing or empty.
    private func minutes(_ stem: String, _ cells: CareCells) throws(CareFile.Reason) -> Int64? {
        guard let name = stems[stem]?.name else { return nil }
        return try cells.minutes(name)
    }

    /// Reads a sleep; its end follows from the duration.
    private func sleep(_ cells: CareCells) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        var entry = try cells.entry(.sleep, "Time", nil)
        guard let lengthS = try minutes("duration", cells) else { return entry }
        guard lengthS <= 28 * 86_400 else {
            throw CareFile.Reason(
                "tooLong", stems["duration"]?.name ?? endColumn, "is more than 28 days")
        }
        entry.state = nil
        entry.declaredDurationS = lengthS
        entry.ended = entry.started.advanced(byMicroseconds: lengthS * 1_000_000)
        return entry
    }

    /// Reads a breastfeed with its total duration and sides.
    private func nursing(_ cells: CareCells) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        var entry = try cells.entry(.breastfeed, "Time", nil)
        let left = try minutes("left duration", cells)
        let right = try minutes("right duration", cells)
        let sum = left == nil && right == nil ? nil : (left ?? 0) + (right ?? 0)
        let (total, whole) = (
            try minutes("total duration", cells), try minutes("total", cells)
        )
        entry.value.durationS = total ?? whole ?? sum
        entry.value.side =
            switch ((left ?? 0) > 0, (right ?? 0) > 0) {
            case (true, true): .both
            case (true, false): .left
            case (false, true): .right
            case (false, false): BabyCare.Side(words: cell("start side", cells))
            }
        guard entry.value.side == .both else { return entry }
        entry.meta["leftS"] = left.map { "\($0)" }
        entry.meta["rightS"] = right.map { "\($0)" }
        entry.meta["beginSide"] = BabyCare.Side(words: cell("start side", cells))?.name
        return entry
    }

    /// Reads a volume column as microlitres, original text and unit; `nil` if missing or empty.
    ///
    /// The cell has the unit if the column name has none.
    private func volume(
        _ stem: String, _ cells: CareCells
    ) throws(CareFile.Reason) -> (ul: Int64, text: String, unit: BabyCare.AmountUnit)? {
        guard let column = stems[stem], !cells[column.name].isEmpty else { return nil }
        let number = try cells.split(cells[column.name], column.name)
        let unit = try cells.unit(number.unit.isEmpty ? column.unit : number.unit, column.name)
        let ul = try cells.amount(unit.microlitres(number.number), column.name)
        return (ul, number.number, unit)
    }

    /// Reads a pumping session as a memo with the total volume.
    private func pump(_ cells: CareCells) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        var entry = try cells.entry(.memo, "Time", nil)
        entry.meta["activity"] = "pumping"
        let (left, right) = (
            try volume("left amount", cells), try volume("right amount", cells)
        )
        let total = try volume("total amount", cells)
        if let total {
            entry.value.amountUl = total.ul
            (entry.value.original, entry.value.originalUnit) = (total.text, total.unit.rawValue)
        } else if left != nil || right != nil {
            entry.value.amountUl = (left?.ul ?? 0) + (right?.ul ?? 0)
        }
        entry.meta["leftMl"] = left?.ul.decimalText(places: 3)
        entry.meta["rightMl"] = right?.ul.decimalText(places: 3)
        let sides = (try minutes("left duration", cells), try minutes("right duration", cells))
        let whole = try minutes("total duration", cells)
        let longest = [sides.0, sides.1].compactMap(\.self).max()
        // Both sides may be pumped at the same time, so the longer duration counts.
        entry.value.durationS = whole ?? longest
        return entry
    }

    /// Reads a bottle with its volume.
    private func bottle(_ cells: CareCells) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        var entry = try cells.entry(.formula, "Time", nil)
        entry.value.contents = contents
        entry.value.method = "bottle"
        if let volume = try volume("amount", cells) {
            entry.value.amountUl = volume.ul
            (entry.value.original, entry.value.originalUnit) = (volume.text, volume.unit.rawValue)
        }
        return entry
    }

    /// Reads the entries of a diaper from its status: wet, dirty, mixed or dry.
    private func diaper(_ cells: CareCells) throws(CareFile.Reason) -> [BabyCare.ImportedEntry] {
        let status = cell("status", cells).lowercased()
        let isBoth = status.contains("mixed") || status.contains("both")
        let isWet = isBoth || status.contains("wet") || status.contains("pee")
        let isSolid = isBoth || status.contains("dirty") || status.contains("poo")
        guard isWet || isSolid || status.contains("dry") else {
            throw CareFile.Reason(
                "unknownDiaper", "Status",
                "expected Wet, Dirty, Mixed or Dry, found '\(status.prefix(60))'")
        }
        return try cells.diapers(isWet: isWet, isSolid: isSolid, "Time", nil, nil)
    }

    /// Reads a temperature in the unit of its cell, else of its column.
    private func temperature(
        _ cells: CareCells
    ) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        var entry = try cells.entry(.symptom, "Time", nil)
        guard let column = stems["temperature"] else { return entry }
        let number = try cells.split(cells[column.name], column.name)
        let unit = try cells.unit(number.unit.isEmpty ? column.unit : number.unit, column.name)
        entry.value.milliC = try cells.amount(
            unit.thousandthsCelsius(number.number), column.name)
        (entry.value.original, entry.value.originalUnit) = (number.number, unit.rawValue)
        return entry
    }

    /// Reads a medication with its name and dose.
    private func medication(
        _ cells: CareCells
    ) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        var entry = try cells.entry(.medication, "Time", nil)
        let names = ["medication name", "medication", "medicine", "vaccine"]
        entry.value.name = names.map { cell($0, cells) }.first { !$0.isEmpty }
        var dose = [cell("amount", cells)]
        // The unit is in a column without a name, to the right of the amount.
        if let name = stems["amount"]?.name, let index = cells.columns[name],
            index + 1 < cells.values.count, cells.columns.names[index + 1].isEmpty
        {
            dose.append(cells.values[index + 1].trimmed)
        }
        let text = dose.filter { !$0.isEmpty }.joined(separator: " ")
        entry.value.dose = text.isEmpty ? nil : text
        return entry
    }

    /// Reads weight, length and head circumference; a row without any of them is an error.
    private func growth(_ cells: CareCells) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        var entry = try cells.entry(.growth, "Time", nil)
        for (stem, column) in stems.sorted(by: { $0.key < $1.key })
        where !cells[column.name].isEmpty {
            let isWeight = stem == "weight"
            let isHead = stem.hasPrefix("head")
            guard isWeight || isHead || stem == "length" || stem == "height" else { continue }
            let number = try cells.split(cells[column.name], column.name)
            let unit = try cells.unit(
                number.unit.isEmpty ? column.unit : number.unit, column.name)
            if isWeight {
                entry.value.massMg = try cells.amount(
                    unit.milligrams(number.number), column.name)
                continue
            }
            let um = try cells.amount(unit.micrometres(number.number), column.name)
            if isHead { entry.value.headUm = um } else { entry.value.lengthUm = um }
        }
        guard entry.value != BabyCare.Value.blank else {
            throw CareFile.Reason(
                "unreadableAmount", "Weight", "expected a weight, height or head size, found none")
        }
        return entry
    }
}
