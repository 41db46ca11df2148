public import Daybook
public import DaybookModel

/// An export of a baby's entries, including cancelled entries, in BabyAI's CSV format.
public struct EntryFile: FileExport {
    public typealias Model = RecordedEntries

    /// Name of the format in `export`.
    public static let name = "babyai-csv"
    /// The line that help texts show for the format.
    public static let summary = "A baby's entries, as BabyAI exports them."
    /// The option `--baby`, which names the baby whose entries are exported.
    public static let subject = FileOption.id("baby", "The baby, for babyai-csv.")
    /// True: `--record` records the export in the log.
    public static let isRecorded = true

    /// Current or earlier id of the baby.
    public var baby = ""
    /// True to write texts that a spreadsheet would run as formulas unchanged.
    public var raw = false
    public static var blank: Self { Self() }
    /// The option `--raw`, which leaves formulas in texts unprotected.
    public static let options = [
        FileOption(
            "raw", .flag,
            "Leave texts as they are; without it those that a spreadsheet would run get an "
                + "apostrophe.")
    ]

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("baby", &baby, "raw", &raw)
    }

    /// The state before the first event; it contains the requested id of the baby.
    public var initialState: RecordedEntries.State {
        var state = RecordedEntries.State.blank
        state.care.profile.babyId = baby
        return state
    }

    /// Returns a query for the profile, and for the entries once the profile is known.
    ///
    /// Both cover every known id of the baby.
    public func query(
        knowing state: RecordedEntries.State, _ context: ReportContext
    ) -> ReportQuery {
        let profile = state.care.profile
        let others = profile.ids.filter { $0 != baby }
        let first = ReportQuery(Query(items: Household.Profile.queryItems([baby] + others)) ?? .all)
        guard profile.isKnown else { return first }
        let entries = ReportQuery.Entities(
            "entry", kinds: BabyCare.entryHistoryKinds, onlyWith: [Household.IdReplaced.kind])
        return first.union(ReportQuery(BabyCare.query(profile), entities: entries))
    }

    /// Returns the CSV file of all entries.
    ///
    /// - Throws: an error if the log has no profile of the baby.
    public func answer(
        _ state: RecordedEntries.State, _ context: ReportContext
    ) throws(ReportError) -> ExportedFile {
        let profile = state.care.profile
        guard profile.isKnown else {
            throw .unanswerable(
                "nothing is known of a baby '\(baby)' at position \(context.position)")
        }
        let texts = state.textsOfEntries
        let entries = state.care.entries.values.filter { $0.state != .none }
        return ExportedFile(
            text: CareFile.babyAI(entries, babyId: profile.babyId, isRaw: raw) {
                texts[$0.entryId]
            },
            rows: Int64(entries.count))
    }

    /// Returns the suggested file name, with the baby's id and the time of the export.
    public func fileName(_ state: RecordedEntries.State, at now: Instant) -> String {
        CareFile.babyAIFileName(state.care.profile.babyId, at: now)
    }

    /// Returns the command that records the export: format, number of rows and digest.
    public func record(
        _ file: ExportedFile, _ state: RecordedEntries.State, sha256: Digest, by: Author?
    ) -> (any Command)? {
        BabyCare.DataExported {
            $0.babyId = state.care.profile.babyId
            $0.format = .babyAI
            $0.rows = file.rows
            $0.sha256 = sha256
            $0.by = by
        }
    }
}

/// The projection of a baby's entries with their personal texts.
///
/// Stored states contain no personal texts, so this state is folded only when needed.
public enum RecordedEntries: Projection {
    public typealias Event = BabyCare.Event

    /// The entries, and the personal texts of each event.
    public struct State: Record {
        /// The baby's profile and entries without personal texts.
        public var care = BabyCare.State.blank
        /// Texts of events in log order.
        public var texts: [EntryText] = []
        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("care", &care, "texts", &texts)
        }

        /// Latest note and names of each entry that are not erased, by the entry's newest id.
        var textsOfEntries: [String: CareFile.EntryTexts] {
            var newest: [String: CareFile.EntryTexts] = [:]
            for text in texts {
                let id = care.newestId(of: text.entryId)
                if let note = text.note { newest[id, default: .init()].note = note }
                newest[id, default: .init()].names.merge(text.names) { _, later in later }
            }
            return newest
        }

        /// Appends the texts of an event about an entry, unless it has none or all are erased.
        fileprivate mutating func add(
            _ entryId: String, _ meta: BabyCare.Meta?, _ note: PersonalText?
        ) {
            let names = (meta?.names ?? [:]).compactMapValues(\.text)
            guard !names.isEmpty || note?.text != nil else { return }
            texts.append(EntryText(entryId: entryId, note: note?.text, names: names))
        }
    }

    /// The personal texts of one event about an entry.
    public struct EntryText: Record {
        /// Id of the entry that the event names.
        public var entryId = ""
        /// The note; `nil` if the event has none or it is erased.
        public var note: String?
        /// Names of people in the entry's details, by detail key.
        public var names: [String: String] = [:]
        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "note", &note, "names", &names)
        }
    }

    public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        BabyCare.evolve(&state.care, with: event, envelope)
        switch event {
        case .entryOpened(let entry): state.add(entry.entryId, entry.meta, entry.text)
        case .entryClosed(let entry): state.add(entry.entryId, entry.meta, entry.text)
        case .entryRecorded(let entry): state.add(entry.entryId, entry.meta, entry.text)
        case .entryEdited(let entry): state.add(entry.entryId, entry.set.meta, entry.text)
        default: break
        }
    }
}
