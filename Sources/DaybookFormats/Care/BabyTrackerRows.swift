import Daybook
import DaybookModel

/// Reads rows of Baby Tracker (Nighp), which exports one file for each kind of record (model).
///
/// The header determines the model and the units, as in `Amount (oz.)`. Durations are in minutes,
/// and a row omits empty cells at its end. Dates have day and month in the order of the phone's
/// region. Files of formula and of expressed milk have equal headers, so only the file name
/// distinguishes them.
///
/// Source: exports that public programs read or write: a program that draws a heat map of sleep, a
/// dbt project that loads files with the day first, and a server that writes diapers, temperatures
/// and medications for the app.
struct BabyTrackerRows: CareRowReader {
    /// A kind of record in Baby Tracker; each kind has a file of its own.
    private enum Model: String {
        case sleep, nursing, pump, bottle, diaper, temperature, medication, growth, food, other
    }

    /// Column names without units (stems), any of which identifies a model.
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

    /// Columns that a file of any model must have.
    let requiredColumns = ["Time"]
    /// Column that an error names if an entry is too long; rows have no column for the end.
    let endColumn = "Duration"
    /// Column that an error names if a sleep is too long.
    var lengthColumn: String { columnsByStem["duration"]?.name ?? endColumn }
    private let model: Model
    /// Full name and unit of each column, by its lower-case name without the unit (stem).
    private let columnsByStem: [String: (name: String, unit: String)]
    /// Order of month and day in the file's dates.
    private let dateOrder: CareFile.DateOrder
    /// True if neither a setting nor the dates in the file determine `dateOrder`.
    private let isDateOrderGuessed: Bool
    /// Index of the column `Time`; `nil` if the file lacks the column.
    private let timeIndex: Int?
    /// Contents of the bottles in a file of bottles, taken from the file name; `nil` if the file
    /// name does not tell.
    private let bottleContents: String?

    /// Creates a reader for a file, whose header determines the model.
    ///
    /// - Parameters:
    ///   - records: the data rows, whose dates can show the order of month and day.
    ///   - settings: the date order, if the user chose it, and the file name.
    /// - Throws: an error for an unknown header, or for dates in both orders.
    init(
        _ columns: CSVColumns, _ records: some Sequence<CSVParser.Record>,
        _ settings: CareFile.Settings
    ) throws(InputError) {
        var stems: [String: (name: String, unit: String)] = [:]
        for name in columns.names where !name.isEmpty {
            let stem = name.prefix { $0 != "(" }.trimmed.lowercased()
            let unit = name.dropFirst(name.prefix { $0 != "(" }.count).filter { !"()".contains($0) }
            stems[stem] = (name, String(unit))
        }
        let found = Self.headers.first { $0.stems.contains { stems[$0] != nil } }
        guard let found else {
            throw InputError(
                "expected the header of one of Baby Tracker's files (sleep, nursing, pump, "
                    + "formula, expressed, diaper, …), found the columns "
                    + columns.names.joined(separator: ", "),
                line: 1)
        }
        model = found.model
        columnsByStem = stems
        timeIndex = columns["Time"]
        let given = settings.dateOrder
        let knownOrder = try given == nil ? Self.dateOrder(of: records, timeIndex) : given
        dateOrder = knownOrder ?? .monthFirst
        isDateOrderGuessed = knownOrder == nil
        let name = settings.fileName.lowercased()
        bottleContents =
            name.contains("formula") ? "Formula" : name.contains("express") ? "Breast Milk" : nil
    }

    // MARK: Dates

    /// Returns the first two numbers of a date like 4/3/26, day and month in either order; `nil` for
    /// any other text.
    private static func dayAndMonthNumbers(_ text: String) -> (first: Int, second: Int)? {
        let date = text.trimmed.prefix { !$0.isWhitespace && $0 != "," }
        let parts = date.split { "/.-".contains($0) }
        guard parts.count == 3, parts[0].utf8.count <= 2, let first = Int(parts[0]),
            let second = Int(parts[1])
        else { return nil }
        return (first, second)
    }

