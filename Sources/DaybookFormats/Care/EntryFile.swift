import Daybook
import DaybookModel

/// An export of a baby's entries, including cancelled entries, in BabyAI's CSV format.
struct EntryFile: FileExport {
    typealias Model = RecordedEntries
    static let name = "babyai-csv"
    static let summary = "A baby's entries, as BabyAI exports them."
    static let subject = FileOption.id("baby", "The baby, for babyai-csv.")
    /// True, so that `--record` records the export in the log.
    static let isRecorded = true
    var babyId = ""
    /// True to write all texts unchanged, even those that a spreadsheet would run as formulas.
    var isRaw = false
    static var blank: Self { Self() }
    /// The option `--raw`, which sets `isRaw`.
    static let options = [
        FileOption(
            "raw", .flag,
            "Leave texts as they are; without it those that a spreadsheet would run get an "
                + "apostrophe.")
    ]

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("baby", &babyId, "raw", &isRaw)
    }

    /// The state before the first event, with the requested id of the baby.
    var initialState: RecordedEntries.State {
        var state = RecordedEntries.State.blank
        state.care.profile.babyId = babyId
        return state
    }

    /// Returns the query for the baby's profile and, once the profile is known, for its entries.
    func query(knowing state: RecordedEntries.State, _ context: ReportContext) -> ReportQuery {
        let profile = state.care.profile
        let others = profile.ids.filter { $0 != babyId }
        let first = ReportQuery(
            Query(items: Household.Profile.queryItems([babyId] + others)) ?? .all)
        guard profile.isKnown else { return first }
        let entries = ReportQuery.Entities(
            "entry", kinds: BabyCare.entryHistoryKinds, onlyWith: [Household.IdReplaced.kind])
        return first.union(ReportQuery(BabyCare.query(profile), entities: entries))
    }

    /// Returns the CSV file of all entries of the baby, including cancelled entries; throws an
    /// error if the log has no profile of the baby.
    func answer(
        _ state: RecordedEntries.State, _ context: ReportContext
    ) throws(ReportError) -> ExportedFile {
        let profile = state.care.profile
        guard profile.isKnown else {
            throw .unanswerable(
                "the log has no profile of the baby '\(babyId)' up to position \(context.position)")
        }
        let texts = state.textsByEntryId
        let entries = state.care.entries.values.map(\.entry).filter { $0.state != .none }
        return ExportedFile(
            text: CareFile.babyAICSV(entries, babyId: profile.babyId, isRaw: isRaw) {
                texts[$0.entryId]
            },
            rows: Int64(entries.count))
    }

    /// Returns the suggested file name, with the baby's id and the time of the export.
    func fileName(_ state: RecordedEntries.State, at now: Instant) -> String {
        CareFile.babyAIFileName(state.care.profile.babyId, at: now)
    }

    func record(
        _ file: ExportedFile, _ state: RecordedEntries.State, sha256: Digest, by: Author?
    ) -> (any Command)? {
        BabyCare.DataExported {
            $0.babyId = state.care.profile.babyId
            $0.format = .babyAI
            $0.rowCount = file.rows
            $0.sha256 = sha256
            $0.by = by
        }
    }
}

/// The projection of a baby's entries with their personal texts.
///
/// Its state is never stored, because stored states must not contain personal texts.
enum RecordedEntries: Projection {
    typealias Event = BabyCare.Event

    /// The entries of a baby, and the personal texts of each event about an entry.
    struct State: Record {
        /// The baby's profile and entries without personal texts.
        var care = BabyCare.State.blank
        /// Personal texts of the events that have any, in log order.
        var texts: [EventTexts] = []
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("care", &care, "texts", &texts)
        }

        /// The latest note and names of each entry, except erased texts, by the entry's newest id.
        var textsByEntryId: [String: CareFile.EntryTexts] {
            var newest: [String: CareFile.EntryTexts] = [:]
            for text in texts {
                let id = care.newestId(of: text.entryId)
                if let note = text.note { newest[id, default: .init()].note = note }
                newest[id, default: .init()].names.merge(text.names) { _, later in later }
            }
            return newest
        }

        /// Appends the note and names of an event about an entry to `texts`. Appends nothing if the
        /// event has no such texts, or all of them are erased.
        fileprivate mutating func appendTexts(
            _ entryId: String, _ meta: BabyCare.Meta?, _ note: PersonalText?
        ) {
            let names = (meta?.personNames ?? [:]).compactMapValues(\.text)
            guard !names.isEmpty || note?.text != nil else { return }
            texts.append(EventTexts(entryId: entryId, note: note?.text, names: names))
        }
    }

    /// The personal texts of one event about an entry.
    struct EventTexts: Record {
        var entryId = ""
        /// The note; `nil` if the event has no note, or the note is erased.
        var note: String?
        var names: [String: String] = [:]
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "note", &note, "names", &names)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        BabyCare.evolve(&state.care, with: event, envelope)
        switch event {
        case .entryOpened(let entry): state.appendTexts(entry.entryId, entry.meta, entry.text)
        case .entryClosed(let entry): state.appendTexts(entry.entryId, entry.meta, entry.text)
        case .entryRecorded(let entry): state.appendTexts(entry.entryId, entry.meta, entry.text)
        case .entryEdited(let entry): state.appendTexts(entry.entryId, entry.set.meta, entry.text)
        default: break
        }
    }
}
