import Daybook
import DaybookModel

/// Reads rows of Huckleberry's export.
///
/// The type of a row determines the meaning of its cells in `Start Condition` and `End Condition`.
struct HuckleberryRows: CareRowReader {
    let requiredColumns = ["Type", "Start", "End"]
    let endColumn = "End"
    /// Name of the column `Start Conditions`; `Start Condition` in later exports.
    private let startConditionName: String
    /// Name of the column `End Conditions`; `End Condition` in later exports.
    private let endConditionName: String
    /// Name of the column that contains the location of a feed, the name of a medication or a
    /// length of the body.
    private let locationColumn = "Start Location"

    /// Creates a reader, with the names that the condition columns have in the header.
    init(_ columns: CSVColumns) {
        let isLater = columns["Start Condition"] != nil || columns["End Condition"] != nil
        startConditionName = isLater ? "Start Condition" : "Start Conditions"
        endConditionName = isLater ? "End Condition" : "End Conditions"
    }

    /// Parses a row by its type; only a row about a diaper can give two entries.
    func read(_ cells: CareCells, into content: inout CareFile.Content) throws(Reason) {
        let type = cells["Type"].lowercased()
        content.identifyingCells = [
            type, cells["Start"], cells[startConditionName], cells[locationColumn],
        ]
        switch type {
        case "":
            throw Reason(
                "unknownActivity", "Type", "expected a type such as Sleep, found an empty cell")
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
        case "diaper", "potty": content.entries = try diaperEntries(cells)
        case "growth": content.entries = [try growth(cells)]
        case "temp", "temperature": content.entries = [try temperature(cells)]
        default:
            var entry = try cells.entry(.memo, "Start", "End")
            entry.meta["activity"] = cells["Type"]
            entry.value.durationS = try cells.duration("Duration")
            // The two columns hold the amounts of the two sides.
            if type.hasPrefix("pump") {
                entry.setVolume(toSumOf: [cells[startConditionName], cells[endConditionName]])
            }
            content.entries = [entry]
        }
        if !content.entries.isEmpty, content.entries[0].text == nil {
            content.entries[0].text = cells.note("Notes")
        }
        for (name, key) in metadataColumns(content.entries[0].kind, cells)
        where !cells[name].isEmpty { content.entries[0].meta[key] = cells[name] }
    }

    /// Returns the text; `nil` if it is empty.
    private func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// Returns the columns whose cells become metadata of an entry of a kind.
    private func metadataColumns(_ kind: BabyCare.Kind, _ cells: CareCells) -> [(String, String)] {
        let start = (startConditionName, "startConditions")
        let location = (locationColumn, "startLocation")
        let end = (endConditionName, "endConditions")
        return switch kind {
        case .formula, .breastfeed, .growth: []
        case .medication: cells[startConditionName].isEmpty ? [] : [end]
        case .symptom: cells[startConditionName].isEmpty ? [location] : [location, end]
        // A diaper has its colour in the column of the duration.
        case .pee, .poo, .dry: [start, location, end, ("Duration", "color")]
        default: [start, location, end]
        }
    }

    /// Reads a medication: the name from the location column, the dose from a condition column.
    private func medication(_ cells: CareCells) throws(Reason) -> Entry {
        var entry = try cells.entry(.medication, "Start", "End")
        entry.value.name = nonEmpty(cells[locationColumn])
        entry.value.dose = nonEmpty(cells[startConditionName]) ?? nonEmpty(cells[endConditionName])
        return entry
    }

    /// Reads a bottle or a breastfeed, depending on the type and the condition columns.
    private func feed(_ cells: CareCells, _ type: String) throws(Reason) -> Entry {
        let start = cells[startConditionName]
        let location = cells[locationColumn].lowercased()
        let end = cells[endConditionName]
        let times = [start, end].compactMap { sideTime($0) }
        let isBottle = location.contains("bottle") || start.lowercased().contains("milk")
        let isBreast =
            location.contains("breast") || type == "nursing" || !times.isEmpty
            || (start.lowercased().contains("breast") && !isBottle)
        var entry = try cells.entry(isBreast ? .breastfeed : .formula, "Start", "End")
        entry.value.durationS = try cells.duration("Duration")
        guard !isBreast else {
            entry.value.side = BabyCare.Side(words: start + " " + location + " " + end)
            setSideAndDuration(times, &entry)
            return entry
        }
        entry.value.contents = nonEmpty(start)
        entry.value.method = nonEmpty(location)
        guard !end.isEmpty else { return entry }
        let number = try cells.splitQuantity(end, endConditionName)
        let unit = try cells.unit(number.unit, endConditionName)
        entry.value.amountUl = try cells.checkedAmount(
            unit.microlitres(number.number), endConditionName)
        (entry.value.original, entry.value.originalUnit) = (number.number, unit.rawValue)
        return entry
    }

