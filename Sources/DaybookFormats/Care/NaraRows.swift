import Daybook
import DaybookModel

/// Reads rows of Nara's export, a table in which most columns belong to one type of row.
///
/// The name of such a column starts with the type in brackets: `[Sleep] End Date/time (Epoch)`.
/// Times are milliseconds since 1970, and each row names the phone's time zone. Because columns
/// differ between files, only the non-empty cells distinguish rows.
///
/// Source: public programs that read exports: header and rows in the tests of nido, the readers
/// of Nestling and of a Firestore tracker, and the field list of nara-baby-exporter.
struct NaraRows: CareRowReader {
    /// Name of the column with the start in milliseconds since 1970.
    private static let startEpochColumn = "Start Date/time (Epoch)"
    let requiredColumns = ["Type", startEpochColumn]
    let endColumn = "[Sleep] End Date/time (Epoch)"
    let lengthColumn = "[Sleep] Duration (Seconds)"
    /// Columns for one type of row that no field of an entry covers; their cells go to the note.
    private let unmappedColumns: [String]

    /// Creates a reader for a file with these columns.
    init(_ columns: CSVColumns) {
        unmappedColumns = columns.names.filter {
            $0.hasPrefix("[") && !Self.mappedColumns.contains($0)
        }
    }

    /// Returns the non-empty cells with their columns, because the columns differ between files.
    func distinguishingCells(_ fields: [String], _ columns: CSVColumns) -> [String] {
        Self.namedCells(fields, columns)
    }

    /// Returns an empty text; the time zone matters only for a time without milliseconds.
    func settingsText(_ zone: Zone, _ settings: CareFile.Settings) -> String { "" }

    /// Returns the child with its key and name; `nil` for the profile of a caregiver.
    func child(_ cells: CareCells) -> CareFile.Child? {
        let profileType = cells["[Profile] Type"].lowercased()
        guard profileType.isEmpty || profileType == "child" else { return nil }
        return CareFile.Child(id: cells["_profileKey"], name: cells["Profile Name"])
    }

    /// Parses a row by its type: an activity, or the profile of the child.
    func read(_ cells: CareCells, into content: inout CareFile.Content) throws(Reason) {
        let type = cells["Type"]
        guard !type.isEmpty else {
            throw Reason(
                "unknownActivity", "Type", "expected a type such as Sleep, found an empty cell")
        }
        if type == "Profile" { return try profile(cells, &content) }
        let key = cells["_activityKey"]
        content.identifyingCells = key.isEmpty ? [type, cells[Self.startEpochColumn]] : [key]
        let caregiver = cells["Created By Caregiver"]
        content.caregiver = caregiver.isEmpty ? nil : caregiver
        guard let started = try time(cells, "Start Date/time") else {
            throw Reason(
                "unreadableTime", Self.startEpochColumn,
                "expected a time in milliseconds since 1970, found an empty cell")
        }
        var entries = try entries(type, cells, started.instant)
        for index in entries.indices {
            if entries.count > 1 { entries[index].part = entries[index].kind.name }
            entries[index].startFlag = started.flag
        }
        let zone = cells["Time Zone"]
        if !zone.isEmpty, zone != cells.context.zone.name { entries[0].meta["timeZone"] = zone }
        let others = unmappedColumns.filter { !cells[$0].isEmpty }.map { "\($0): \(cells[$0])" }
        let texts = [entries[0].text?.text, cells.note("Note")?.text].compactMap(\.self) + others
        entries[0].text = texts.isEmpty ? nil : PersonalText(texts.joined(separator: "\n"))
        content.entries = entries
    }

    /// Reads the birth date, if any, from a row about the child itself.
    private func profile(_ cells: CareCells, _ content: inout CareFile.Content) throws(Reason) {
        let type = cells["[Profile] Type"].lowercased()
        guard type.isEmpty || type == "child" else { return }
        let name = "[Profile] Birth Date"
        guard !cells[name].isEmpty else { return }
        guard let date = CivilDate(text: String(cells[name].prefix(10))) else {
            throw Reason(
                "unreadableTime", name,
                "expected a birth date like 2026-01-31, found '\(cells[name].prefix(60))'")
        }
        content.birthDate = date.text
    }

    // MARK: Times

