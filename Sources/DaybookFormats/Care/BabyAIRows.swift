import Daybook
import DaybookModel

/// Reads rows of BabyAI's export, which has times in UTC, and values and metadata as JSON objects.
///
/// The export has no column for the state of an entry. Daybook's own export writes `state` into the
/// metadata of open and cancelled entries.
struct BabyAIRows: CareRowReader {
    /// Columns that a file must have: all of the export's columns.
    let requiredColumns = CareFile.babyAIHeader
    /// Column that an error names if an entry ends before it starts or is too long.
    let endColumn = "end_time_utc"

    /// Returns the cells without the apostrophe that keeps spreadsheets from running formulas.
    func fields(of record: CSVParser.Record, _ columns: CSVColumns) -> [String] {
        record.fields.map(SpreadsheetText.unescaped)
    }

    func child(_ cells: CareCells) -> CareFile.Child? { CareFile.Child(id: cells["baby_id"]) }

    /// Parses a row as one entry, with its id, author and source.
    func read(_ cells: CareCells, into content: inout CareFile.Content) throws(Reason) {
        let value = try jsonMembers(cells, "value_json")
        var meta = try jsonMembers(cells, "metadata_json")
        content.identifyingCells = [cells["event_id"]]
        content.entryId = cells["event_id"]
        content.caregiver = cells["created_by"].isEmpty ? nil : cells["created_by"]
        content.created = try time(cells, "created_at_utc")
        content.source = source(cells["source"])
        guard !cells["event_id"].isEmpty else {
            throw Reason("noId", "event_id", "expected the id of the entry, found an empty cell")
        }
        guard let started = try time(cells, "start_time_utc") else {
            throw Reason(
                "unreadableTime", "start_time_utc", "expected a time in UTC, found an empty cell")
        }
        let state = meta.removeValue(forKey: "state")?.text.lowercased()
        let details: BabyCare.Details
        do throws(BabyCare.UnreadableDetail) {
            details = try BabyCare.Details(kind: cells["type"], value: value, meta: meta)
        } catch {
            throw Reason(
                error.field == "kind" ? "unknownActivity" : "unreadableAmount", error.field,
                "expected \(error.expected), found '\(error.text.prefix(60))'")
        }
        if let name = details.unknownFields.first(where: BabyCare.UnreadableDetail.isMisspelt) {
            let error = BabyCare.UnreadableDetail(unknown: name)
            throw Reason(
                "unknownField", "value_json", "expected \(error.expected), found '\(error.text)'")
        }
        var entry = Entry(details.kind, started: started)
        entry.ended = try time(cells, "end_time_utc")
        entry.value = details.value
        entry.meta = details.meta
        entry.restoreExactValues()
        entry.text = details.text.map { PersonalText(cells.rules.normalise($0)) }
        entry.textName = details.textName
        switch state {
        case "canceled", "cancelled": entry.state = .cancelled
        case "open": entry.state = .open
        default: entry.state = nil
        }
        content.entries = [entry]
    }

    /// Returns the way in which an entry was recorded, such as by voice; `nil` for an unknown name.
    private func source(_ text: String) -> BabyCare.Source? {
        BabyCare.Source(name: text.lowercased())
    }

    /// Parses the time in the column `name`, in UTC unless the text has an offset; `nil` for an
    /// empty cell.
    private func time(_ cells: CareCells, _ name: String) throws(Reason) -> Instant? {
        let text = cells[name]
        guard !text.isEmpty else { return nil }
        if let exact = LooseTime.parse(text) { return exact.instant }
        guard let (local, fractionUs) = LocalText.read(text) else {
            throw Reason(
                "unreadableTime", name, "expected a time in UTC, found '\(text.prefix(60))'")
        }
        return Zone.utc.instant(of: local).advanced(byMicroseconds: fractionUs)
    }

    /// Returns the members of the JSON object in the column `name`; no members for an empty cell.
    private func jsonMembers(
        _ cells: CareCells, _ name: String
    ) throws(Reason) -> [String: Scalar] {
        let text = cells[name]
        guard !text.isEmpty else { return [:] }
        let tree: Tree
        do throws(InputError) {
            tree = try JSONParser.parse(text.utf8)
        } catch {
            throw Reason("unreadableJSON", name, "the cell is not JSON: \(error.message)")
        }
        guard case .map(let members) = tree.content else {
            throw Reason("unreadableJSON", name, "expected a JSON object, found \(tree.noun)")
        }
        var scalars: [String: Scalar] = [:]
        for member in members {
            switch member.value.content {
            case .null: break
            case .text(let text): scalars[member.key] = Scalar(cells.rules.normalise(text))
            case .integer(let number): scalars[member.key] = Scalar("\(number)")
            case .number(let text): scalars[member.key] = Scalar(text)
            case .boolean(let flag): scalars[member.key] = Scalar(flag ? "true" : "false")
            case .list, .map: scalars[member.key] = Scalar(member.value.canonicalText)
            }
        }
        return scalars
    }
}

extension BabyCare.ImportedEntry {
    /// Moves the exact values that Daybook's export added to the metadata back to their fields.
    fileprivate mutating func restoreExactValues() {
        if let exact = meta.removeValue(forKey: "exactDurationS").flatMap({ Int64($0) }) {
            value.durationS = exact
        } else if let lengthS = value.durationS, let ended,
            ended.microseconds(since: started) / 60_000_000 == lengthS / 60
        {
            // The times already give this duration.
            value.durationS = nil
        }
        // An empty text means no value.
        for (key, field) in [
            ("exactOriginal", \BabyCare.Value.original),
            ("exactOriginalUnit", \BabyCare.Value.originalUnit),
            ("exactMethod", \BabyCare.Value.method),
        ] {
            guard let text = meta.removeValue(forKey: key) else { continue }
            value[keyPath: field] = text.isEmpty ? nil : text
        }
        declaredDurationS = meta.removeValue(forKey: "declaredDurationS").flatMap { Int64($0) }
        endConfidence = meta.removeValue(forKey: CareFile.endConfidenceKey).flatMap { Int64($0) }
            .flatMap { ended != nil && (0...100).contains($0) ? $0 : nil }
    }
}