    /// The duration of feeding at one breast, such as `00:12R`.
    private struct SideTime {
        var side: BabyCare.Side
        /// Number before the colon: hours, or minutes if `smallUnits` are seconds.
        var largeUnits: Int64
        /// Number after the colon: minutes, or seconds if `largeUnits` are minutes.
        var smallUnits: Int64
    }

    /// Parses the duration of feeding at one breast, such as `00:12R`; `nil` for any other text.
    private func sideTime(_ text: String) -> SideTime? {
        guard let letter = text.last?.uppercased(), letter == "L" || letter == "R",
            let parts = LocalText.clockNumbers(text.dropLast()), parts.count == 2
        else { return nil }
        return SideTime(
            side: letter == "L" ? .left : .right, largeUnits: Int64(parts[0]),
            smallUnits: Int64(parts[1]))
    }

    /// Sets the side of a breastfeed, and its total duration if the row has no duration.
    ///
    /// Most exports have hours and minutes: `00:12R`. The numbers are taken as minutes and seconds,
    /// as in `12:30L`, if the total would exceed the length of the feed, or three hours for a feed
    /// without an end.
    private func setSideAndDuration(_ times: [SideTime], _ entry: inout Entry) {
        guard !times.isEmpty else { return }
        func units(_ side: BabyCare.Side) -> Int64 {
            times.filter { $0.side == side }.reduce(0) { $0 + $1.largeUnits * 60 + $1.smallUnits }
        }
        let (left, right) = (units(.left), units(.right))
        entry.value.side = BabyCare.Side(left: left, right: right)
        let sum = left + right
        guard entry.value.durationS == nil, sum > 0 else { return }
        let wholeS =
            entry.ended.map { $0.microseconds(since: entry.started) / 1_000_000 } ?? 3 * 3_600
        // Allows for minutes that were rounded up.
        entry.value.durationS = sum * 60 <= wholeS + 60 ? sum * 60 : sum
    }

    /// Reads the entries of a diaper: pee, poo, both or dry.
    private func diaperEntries(_ cells: CareCells) throws(Reason) -> [Entry] {
        let words = cells[endConditionName].lowercased()
        let isBoth = words.hasPrefix("both")
        let isWet = isBoth || words.contains("pee") || words.contains("wet")
        let isSolid = isBoth || words.contains("poo") || words.contains("dirty")
        guard isWet || isSolid || words.contains("dry") else {
            throw Reason(
                "unknownDiaper", endConditionName,
                "expected a diaper with pee, poo, both or dry, found "
                    + "'\(cells[endConditionName].prefix(60))'")
        }
        return try cells.diaperEntries(
            isWet: isWet, isSolid: isSolid, "Start", "End", cells.note("Notes"))
    }

    /// Reads weight, height and head circumference. A length is a head circumference if it ends in
    /// `HC` or is in the column `endConditionName`.
    private func growth(_ cells: CareCells) throws(Reason) -> Entry {
        var entry = try cells.entry(.growth, "Start", "End")
        for name in [startConditionName, locationColumn, endConditionName] {
            var text = cells[name]
            guard !text.isEmpty else { continue }
            var isHead = name == endConditionName
            if text.uppercased().hasSuffix("HC") {
                text = text.dropLast(2).trimmed
                isHead = true
            }
            let sum = try cells.measure(text, name)
            if let mass = sum.milligrams {
                entry.value.massMg = mass
            } else {
                let um = try cells.checkedAmount(sum.micrometres, name)
                if isHead { entry.value.headUm = um } else { entry.value.lengthUm = um }
            }
        }
        try entry.checkMeasured(startConditionName)
        return entry
    }

    /// Reads a temperature from `startConditionName`, or from `endConditionName` if that is empty.
    private func temperature(_ cells: CareCells) throws(Reason) -> Entry {
        var entry = try cells.entry(.symptom, "Start", "End")
        let name = cells[startConditionName].isEmpty ? endConditionName : startConditionName
        let number = try cells.splitQuantity(cells[name], name)
        let unit = try cells.unit(number.unit, name)
        entry.value.milliC = try cells.checkedAmount(unit.thousandthsCelsius(number.number), name)
        (entry.value.original, entry.value.originalUnit) = (number.number, unit.rawValue)
        return entry
    }
}