    /// Reads the milliseconds in the column `name (Epoch)` or, without them, the time in `name`;
    /// `nil` if both cells are empty.
    private func time(_ cells: CareCells, _ name: String) throws(Reason) -> CareCells.CellTime? {
        let epoch = cells["\(name) (Epoch)"]
        guard !epoch.isEmpty else { return try cells.time(name) }
        // Some rewritten files have seconds, which as milliseconds would lie in the early 1970s.
        let number = Int64(epoch).map { $0 < 100_000_000_000 ? $0 * 1_000 : $0 }
        guard let number, (0..<4_102_444_800_000).contains(number) else {
            throw Reason(
                "unreadableTime", "\(name) (Epoch)",
                "expected a time in milliseconds since 1970, found '\(epoch.prefix(60))'")
        }
        return CareCells.CellTime(instant: Instant(microseconds: number * 1_000))
    }

    /// Reads a number of whole seconds from the column `name`; `nil` for an empty cell.
    private func seconds(_ cells: CareCells, _ name: String) throws(Reason) -> Int64? {
        guard !cells[name].isEmpty else { return nil }
        return try cells.checkedAmount(Int64(cells[name]), name)
    }

    // MARK: Types

    /// Reads the entries of a row of any type but `Profile`.
    private func entries(
        _ type: String, _ cells: CareCells, _ started: Instant
    ) throws(Reason) -> [Entry] {
        switch type {
        case "Breastfeed": return [try breastfeed(cells, type, started)]
        case "Bottle Feed": return [try bottle(cells, type, started)]
        case "Combo Feed":
            let isFed = ["Left", "Right"].contains { side in
                !cells["[\(type)] \(side) Duration (Seconds)"].isEmpty
            }
            let bottle = try bottle(cells, type, started)
            if !isFed, bottle.value.amountUl != nil { return [bottle] }
            let breastfeed = try breastfeed(cells, type, started)
            return bottle.value.amountUl == nil ? [breastfeed] : [breastfeed, bottle]
        case "Sleep": return [try sleep(cells, started)]
        case "Diaper": return try diaperEntries(cells, started)
        case "Pump": return [try pump(cells, started)]
        case "Growth": return [try growth(cells, started)]
        case "Solid Feed", "Solids":
            var entry = Entry(.weaning, started: started)
            let food = cells["[Solid Feed] Food"] + cells["[Solids] Food"]
            entry.value.contents = food.isEmpty ? nil : food
            setDetail("meal", cells["[Solid Feed] Meal"], &entry)
            return [entry]
        case "Medical": return try medicalEntries(cells, started)
        case "Vaccine":
            var entry = Entry(.medication, started: started)
            entry.value.type = "vaccine"
            let name = cells["[Vaccine] Vaccine"]
            entry.value.name = name.isEmpty ? nil : name
            return [entry]
        default: return [otherEntry(type, cells, started)]
        }
    }

    /// Sets a metadata value of an entry, unless the text is empty.
    private func setDetail(_ key: String, _ text: String, _ entry: inout Entry) {
        if !text.isEmpty { entry.meta[key] = text }
    }

    /// Reads a breastfeed with durations in seconds for each side.
    private func breastfeed(
        _ cells: CareCells, _ type: String, _ started: Instant
    ) throws(Reason) -> Entry {
        var entry = Entry(.breastfeed, started: started)
        let left = try seconds(cells, "[\(type)] Left Duration (Seconds)")
        let right = try seconds(cells, "[\(type)] Right Duration (Seconds)")
        if left != nil || right != nil { entry.value.durationS = (left ?? 0) + (right ?? 0) }
        // `RIGHT.nonTimer` means that the time was entered by hand.
        let (begin, end) = (cells["[\(type)] Begin Side"], cells["[\(type)] End Side"])
        entry.value.side =
            BabyCare.Side(left: left, right: right) ?? BabyCare.Side(words: begin + " " + end)
        if entry.value.side == .both {
            setDetail("leftS", left.map { "\($0)" } ?? "", &entry)
            setDetail("rightS", right.map { "\($0)" } ?? "", &entry)
            setDetail("beginSide", BabyCare.Side(words: begin)?.name ?? "", &entry)
            setDetail("endSide", BabyCare.Side(words: end)?.name ?? "", &entry)
        }
        return entry
    }

    /// Reads a volume in microlitres, with its text and unit in the file; `nil` for an empty cell.
    private func volume(
        _ cells: CareCells, _ name: String
    ) throws(Reason) -> (ul: Int64, text: String, unit: BabyCare.AmountUnit)? {
        let text = cells[name]
        guard !text.isEmpty else { return nil }
        let unit = try unit(cells, name)
        return (try cells.checkedAmount(unit.microlitres(text), name), text, unit)
    }

