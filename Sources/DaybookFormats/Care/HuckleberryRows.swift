import Daybook
import DaybookModel

/// Reads rows of Huckleberry; the meaning of the condition columns depends on the type.
struct HuckleberryRows: CareRowReader {
    /// Columns that a file must have.
    let requiredColumns = ["Type", "Start", "End"]
    /// Column that an error names if an entry ends before it starts or is too long.
    let endColumn = "End"
    /// Name of the column `Start Conditions`; `Start Condition` in later exports.
    private let startName: String
    /// Name of the column `End Conditions`; `End Condition` in later exports.
    private let endName: String
    /// Name of the column that has a feed's location, a medication's name or a length.
    private let locationName = "Start Location"

    /// Determines the names of the condition columns from the header.
    init(_ columns: CSVColumns) {
        let isLater = columns["Start Condition"] != nil || columns["End Condition"] != nil
        startName = isLater ? "Start Condition" : "Start Conditions"
        endName = isLater ? "End Condition" : "End Conditions"
    }

    /// Parses a row by its type; only a diaper gives two entries.
    func read(_ cells: CareCells, into content: inout CareFile.Content) throws(CareFile.Reason) {
        let type = cells["Type"].lowercased()
        content.identity = [
            type, cells["Start"], cells[startName], cells[locationName],
        ]
        switch type {
        case "": throw CareFile.Reason("unknownActivity", "Type", "is empty")
        case "sleep", "nap":
            var entry = try cells.entry(.sleep, "Start", "End")
            entry.declaredDurationS = try cells.duration("Duration")
            entry.value.isNap = type == "nap" ? true : nil
            content.entries = [entry]
        case "feed", "feeding", "bottle", "nursing": content.entries = [try feed(cells, type)]
        case "solids", "solid":
            var entry = try cells.entry(.weaning, "Start", "End")
            entry.value.durationS = try cells.duration("Duration")
            content.entries = [entry]
        case "meds", "medicine", "medication": content.entries = [try medication(cells)]
        case "diaper", "potty": content.entries = try diaper(cells)
        case "growth": content.entries = [try growth(cells)]
        case "temp", "temperature": content.entries = [try temperature(cells)]
        default:
            var entry = try cells.entry(.memo, "Start", "End")
            entry.meta["activity"] = cells["Type"]
            entry.value.durationS = try cells.duration("Duration")
            // The two columns hold the amounts of the two sides.
            if type.hasPrefix("pump") { entry.addAmounts([cells[startName], cells[endName]]) }
            content.entries = [entry]
        }
        if !content.entries.isEmpty, content.entries[0].text == nil {
            content.entries[0].text = cells.note("Notes")
        }
        for (name, key) in unmappedColumns(content.entries[0].kind, cells)
        where !cells[name].isEmpty {
            content.entries[0].meta[key] = cells[name]
        }
    }

    /// Returns the text; `nil` if it is empty.
    private func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// Returns the columns of a kind that no field of the entry covers.
    ///
    /// Each comes with the metadata key under which its cell is kept.
    private func unmappedColumns(_ kind: BabyCare.Kind, _ cells: CareCells) -> [(String, String)] {
        let start = (startName, "startConditions")
        let location = (locationName, "startLocation")
        let end = (endName, "endConditions")
        return switch kind {
        case .formula, .breastfeed, .growth: []
        case .medication: cells[startName].isEmpty ? [] : [end]
        case .symptom: cells[startName].isEmpty ? [location] : [location, end]
        // A diaper has its colour in the column of the duration.
        case .pee, .poo, .dry: [start, location, end, ("Duration", "color")]
        default: [start, location, end]
        }
    }

