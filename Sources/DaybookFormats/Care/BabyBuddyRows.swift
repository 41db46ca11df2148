import Daybook
import DaybookModel

/// Reads rows of Baby Buddy, which exports one file for each kind of record (model).
///
/// Numbers have no units. Amounts are in the unit that the caller names, weights in kilograms,
/// lengths in centimetres. A temperature above 50 is taken as degrees Fahrenheit.
struct BabyBuddyRows: CareRowReader {
    /// A kind of record in Baby Buddy, such as feedings; each kind has a file of its own.
    enum Model: String, CaseIterable {
        case sleep, feeding, diaper, temperature, weight, height
        case head = "head_circumference"
        /// Body mass index.
        case bmi
        /// Notes that do not belong to another record.
        case note
        case pumping, tummyTime, medication
    }

    /// Columns that identify each model: a file has the first model all of whose columns it has.
    private static let headers: [(model: Model, columns: [String])] = [
        (.sleep, ["nap", "start", "end"]), (.feeding, ["type", "method", "start"]),
        (.diaper, ["wet", "solid", "time"]), (.temperature, ["temperature", "time"]),
        (.weight, ["weight", "date"]), (.height, ["height", "date"]),
        (.head, ["head_circumference", "date"]), (.bmi, ["bmi", "date"]),
        (.tummyTime, ["milestone", "start"]), (.medication, ["dosage", "time"]),
        (.pumping, ["amount", "time"]), (.pumping, ["amount", "start"]), (.note, ["note", "time"]),
    ]

    /// Kind of the records in the file.
    let model: Model
    let amountUnit: BabyCare.AmountUnit
    /// No columns, because `init` checks the header. Without `child_id` or a name, rows belong to
    /// the baby that the file is imported for.
    let requiredColumns: [String] = []
    let endColumn = "end"
    /// Column that an error names if a sleep without an end is too long.
    let lengthColumn = "duration"

    /// Creates a reader, with the model that the header of the file determines; throws an error for
    /// an unknown header, or the header of a list of children or tags.
    init(_ columns: CSVColumns, _ amountUnit: BabyCare.AmountUnit) throws(InputError) {
        let found = Self.headers.first { _, names in names.allSatisfy { columns[$0] != nil } }
        guard let found else {
            for (column, noun) in [("birth_date", "children"), ("slug", "tags")]
            where columns[column] != nil {
                throw InputError(
                    "the file is Baby Buddy's list of \(noun), which has no care entries; import "
                        + "another export, such as that of feedings",
                    line: 1, field: column)
            }
            throw InputError(
                "expected the header of one of Baby Buddy's exports (sleep, feeding, diaper, "
                    + "temperature, weight, …), found the columns "
                    + columns.names.joined(separator: ", "),
                line: 1)
        }
        model = found.model
        self.amountUnit = amountUnit
    }

    /// Returns the child with its id and, in a file that has them, its names.
    func child(_ cells: CareCells) -> CareFile.Child? {
        let names = [cells["child_first_name"], cells["child_last_name"], cells["child"]]
        return CareFile.Child(
            id: cells["child_id"], name: names.filter { !$0.isEmpty }.joined(separator: " "))
    }