    /// Reads the unit of the amounts in the column `name` from the column `name Unit`.
    private func unit(_ cells: CareCells, _ name: String) throws(Reason) -> BabyCare.AmountUnit {
        try cells.unit(cells["\(name) Unit"].filter { $0 != "_" }, "\(name) Unit")
    }

    /// Sets the volume to the sum of the columns `parts` or, if these are empty, to `whole`.
    private func setVolume(
        _ cells: CareCells, _ parts: [String], orElse whole: String, of entry: inout Entry
    ) throws(Reason) {
        var volumes: [(ul: Int64, text: String, unit: BabyCare.AmountUnit)] = []
        for part in parts {
            if let volume = try volume(cells, part) { volumes.append(volume) }
        }
        if volumes.isEmpty, let volume = try volume(cells, whole) { volumes = [volume] }
        guard let first = volumes.first else { return }
        entry.value.amountUl = volumes.reduce(0) { $0 + $1.ul }
        if volumes.count == 1 {
            (entry.value.original, entry.value.originalUnit) = (first.text, first.unit.rawValue)
        }
    }

    /// Reads a bottle of formula, breast milk or both as one entry.
    private func bottle(
        _ cells: CareCells, _ type: String, _ started: Instant
    ) throws(Reason) -> Entry {
        var entry = Entry(.formula, started: started)
        let (milk, formula) = ("[\(type)] Breast Milk Volume", "[\(type)] Formula Volume")
        try setVolume(cells, [milk, formula], orElse: "[\(type)] Volume", of: &entry)
        let contents = cells["[\(type)] Type"]
        entry.value.contents = contents.isEmpty ? nil : contents
        entry.value.method = "bottle"
        if let milkUl = try volume(cells, milk)?.ul, let formulaUl = try volume(cells, formula)?.ul
        {
            entry.meta["breastMilkMl"] = milkUl.decimalText(places: 3)
            entry.meta["formulaMl"] = formulaUl.decimalText(places: 3)
        }
        setDetail("formulaName", cells["[\(type)] Formula Name"], &entry)
        return entry
    }

    /// Reads a sleep; without an end and with a length of 0, it is still open.
    private func sleep(_ cells: CareCells, _ started: Instant) throws(Reason) -> Entry {
        var entry = Entry(.sleep, started: started)
        entry.declaredDurationS = try seconds(cells, "[Sleep] Duration (Seconds)")
        entry.setEnd(try time(cells, "[Sleep] End Date/time"))
        if entry.ended == nil, entry.declaredDurationS == 0 { entry.state = .open }
        return entry
    }

    /// Reads the entries of a diaper: pee, poo, both or dry.
    private func diaperEntries(_ cells: CareCells, _ started: Instant) throws(Reason) -> [Entry] {
        let name = "[Diaper] Type"
        let words = cells[name].lowercased()
        let isBoth = words.contains("mixed") || words.contains("both")
        let isWet = isBoth || words.contains("wet") || words.contains("pee")
        let isSolid = isBoth || words.contains("dirty") || words.contains("poo")
        guard isWet || isSolid || words.contains("dry") else {
            throw Reason(
                "unknownDiaper", name,
                "expected a Wet, Dirty or Dry diaper, found '\(words.prefix(60))'")
        }
        let kinds: [(BabyCare.Kind, Bool)] = [
            (.pee, isWet), (.poo, isSolid), (.dry, !isWet && !isSolid),
        ]
        var entries = kinds.filter(\.1).map { kind, _ in
            var entry = Entry(kind, started: started)
            entry.value.count = 1
            return entry
        }
        setDetail("detail", cells["[Diaper] Detail"], &entries[0])
        let last = entries.count - 1
        setDetail("color", cells["[Diaper] Dirty Color"], &entries[last])
        setDetail("texture", cells["[Diaper] Dirty Texture"], &entries[last])
        return entries
    }

    /// Reads a pumping session as a memo with the total volume.
    private func pump(_ cells: CareCells, _ started: Instant) throws(Reason) -> Entry {
        var entry = Entry(.memo, started: started)
        entry.meta["activity"] = "pumping"
        let (left, right) = ("[Pump] Left Volume", "[Pump] Right Volume")
        try setVolume(cells, [left, right], orElse: "[Pump] Total Volume", of: &entry)
        entry.setEnd(try time(cells, "[Pump] End Date/time"))
        if let ended = entry.ended, ended < started {
            throw Reason(
                "endBeforeStart", "[Pump] End Date/time (Epoch)",
                "the pumping ends before its start")
        }
        entry.value.durationS = try seconds(cells, "[Pump] Duration (Seconds)")
        let (leftUl, rightUl) = (try volume(cells, left)?.ul, try volume(cells, right)?.ul)
        setDetail("leftMl", leftUl?.decimalText(places: 3) ?? "", &entry)
        setDetail("rightMl", rightUl?.decimalText(places: 3) ?? "", &entry)
        return entry
    }

