import Daybook
import DaybookModel

/// Reads rows of Baby Connect's export.
///
/// Times are local, durations are in minutes, and the unit of a quantity can be in another column.
struct BabyConnectRows: CareRowReader {
    let requiredColumns = ["Date and Time", "End Time", "Activity"]
    let endColumn = "End Time"
    let lengthColumn = "Duration (min)"

    /// Parses a row by its activity; only a row about a diaper can give two entries.
    func read(_ cells: CareCells, into content: inout CareFile.Content) throws(Reason) {
        let activity = cells["Activity"]
        let extra = cells["Extra data"]
        content.identifyingCells = [activity, cells["Date and Time"], cells["Caregiver"], extra]
        content.caregiver = cells["Caregiver"].isEmpty ? nil : cells["Caregiver"]
        guard !activity.isEmpty else {
            throw Reason(
                "unknownActivity", "Activity",
                "expected an activity, such as Sleep or Bottle, found an empty cell")
        }
        let name = activity.lowercased()
        if name == "diaper" || name == "potty" {
            content.entries = try diaperEntries(cells, extra)
            return
        }
        var entry = try cells.entry(kind(name), "Date and Time", "End Time")
        entry.text = cells.note("Text", "Notes")
        let lengthS = try cells.secondsFromMinutes("Duration (min)")
        if entry.kind == .sleep {
            entry.declaredDurationS = lengthS
        } else {
            entry.value.durationS = lengthS
        }
        try setValues(cells, name, extra, &entry)
        content.entries = [entry]
    }

    /// Returns the entry kind for an activity in lower case; an unknown activity is a memo.
    private func kind(_ activity: String) -> BabyCare.Kind {
        switch activity {
        case "sleep": .sleep
        case "nursing", "breast", "breastfeeding": .breastfeed
        case "bottle": .formula
        case "solid", "solid food", "solids", "eating", "meal": .weaning
        case "medicine", "medication", "vaccine", "vitamin": .medication
        case "weight", "height", "head size", "head circumference": .growth
        case "temperature": .symptom
        default: .memo
        }
    }

    /// Sets the amount and other values of an entry from the columns `Quantity` and `Extra data`.
    private func setValues(
        _ cells: CareCells, _ activity: String, _ extra: String, _ entry: inout Entry
    ) throws(Reason) {
        let quantity = cells["Quantity"]
        var number = (number: "", unit: "")
        switch entry.kind {
        case .formula, .growth, .symptom:
            number = try cells.splitQuantity(quantity, "Quantity")
        default: break
        }
        switch entry.kind {
        case .formula:
            entry.value.contents = extra.isEmpty ? nil : extra
            guard !quantity.isEmpty else { break }
            // Numbers without a unit are fluid ounces, as in the app.
            let unit = number.unit.isEmpty ? .oz : try cells.unit(number.unit, "Quantity")
            entry.value.amountUl = try cells.checkedAmount(
                unit.microlitres(number.number), "Quantity")
            (entry.value.original, entry.value.originalUnit) = (number.number, unit.rawValue)
        case .growth:
            let sum = try cells.measure(quantity, "Quantity", unit: extra, in: "Extra data")
            (entry.value.original, entry.value.originalUnit) = (sum.number, sum.unit?.rawValue)
            switch activity {
            case "weight":
                entry.value.massMg = try cells.checkedAmount(sum.milligrams, "Quantity")
            case "height":
                entry.value.lengthUm = try cells.checkedAmount(sum.micrometres, "Quantity")
            default: entry.value.headUm = try cells.checkedAmount(sum.micrometres, "Quantity")
            }
        case .symptom:
            let unit = try cells.unit(number.unit.isEmpty ? extra : number.unit, "Extra data")
            entry.value.milliC = try cells.checkedAmount(
                unit.thousandthsCelsius(number.number), "Quantity")
            (entry.value.original, entry.value.originalUnit) = (number.number, unit.rawValue)
        case .medication:
            entry.value.name = extra.isEmpty ? nil : extra
            entry.value.dose = quantity.isEmpty ? nil : quantity
        case .breastfeed:
            entry.value.side = BabyCare.Side(words: extra)
            if entry.value.side == nil, !extra.isEmpty { entry.meta["extraData"] = extra }
            if !quantity.isEmpty { entry.meta["quantity"] = quantity }
        case .memo:
            entry.meta["activity"] = cells["Activity"]
            if !extra.isEmpty { entry.meta["extraData"] = extra }
            if activity.hasPrefix("pump") { entry.setVolume(toSumOf: [quantity], unit: .oz) }
            if !quantity.isEmpty { entry.meta["quantity"] = quantity }
        default:
            if !extra.isEmpty { entry.meta["extraData"] = extra }
            if !quantity.isEmpty { entry.meta["quantity"] = quantity }
        }
    }