    /// Parses a row by the model of the file; only a row about a diaper can give two entries.
    func read(_ cells: CareCells, into content: inout CareFile.Content) throws(Reason) {
        guard !cells.hasColumn("child_id") || !cells["child_id"].isEmpty else {
            throw Reason("noChild", "child_id", "expected the id of the child, found an empty cell")
        }
        let start = ["start", "time", "date"].first { !cells[$0].isEmpty } ?? "start"
        content.identifyingCells = [
            model.rawValue, cells[start], cells["type"], cells["method"], cells["wet"],
            cells["solid"],
        ]
        switch model {
        case .sleep:
            var entry = try cells.entry(.sleep, "start", "end")
            entry.value.isNap = cells["nap"].isEmpty ? nil : try cells.isTrue("nap")
            content.entries = [entry]
        case .feeding: content.entries = [try feeding(cells)]
        case .diaper:
            content.entries = try cells.diaperEntries(
                isWet: try cells.isTrue("wet"), isSolid: try cells.isTrue("solid"), "time", nil, nil
            )
        case .temperature, .weight, .height, .head:
            content.entries = [try measurement(cells, start)]
        case .medication:
            var entry = try cells.entry(.medication, "time", nil)
            entry.value.name = cells["name"].isEmpty ? nil : cells["name"]
            let dose = [cells["dosage"], cells["dosage_unit"]].filter { !$0.isEmpty }
            entry.value.dose = dose.isEmpty ? nil : dose.joined(separator: " ")
            content.entries = [entry]
        case .bmi, .note, .pumping, .tummyTime:
            var entry = try cells.entry(.memo, start, cells.hasColumn("end") ? "end" : nil)
            entry.meta["activity"] = model.rawValue
            if model == .pumping { try setVolume(cells, of: &entry) }
            for name in ["bmi", "amount"]
            where !cells[name].isEmpty && entry.value.amountUl == nil {
                entry.meta[name] = cells[name]
            }
            content.entries = [entry]
        }
        // The length follows from the times, if the row has both.
        if content.entries[0].ended == nil, let lengthS = try cells.duration("duration") {
            if model == .sleep {
                content.entries[0].declaredDurationS = lengthS
            } else {
                content.entries[0].value.durationS = lengthS
            }
        }
        content.entries[0].text = cells.note("notes", "note", "milestone")
        for (name, key) in [
            ("color", "color"), ("tags", "tags"), ("image", "image"),
            ("next_dose_interval", "nextDoseInterval"),
        ] where !cells[name].isEmpty { content.entries[0].meta[key] = cells[name] }
        if model == .diaper, !cells["amount"].isEmpty {
            content.entries[0].meta["amount"] = cells["amount"]
        }
    }

    /// Reads a breastfeed, a bottle or a solid meal, depending on method and type.
    private func feeding(_ cells: CareCells) throws(Reason) -> Entry {
        let method = cells["method"].lowercased()
        let type = cells["type"].lowercased()
        let isBreast = method.contains("breast")
        let kind: BabyCare.Kind =
            type == "solid food" ? .weaning : isBreast ? .breastfeed : .formula
        var entry = try cells.entry(kind, "start", "end")
        entry.value.contents = cells["type"].isEmpty ? nil : cells["type"]
        entry.value.side = kind == .breastfeed ? BabyCare.Side(words: method) : nil
        entry.value.method = method.isEmpty ? nil : method
        guard !cells["amount"].isEmpty else { return entry }
        if kind == .formula {
            try setVolume(cells, of: &entry)
        } else {
            entry.meta["amount"] = cells["amount"]
        }
        return entry
    }

    /// Sets the volume of an entry from the column `amount`, if its cell is not empty.
    private func setVolume(_ cells: CareCells, of entry: inout Entry) throws(Reason) {
        let text = cells["amount"]
        guard !text.isEmpty else { return }
        entry.value.amountUl = try cells.checkedAmount(amountUnit.microlitres(text), "amount")
        (entry.value.original, entry.value.originalUnit) = (text, amountUnit.rawValue)
    }

    /// Reads a temperature, weight, height or head circumference.
    private func measurement(_ cells: CareCells, _ time: String) throws(Reason) -> Entry {
        let name = model.rawValue
        let text = cells[name]
        var entry = try cells.entry(model == .temperature ? .symptom : .growth, time, nil)
        entry.value.original = text
        switch model {
        case .temperature:
            let celsius = BabyCare.AmountUnit.celsius.thousandthsCelsius(text) ?? 0
            let unit: BabyCare.AmountUnit = celsius > 50_000 ? .fahrenheit : .celsius
            entry.value.milliC = try cells.checkedAmount(unit.thousandthsCelsius(text), name)
            entry.value.originalUnit = unit.rawValue
        case .weight:
            entry.value.massMg = try cells.checkedAmount(
                BabyCare.AmountUnit.kg.milligrams(text), name)
            entry.value.originalUnit = BabyCare.AmountUnit.kg.rawValue
        default:
            let um = try cells.checkedAmount(BabyCare.AmountUnit.cm.micrometres(text), name)
            if model == .height { entry.value.lengthUm = um } else { entry.value.headUm = um }
            entry.value.originalUnit = BabyCare.AmountUnit.cm.rawValue
        }
        return entry
    }
}
