import Daybook
import DaybookModel

extension CareFile {
    /// Column names of BabyAI's export, in order.
    static let babyAIHeader = [
        "event_id", "baby_id", "type", "start_time_utc", "end_time_utc", "value_json",
        "metadata_json", "source", "created_by", "created_at_utc",
    ]

    /// Metadata key for the confidence in an estimated end, in percent.
    static let endConfidenceKey = "estimatedEndConfidence"

    /// The personal texts of an entry, which `BabyCare.Entry` does not contain.
    struct EntryTexts: Equatable, Sendable {
        /// The note; `nil` if the entry has no note, or the note is erased.
        var note: String?
        /// Names of people in the entry's metadata, by metadata key.
        var names: [String: String] = [:]
    }

    /// Returns the entries, including cancelled entries, as BabyAI's CSV export.
    ///
    /// Rows are sorted by start, then by creation time.
    ///
    /// - Parameters:
    ///   - isRaw: true to write all texts unchanged, even those that a spreadsheet would run as
    ///     formulas.
    ///   - texts: returns the personal texts of an entry; `nil` if it has none or all are erased.
    static func babyAICSV(
        _ entries: [BabyCare.Entry], babyId: String, isRaw: Bool = false,
        texts: (BabyCare.Entry) -> EntryTexts?
    ) -> String {
        var writer = CSVWriter(isRaw: isRaw)
        writer.writeRecord(babyAIHeader)
        let ordered = entries.sorted {
            ($0.started, $0.history.created, $0.entryId)
                < ($1.started, $1.history.created, $1.entryId)
        }
        for entry in ordered {
            let texts = texts(entry)
            let meta = entry.meta.merging(texts?.names ?? [:]) { _, name in name }
            let createdBy = meta["createdBy"] ?? entry.by?.name ?? ""
            writer.writeRecord([
                entry.entryId, babyId,
                (entry.kind.memoCategory == nil ? entry.kind.name : "memo").uppercased(),
                Timestamp.text(entry.started), entry.ended.map(Timestamp.text) ?? "",
                valueJSON(entry, texts?.note), metadataJSON(entry, meta),
                entry.source.name.uppercased(),
                createdBy, Timestamp.text(entry.history.created),
            ])
        }
        return writer.text
    }

    /// Returns the name of an export: `babyai_export_<baby>_<yyyymmdd_hhmmss>.csv`. The date and
    /// time are those of `now` in UTC.
    static func babyAIFileName(_ babyId: String, at now: Instant) -> String {
        let digits = Timestamp.text(Instant(microseconds: now.microseconds / 1_000_000 * 1_000_000))
            .filter(\.isNumber)
        return "babyai_export_\(babyId)_\(digits.prefix(8))_\(digits.dropFirst(8).prefix(6)).csv"
    }

    /// Returns the amounts, texts and other values of an entry as a JSON object.
    private static func valueJSON(_ entry: BabyCare.Entry, _ text: String?) -> String {
        let value = entry.value
        var members: [String: String] = [:]
        let number = { (key: String, small: Int64?, places: Int) in
            if let small { members[key] = small.decimalText(places: places) }
        }
        let word = { (key: String, text: String?) in
            if let text { members[key] = JSONWriter.text(text) }
        }
        number("ml", value.amountUl, 3)
        if entry.kind == .growth {
            number("weight_kg", value.massMg, 6)
        } else {
            number("grams", value.massMg, 3)
        }
        number("height_cm", value.lengthUm, 4)
        number("head_cm", value.headUm, 4)
        number("temp_c", value.milliC, 3)
        let lengthS = value.durationS ?? (entry.ended == nil ? nil : entry.lengthUs / 1_000_000)
        number("duration_min", lengthS.map { $0 / 60 }, 0)
        number("count", value.count, 0)
        word("side", value.side?.name)
        word("contents", value.contents)
        let typeKey =
            switch entry.kind {
            case .pee, .poo, .dry: "diaper_type"
            case .weaning: "weaning_type"
            case .medication: "medication_type"
            default: "type"
            }
        word(typeKey, value.type)
        word("name", value.name)
        word("dose", value.dose)
        word("method", value.method)
        if let isNap = value.isNap { members["nap"] = isNap ? "true" : "false" }
        word(entry.textName?.name ?? "memo", text)
        return jsonObject(members)
    }

    /// Returns the cell `metadata_json` of an exported entry: `meta`, the entry's category and
    /// state, and its values without rounding.
    ///
    /// - Parameter meta: the entry's own metadata, with the names of people.
    private static func metadataJSON(_ entry: BabyCare.Entry, _ meta: [String: String]) -> String {
        var members = meta.mapValues { JSONWriter.text($0) }
        members["createdBy"] = nil
        if let category = entry.kind.memoCategory {
            members["category"] = "\"\(category)\""
            members["entry_kind"] = "\"\(category)\""
        }
        switch entry.state {
        case .open: members["state"] = "\"OPEN\""
        case .cancelled: members["state"] = "\"CANCELED\""
        // A detail with this key would be read as the state.
        default: members["state"] = nil
        }
        for (key, text) in exactValues(entry) { members[key] = JSONWriter.text(text) }
        return jsonObject(members)
    }

    /// Returns the values of an entry that BabyAI's fields would round or lose, by metadata key.
    /// `BabyAIRows` restores these values. An empty text stands for an absent value that
    /// `BabyAIRows` would otherwise derive from other fields.
    private static func exactValues(_ entry: BabyCare.Entry) -> [String: String] {
        let value = entry.value
        let amounts = [value.amountUl, value.massMg, value.lengthUm, value.headUm, value.milliC]
        let hasAmount = amounts.contains { $0 != nil }
        var exact: [String: String] = [:]
        // The app's field has whole minutes.
        exact["exactDurationS"] = value.durationS.map { "\($0)" }
        exact["exactOriginal"] = value.original ?? (hasAmount ? "" : nil)
        exact["exactOriginalUnit"] = value.originalUnit ?? (hasAmount ? "" : nil)
        if entry.kind == .symptom, value.milliC != nil, value.method == nil {
            exact["exactMethod"] = ""
        }
        exact["declaredDurationS"] = entry.file.declaredDurationS.map { "\($0)" }
        if entry.isEstimated, entry.ended != nil {
            exact[endConfidenceKey] = "\(entry.confidence ?? 0)"
        }
        return exact
    }

    /// Returns a JSON object with sorted keys, given each value as JSON text.
    private static func jsonObject(_ members: [String: String]) -> String {
        "{"
            + members.sorted { $0.key < $1.key }
            .map { "\(JSONWriter.text($0.key)):\($0.value)" }.joined(separator: ",") + "}"
    }
}