    /// Descriptions of diapers, without spaces, that say no more than pee, poo, both or dry.
    private static let plainDiapers: Set = [
        "wet", "pee", "bm", "poo", "dirty", "bmandwet", "wetandbm", "bmwet", "wetbm",
        "dry",
    ]

    /// Reads the entries of a diaper from `Extra data`, such as `BM and wet`.
    private func diaperEntries(_ cells: CareCells, _ extra: String) throws(Reason) -> [Entry] {
        let words = extra.lowercased()
        let isWet = ["wet", "pee", "urine"].contains { words.contains(asciiWord: $0) }
        let isSolid = ["bm", "poo", "dirty", "solid", "stool"].contains {
            words.contains(asciiWord: $0)
        }
        guard isWet || isSolid || words.contains(asciiWord: "dry") else {
            throw Reason(
                "unknownDiaper", "Extra data",
                "expected a diaper that is wet, BM or dry, found '\(extra.prefix(60))'")
        }
        var entries = try cells.diaperEntries(
            isWet: isWet, isSolid: isSolid, "Date and Time", endColumn, cells.note("Text", "Notes"))
        // The kinds of the entries cover `BM and wet`; `BM, green` says more and is kept.
        let isPlain = Self.plainDiapers.contains(words.filter(\.isLetter))
        if !isPlain { entries[0].meta["extraData"] = extra }
        if !cells["Quantity"].isEmpty { entries[0].meta["quantity"] = cells["Quantity"] }
        entries[0].value.durationS = try cells.secondsFromMinutes("Duration (min)")
        return entries
    }
}

extension BabyCare.Side {
    /// Finds the side in a text like `Left`, `right breast`, `both` or `Left and right`; `nil` if
    /// the text names no side.
    init?(words text: String) {
        let words = text.lowercased()
        let named = ["left", "right", "both"].map { words.contains(asciiWord: $0) }
        switch (named[0], named[1], named[2]) {
        case (true, true, _), (_, _, true): self = .both
        case (true, false, _): self = .left
        case (false, true, _): self = .right
        default: return nil
        }
    }

    /// Finds the side from the lengths of feeding at each; a length of 0 or `nil` is no side.
    init?(left: Int64?, right: Int64?) {
        switch ((left ?? 0) > 0, (right ?? 0) > 0) {
        case (true, true): self = .both
        case (true, false): self = .left
        case (false, true): self = .right
        case (false, false): return nil
        }
    }
}

extension BabyCare.ImportedEntry {
    /// Sets the volume to the sum of the volumes in the texts, such as `4 oz`.
    ///
    /// A text that is not a volume is ignored; without any volume the entry has none.
    ///
    /// - Parameter unit: the unit of a number without a unit; `nil` to ignore such a number.
    mutating func setVolume(toSumOf texts: [String], unit: BabyCare.AmountUnit? = nil) {
        var amounts: [Int64] = []
        for text in texts {
            let number = text.prefix { $0.isNumber || ".,".contains($0) }
            let name = text.dropFirst(number.count).trimmed
            let unit = name.isEmpty ? unit : BabyCare.AmountUnit(name: name)
            guard let amount = unit?.microlitres(number) else { continue }
            amounts.append(amount)
            (value.original, value.originalUnit) =
                amounts.count == 1 ? (String(number), unit?.rawValue) : (nil, nil)
        }
        value.amountUl = amounts.isEmpty ? nil : amounts.reduce(0, +)
    }
}

extension CareCells {
    /// Returns the entries of one diaper: pee, poo, or both; a single dry entry for neither.
    ///
    /// - Parameters:
    ///   - time: the name of the column with the start.
    ///   - end: the name of the column with the end; `nil` if there is none.
    ///   - text: the note, which is set only for the first entry.
    func diaperEntries(
        isWet: Bool, isSolid: Bool, _ time: String, _ end: String?, _ text: PersonalText?
    ) throws(Reason) -> [BabyCare.ImportedEntry] {
        var entries: [BabyCare.ImportedEntry] = []
        let kinds = [(BabyCare.Kind.pee, isWet), (.poo, isSolid), (.dry, !isWet && !isSolid)]
        for (kind, isPresent) in kinds where isPresent {
            var entry = try entry(kind, time, end)
            entry.part = isWet && isSolid ? kind.name : nil
            entry.value.count = 1
            entry.text = entries.isEmpty ? text : nil
            entries.append(entry)
        }
        return entries
    }
}