    /// Returns the date order that fits all dates in the file; `nil` if both orders fit.
    ///
    /// - Parameter time: the index of the column `Time`.
    /// - Throws: an error if no order fits all dates.
    private static func dateOrder(
        of records: some Sequence<CSVParser.Record>, _ time: Int?
    ) throws(InputError) -> CareFile.DateOrder? {
        guard let time else { return nil }
        var order: CareFile.DateOrder?
        for record in records where time < record.fields.count {
            guard let (first, second) = dayAndMonthNumbers(record.fields[time]) else { continue }
            let knownOrder: CareFile.DateOrder? =
                first > 12 ? .dayFirst : second > 12 ? .monthFirst : nil
            guard let knownOrder else { continue }
            guard order ?? knownOrder == knownOrder else {
                throw InputError(
                    "some dates in the file have the month first, others the day first; "
                        + "--date-order mdy or dmy imports only the rows that fit that order",
                    line: record.line, field: "Time")
            }
            order = knownOrder
        }
        return order
    }

    /// Returns a remark about a row whose order of month and day was guessed; `nil` if it was not.
    func remark(on fields: [String]) -> String? {
        guard isDateOrderGuessed, let timeIndex, timeIndex < fields.count,
            let (first, second) = Self.dayAndMonthNumbers(fields[timeIndex]), first != second
        else { return nil }
        return "the date is read with the month first, because no date in the file shows the "
            + "order; --date-order dmy reads the day first"
    }