    /// Reads a medication: the name from the location column, the dose from a condition column.
    private func medication(
        _ cells: CareCells
    ) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        var entry = try cells.entry(.medication, "Start", "End")
        entry.value.name = nonEmpty(cells[locationName])
        entry.value.dose = nonEmpty(cells[startName]) ?? nonEmpty(cells[endName])
        return entry
    }

    /// Reads a bottle or a breastfeed, depending on the type and the condition columns.
    private func feed(
        _ cells: CareCells, _ type: String
    ) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        let start = cells[startName]
        let location = cells[locationName].lowercased()
        let end = cells[endName]
        let times = [start, end].compactMap { sideTime($0) }
        let isBottle = location.contains("bottle") || start.lowercased().contains("milk")
        let isBreast =
            location.contains("breast") || type == "nursing" || !times.isEmpty
            || (start.lowercased().contains("breast") && !isBottle)
        var entry = try cells.entry(isBreast ? .breastfeed : .formula, "Start", "End")
        entry.value.durationS = try cells.duration("Duration")
        guard !isBreast else {
            entry.value.side = BabyCare.Side(words: start + " " + location + " " + end)
            apply(times, &entry)
            return entry
        }
        entry.value.contents = nonEmpty(start)
        entry.value.method = nonEmpty(location)
        guard !end.isEmpty else { return entry }
        let number = try cells.split(end, endName)
        let unit = try cells.unit(number.unit, endName)
        entry.value.amountUl = try cells.amount(unit.microlitres(number.number), endName)
        (entry.value.original, entry.value.originalUnit) = (number.number, unit.rawValue)
        return entry
    }

    /// The time of feeding at one side: `00:12R`.
    private struct SideTime {
        /// Left or right.
        var side: BabyCare.Side
        /// Hours, or minutes if `low` is seconds.
        var high: Int64
        /// Minutes, or seconds if `high` is minutes.
        var low: Int64
    }

    /// Parses the time at one side, such as `00:12R`; `nil` for any other text.
    private func sideTime(_ text: String) -> SideTime? {
        guard let letter = text.last?.uppercased(), letter == "L" || letter == "R",
            let parts = LocalText.clock(text.dropLast()), parts.count == 2
        else { return nil }
        return SideTime(
            side: letter == "L" ? .left : .right, high: Int64(parts[0]), low: Int64(parts[1]))
    }

    /// Sets the side, and the total duration if the row has none.
    ///
    /// Exports use hours and minutes: `00:12R`. If the total exceeds the length of the feed, or
    /// three hours without an end, the numbers are minutes and seconds: `12:30L`.
    private func apply(_ times: [SideTime], _ entry: inout BabyCare.ImportedEntry) {
        guard let first = times.first else { return }
        entry.value.side = times.contains { $0.side != first.side } ? .both : first.side
        guard entry.value.durationS == nil else { return }
        let sum = times.reduce(0) { $0 + $1.high * 60 + $1.low }
        let wholeS =
            entry.ended.map { $0.microseconds(since: entry.started) / 1_000_000 } ?? 3 * 3_600
        // Allows for minutes that were rounded up.
        entry.value.durationS = sum * 60 <= wholeS + 60 ? sum * 60 : sum
    }

    /// Reads the entries of a diaper: pee, poo, both or dry.
    private func diaper(
        _ cells: CareCells
    ) throws(CareFile.Reason) -> [BabyCare.ImportedEntry] {
        let words = cells[endName].lowercased()
        let isBoth = words.hasPrefix("both")
        let isWet = isBoth || words.contains("pee") || words.contains("wet")
        let isSolid = isBoth || words.contains("poo") || words.contains("dirty")
        guard isWet || isSolid || words.contains("dry") else {
            throw CareFile.Reason(
                "unknownDiaper", endName,
                "expected pee, poo, both or dry, found '\(cells[endName].prefix(60))'")
        }
        return try cells.diapers(
            isWet: isWet, isSolid: isSolid, "Start", "End", cells.note("Notes"))
    }

    /// Reads weight, height and head circumference.
    ///
    /// A length is the head's if it ends in `HC` or stands in the end condition column.
    private func growth(_ cells: CareCells) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        var entry = try cells.entry(.growth, "Start", "End")
        for name in [startName, locationName, endName] {
            var text = cells[name]
            guard !text.isEmpty else { continue }
            var isHead = name == endName
            if text.uppercased().hasSuffix("HC") {
                text = text.dropLast(2).trimmed
                isHead = true
            }
            let number = try cells.split(text, name)
            let unit = try cells.unit(number.unit, name)
            if let mass = unit.milligrams(number.number) {
                entry.value.massMg = try cells.amount(mass, name)
            } else {
                let um = try cells.amount(unit.micrometres(number.number), name)
                if isHead { entry.value.headUm = um } else { entry.value.lengthUm = um }
            }
        }
        return entry
    }

    /// Reads a temperature from the start or the end condition column.
    private func temperature(
        _ cells: CareCells
    ) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        var entry = try cells.entry(.symptom, "Start", "End")
        let name = cells[startName].isEmpty ? endName : startName
        let number = try cells.split(cells[name], name)
        let unit = try cells.unit(number.unit, name)
        entry.value.milliC = try cells.amount(unit.thousandthsCelsius(number.number), name)
        (entry.value.original, entry.value.originalUnit) = (number.number, unit.rawValue)
        return entry
    }
}