    /// Reads weight, height and head size; a row without any of them is an error.
    private func growth(_ cells: CareCells, _ started: Instant) throws(Reason) -> Entry {
        var entry = Entry(.growth, started: started)
        let (weight, height, head) = ("[Growth] Weight", "[Growth] Height", "[Growth] Head Size")
        if !cells[weight].isEmpty {
            entry.value.massMg = try cells.checkedAmount(
                try unit(cells, weight).milligrams(cells[weight]), weight)
        }
        if !cells[height].isEmpty {
            entry.value.lengthUm = try cells.checkedAmount(
                try unit(cells, height).micrometres(cells[height]), height)
        }
        if !cells[head].isEmpty {
            entry.value.headUm = try cells.checkedAmount(
                try unit(cells, head).micrometres(cells[head]), head)
        }
        try entry.checkMeasured(weight)
        return entry
    }

    /// Reads a medication, a temperature or both; a memo if the row has neither.
    private func medicalEntries(_ cells: CareCells, _ started: Instant) throws(Reason) -> [Entry] {
        var entries: [Entry] = []
        let medication = cells["[Medical] Medication"]
        if !medication.isEmpty {
            var entry = Entry(.medication, started: started)
            entry.value.name = medication
            let dose = [cells["[Medical] Dose"], cells["[Medical] Dose Unit"]]
                .filter { !$0.isEmpty }
            entry.value.dose = dose.isEmpty ? nil : dose.joined(separator: " ")
            entries.append(entry)
        }
        let temperature = "[Medical] Temperature"
        if !cells[temperature].isEmpty {
            var entry = Entry(.symptom, started: started)
            let unit = try unit(cells, temperature)
            let text = cells[temperature]
            entry.value.milliC = try cells.checkedAmount(unit.thousandthsCelsius(text), temperature)
            (entry.value.original, entry.value.originalUnit) = (text, unit.rawValue)
            entries.append(entry)
        }
        return entries.isEmpty ? [otherEntry("Medical", cells, started)] : entries
    }

    /// Returns a medication for a routine about a vitamin, and a memo for any other row.
    private func otherEntry(_ type: String, _ cells: CareCells, _ started: Instant) -> Entry {
        let routine = cells["[Routine] Routine"]
        if routine.lowercased().contains("vitamin") {
            var entry = Entry(.medication, started: started)
            entry.value.name = routine
            return entry
        }
        var entry = Entry(.memo, started: started)
        entry.meta["activity"] = routine.isEmpty ? type : routine
        return entry
    }

    /// Columns for one type of row whose cells become fields or metadata, or are not needed.
    private static let mappedColumns: Set<String> = {
        var names: Set<String> = [
            "[Solid Feed] Food", "[Solid Feed] Meal", "[Solids] Food", "[Routine] Routine",
            "[Vaccine] Vaccine", "[Medical] Medication", "[Medical] Dose", "[Medical] Dose Unit",
            "[Medical] Temperature", "[Medical] Temperature Unit", "[Diaper] Type",
            "[Diaper] Detail", "[Diaper] Dirty Color", "[Diaper] Dirty Texture",
        ]
        for type in ["Breastfeed", "Combo Feed", "Bottle Feed", "Pump", "Sleep"] {
            for field in [
                "Begin Side", "End Side", "Left Duration (Seconds)", "Right Duration (Seconds)",
                "Type", "Formula Name", "Duration (Seconds)", "End Date/time",
                "End Date/time (Epoch)", "Breast Milk Volume", "Formula Volume", "Volume",
                "Left Volume", "Right Volume", "Total Volume", "Breast Milk Volume Unit",
                "Formula Volume Unit", "Volume Unit", "Left Volume Unit", "Right Volume Unit",
                "Total Volume Unit",
            ] { names.insert("[\(type)] \(field)") }
        }
        for field in ["Weight", "Height", "Head Size"] {
            names.formUnion(["[Growth] \(field)", "[Growth] \(field) Unit"])
        }
        return names
    }()
}