    /// Returns the date and time with the month first, and without a comma after the date.
    private func withMonthFirst(_ text: String) -> String {
        let text = text.filter { $0 != "," }
        guard dateOrder == .dayFirst, Self.dayAndMonthNumbers(text) != nil else { return text }
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

    /// Returns the model, the contents of bottles, and the non-empty cells with their columns.
    func distinguishingCells(_ fields: [String], _ columns: CSVColumns) -> [String] {
        [model.rawValue, bottleContents ?? ""] + Self.namedCells(fields, columns)
    }

    /// Returns the time zone and the order of month and day, as one text.
    func settingsText(_ zone: Zone, _ settings: CareFile.Settings) -> String {
        "\(zone.name)\u{0}\(dateOrder.rawValue)"
    }

    /// Parses a row by the model of the file; only a row about a diaper can give two entries.
    func read(_ cells: CareCells, into content: inout CareFile.Content) throws(Reason) {
        var cells = cells
        if let timeIndex { cells.values[timeIndex] = withMonthFirst(cells.values[timeIndex]) }
        content.identifyingCells = [model.rawValue, bottleContents ?? "", cells["Time"]]
        var entries = try entries(cells)
        entries[0].text = cells.note("Note")
        content.entries = entries
    }

    /// Returns the cell of the column with a stem (name without unit); an empty text if the file
    /// lacks the column.
    private func cell(_ stem: String, _ cells: CareCells) -> String {
        columnsByStem[stem].map { cells[$0.name] } ?? ""
    }

    /// Reads the entries of a row by the model; only a row about a diaper can give two.
    private func entries(_ cells: CareCells) throws(Reason) -> [Entry] {
        switch model {
        case .sleep: return [try sleep(cells)]
        case .nursing: return [try nursing(cells)]
        case .pump: return [try pump(cells)]
        case .bottle: return [try bottle(cells)]
        case .diaper: return try diaperEntries(cells)
        case .temperature: return [try temperature(cells)]
        case .medication: return [try medication(cells)]
        case .growth: return [try growth(cells)]
        case .food:
            var entry = try cells.entry(.weaning, "Time", nil)
            let food = ["food", "foods", "food type", "supplement"].map { cell($0, cells) }
                .first { !$0.isEmpty }
            entry.value.contents = food
            keepInMetadata(["amount"], cells, &entry)
            return [entry]
        case .other:
            var entry = try cells.entry(.memo, "Time", nil)
            let names = ["activity", "milestone", "type", "title", "description"]
            entry.meta["activity"] = names.map { cell($0, cells) }.first { !$0.isEmpty } ?? "note"
            entry.value.durationS = try secondsFromMinutes("duration", cells)
            keepInMetadata(["amount"], cells, &entry)
            return [entry]
        }
    }

    /// Copies the non-empty cells of columns that no field of an entry covers to its metadata.
    private func keepInMetadata(_ names: [String], _ cells: CareCells, _ entry: inout Entry) {
        for name in names where !cell(name, cells).isEmpty {
            let unit = columnsByStem[name]?.unit ?? ""
            entry.meta[name] = cell(name, cells) + (unit.isEmpty ? "" : " \(unit)")
        }
    }

    /// Parses a cell with a number of minutes and returns whole seconds; `nil` if the column is
    /// missing or the cell is empty.
    private func secondsFromMinutes(_ stem: String, _ cells: CareCells) throws(Reason) -> Int64? {
        guard let name = columnsByStem[stem]?.name else { return nil }
        return try cells.secondsFromMinutes(name)
    }

    /// Reads a sleep, whose end follows from the duration.
    private func sleep(_ cells: CareCells) throws(Reason) -> Entry {
        var entry = try cells.entry(.sleep, "Time", nil)
        entry.declaredDurationS = try secondsFromMinutes("duration", cells)
        return entry
    }

    /// Reads a breastfeed with its total duration and sides.
    private func nursing(_ cells: CareCells) throws(Reason) -> Entry {
        var entry = try cells.entry(.breastfeed, "Time", nil)
        let left = try secondsFromMinutes("left duration", cells)
        let right = try secondsFromMinutes("right duration", cells)
        let sum = left == nil && right == nil ? nil : (left ?? 0) + (right ?? 0)
        let (total, whole) = (
            try secondsFromMinutes("total duration", cells), try secondsFromMinutes("total", cells)
        )
        entry.value.durationS = total ?? whole ?? sum
        entry.value.side =
            BabyCare.Side(left: left, right: right)
            ?? BabyCare.Side(words: cell("start side", cells))
        guard entry.value.side == .both else { return entry }
        entry.meta["leftS"] = left.map { "\($0)" }
        entry.meta["rightS"] = right.map { "\($0)" }
        entry.meta["beginSide"] = BabyCare.Side(words: cell("start side", cells))?.name
        return entry
    }

    /// Reads a volume in microlitres, with the number and the unit as in the file. The unit is in
    /// the cell or, for a cell without a unit, in the name of the column. Returns `nil` if the
    /// column is missing or the cell is empty.
    private func volume(
        _ stem: String, _ cells: CareCells
    ) throws(Reason) -> (ul: Int64, text: String, unit: BabyCare.AmountUnit)? {
        guard let column = columnsByStem[stem], !cells[column.name].isEmpty else { return nil }
        let number = try cells.splitQuantity(cells[column.name], column.name)
        let unit = try cells.unit(number.unit.isEmpty ? column.unit : number.unit, column.name)
        let ul = try cells.checkedAmount(unit.microlitres(number.number), column.name)
        return (ul, number.number, unit)
    }

    /// Reads a pumping session as a memo with the total volume.
    private func pump(_ cells: CareCells) throws(Reason) -> Entry {
        var entry = try cells.entry(.memo, "Time", nil)
        entry.meta["activity"] = "pumping"
        let (left, right) = (try volume("left amount", cells), try volume("right amount", cells))
        let total = try volume("total amount", cells)
        if let total {
            entry.value.amountUl = total.ul
            (entry.value.original, entry.value.originalUnit) = (total.text, total.unit.rawValue)
        } else if left != nil || right != nil {
            entry.value.amountUl = (left?.ul ?? 0) + (right?.ul ?? 0)
        }
        entry.meta["leftMl"] = left?.ul.decimalText(places: 3)
        entry.meta["rightMl"] = right?.ul.decimalText(places: 3)
        let sides = (
            try secondsFromMinutes("left duration", cells),
            try secondsFromMinutes("right duration", cells)
        )
        let whole = try secondsFromMinutes("total duration", cells)
        let longest = [sides.0, sides.1].compactMap(\.self).max()
        // Both sides may be pumped at the same time, so the longer duration counts.
        entry.value.durationS = whole ?? longest
        return entry
    }

    /// Reads a bottle feed with its contents and its volume.
    private func bottle(_ cells: CareCells) throws(Reason) -> Entry {
        var entry = try cells.entry(.formula, "Time", nil)
        entry.value.contents = bottleContents
        entry.value.method = "bottle"
        if let volume = try volume("amount", cells) {
            entry.value.amountUl = volume.ul
            (entry.value.original, entry.value.originalUnit) = (volume.text, volume.unit.rawValue)
        }
        return entry
    }

    /// Reads the entries of a diaper from its status: wet, dirty, mixed or dry.
    private func diaperEntries(_ cells: CareCells) throws(Reason) -> [Entry] {
        let status = cell("status", cells).lowercased()
        let isBoth = status.contains("mixed") || status.contains("both")
        let isWet = isBoth || status.contains("wet") || status.contains("pee")
        let isSolid = isBoth || status.contains("dirty") || status.contains("poo")
        guard isWet || isSolid || status.contains("dry") else {
            throw Reason(
                "unknownDiaper", "Status",
                "expected a diaper that is Wet, Dirty, Mixed or Dry, found '\(status.prefix(60))'")
        }
        return try cells.diaperEntries(isWet: isWet, isSolid: isSolid, "Time", nil, nil)
    }

    /// Reads a temperature, with the unit in the cell or else in the name of the column.
    private func temperature(_ cells: CareCells) throws(Reason) -> Entry {
        var entry = try cells.entry(.symptom, "Time", nil)
        guard let column = columnsByStem["temperature"] else { return entry }
        let number = try cells.splitQuantity(cells[column.name], column.name)
        let unit = try cells.unit(number.unit.isEmpty ? column.unit : number.unit, column.name)
        entry.value.milliC = try cells.checkedAmount(
            unit.thousandthsCelsius(number.number), column.name)
        (entry.value.original, entry.value.originalUnit) = (number.number, unit.rawValue)
        return entry
    }

    /// Reads a medication with its name and dose.
    private func medication(_ cells: CareCells) throws(Reason) -> Entry {
        var entry = try cells.entry(.medication, "Time", nil)
        let names = ["medication name", "medication", "medicine", "vaccine"]
        entry.value.name = names.map { cell($0, cells) }.first { !$0.isEmpty }
        var dose = [cell("amount", cells)]
        // The unit is in a column without a name, to the right of the amount.
        if let name = columnsByStem["amount"]?.name, let index = cells.columns[name],
            index + 1 < cells.values.count, cells.columns.names[index + 1].isEmpty
        {
            dose.append(cells.values[index + 1].trimmed)
        }
        let text = dose.filter { !$0.isEmpty }.joined(separator: " ")
        entry.value.dose = text.isEmpty ? nil : text
        return entry
    }

    /// Reads weight, length and head circumference; a row without any of them is an error.
    private func growth(_ cells: CareCells) throws(Reason) -> Entry {
        var entry = try cells.entry(.growth, "Time", nil)
        for (stem, column) in columnsByStem.sorted(by: { $0.key < $1.key })
        where !cells[column.name].isEmpty {
            let isWeight = stem == "weight"
            let isHead = stem.hasPrefix("head")
            guard isWeight || isHead || stem == "length" || stem == "height" else { continue }
            let sum = try cells.measure(cells[column.name], column.name, unit: column.unit)
            if isWeight {
                entry.value.massMg = try cells.checkedAmount(sum.milligrams, column.name)
                continue
            }
            let um = try cells.checkedAmount(sum.micrometres, column.name)
            if isHead { entry.value.headUm = um } else { entry.value.lengthUm = um }
        }
        try entry.checkMeasured("Weight")
        return entry
    }
}
