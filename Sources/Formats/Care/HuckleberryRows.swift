import Domain
import EventSourcing

/// Huckleberry: what the conditions mean depends on the type.
struct HuckleberryRows: CareRowReader {
    let columns = ["Type", "Start", "End"]

    func read(_ cells: CareCells, into content: inout CareFile.Content) throws(CareFile.Reason) {
        let type = cells["Type"].lowercased()
        content.identity = [
            type, cells["Start"], cells["Start Conditions"], cells["Start Location"],
        ]
        switch type {
        case "": throw CareFile.Reason("unknownActivity", "Type", "is empty")
        case "sleep", "nap":
            var entry = try cells.entry(.sleep, "Start", "End")
            entry.declaredDurationS = try cells.duration("Duration")
            entry.value.isNap = type == "nap" ? true : nil
            content.entries = [entry]
        case "feed", "feeding", "bottle", "nursing": content.entries = [try feed(cells, type)]
        case "solids", "solid": content.entries = [try cells.entry(.weaning, "Start", "End")]
        case "meds", "medicine", "medication":
            var entry = try cells.entry(.medication, "Start", "End")
            entry.value.name = some(cells["Start Location"])
            entry.value.dose = some(cells["Start Conditions"])
            content.entries = [entry]
        case "diaper", "potty": content.entries = try diaper(cells)
        case "growth": content.entries = [try growth(cells)]
        case "temp", "temperature": content.entries = [try temperature(cells)]
        default:
            var entry = try cells.entry(.memo, "Start", "End")
            entry.meta["activity"] = cells["Type"]
            entry.value.durationS = try cells.duration("Duration")
            content.entries = [entry]
        }
        if !content.entries.isEmpty, content.entries[0].text == nil {
            content.entries[0].text = cells.note("Notes")
        }
        keepConditions(cells, &content)
    }

    private func some(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// What has no field of its own is kept as it stands.
    private func keepConditions(_ cells: CareCells, _ content: inout CareFile.Content) {
        guard let kind = content.entries.first?.kind else { return }
        let isTold: Set<BabyCare.Kind> = [.formula, .breastfeed, .medication, .growth, .symptom]
        guard !isTold.contains(kind) else { return }
        for (name, key) in [
            ("Start Conditions", "startConditions"), ("Start Location", "startLocation"),
            ("End Conditions", "endConditions"),
        ] where !cells[name].isEmpty {
            content.entries[0].meta[key] = cells[name]
        }
    }

    private func feed(
        _ cells: CareCells, _ type: String
    ) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        let start = cells["Start Conditions"]
        let location = cells["Start Location"].lowercased()
        let isBreast =
            location.contains("breast") || type == "nursing"
            || (start.lowercased().contains("breast") && location != "bottle")
        var entry = try cells.entry(isBreast ? .breastfeed : .formula, "Start", "End")
        let lengthS = try cells.duration("Duration")
        entry.value.durationS = lengthS
        let end = cells["End Conditions"]
        guard !isBreast else {
            entry.value.side = BabyCare.Side(words: start + " " + location + " " + end)
            try sides([start, end], &entry)
            return entry
        }
        entry.value.contents = some(start)
        entry.value.method = some(location)
        guard !end.isEmpty else { return entry }
        let number = try cells.split(end, "End Conditions")
        let unit = try cells.unit(number.unit, "End Conditions")
        entry.value.amountUl = try cells.amount(
            unit.microlitres(number.number), "End Conditions")
        (entry.value.original, entry.value.originalUnit) = (number.number, unit.rawValue)
        return entry
    }

    /// Times at each side: `12:30L`, `05:00R`.
    private func sides(
        _ texts: [String], _ entry: inout BabyCare.ImportedEntry
    ) throws(CareFile.Reason) {
        var seen: [BabyCare.Side] = []
        var totalS: Int64 = 0
        for text in texts {
            guard let letter = text.last?.uppercased(), letter == "L" || letter == "R",
                text.dropLast().allSatisfy({ $0.isNumber || $0 == ":" }), text.contains(":")
            else { continue }
            let parts = text.dropLast().split(separator: ":").compactMap { Int64($0) }
            guard parts.count == 2, parts[0] < 10_000, parts[1] < 60 else { continue }
            seen.append(letter == "L" ? .left : .right)
            totalS += parts[0] * 60 + parts[1]
        }
        guard let first = seen.first else { return }
        entry.value.side = seen.contains { $0 != first } ? .both : first
        entry.value.durationS = entry.value.durationS ?? totalS
    }

    private func diaper(
        _ cells: CareCells
    ) throws(CareFile.Reason) -> [BabyCare.ImportedEntry] {
        let words = cells["End Conditions"].lowercased()
        let isBoth = words.hasPrefix("both")
        let isWet = isBoth || words.contains("pee") || words.contains("wet")
        let isSolid = isBoth || words.contains("poo") || words.contains("dirty")
        guard isWet || isSolid else {
            throw CareFile.Reason(
                "unknownDiaper", "End Conditions",
                "expected pee, poo or both, found '\(cells["End Conditions"].prefix(60))'")
        }
        return try cells.diapers(isWet: isWet, isSolid: isSolid, "Start", cells.note("Notes"))
    }

    private func growth(_ cells: CareCells) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        var entry = try cells.entry(.growth, "Start", "End")
        for name in ["Start Conditions", "Start Location", "End Conditions"] {
            var text = cells[name]
            guard !text.isEmpty else { continue }
            let isHead = text.uppercased().hasSuffix("HC")
            if isHead { text = text.dropLast(2).trimmed }
            let number = try cells.split(text, name)
            let unit = try cells.unit(number.unit, name)
            if let mass = unit.milligrams(number.number), !isHead {
                entry.value.massMg = try cells.amount(mass, name)
            } else if isHead {
                entry.value.headUm = try cells.amount(unit.micrometres(number.number), name)
            } else {
                entry.value.lengthUm = try cells.amount(unit.micrometres(number.number), name)
            }
        }
        return entry
    }

    private func temperature(
        _ cells: CareCells
    ) throws(CareFile.Reason) -> BabyCare.ImportedEntry {
        var entry = try cells.entry(.symptom, "Start", "End")
        let name = cells["Start Conditions"].isEmpty ? "End Conditions" : "Start Conditions"
        let number = try cells.split(cells[name], name)
        let unit = try cells.unit(number.unit, name)
        entry.value.milliC = try cells.amount(unit.thousandthsCelsius(number.number), name)
        (entry.value.original, entry.value.originalUnit) = (number.number, unit.rawValue)
        return entry
    }
}
