public import EventSourcing

extension BabyCare {
    // What these commands ask for is what the log then says, field by field.

    /// Note what came of a file.
    public typealias RecordImport = DataImported
    /// Note that entries were written to a file.
    public typealias RecordExport = DataExported
    /// Note that a report was handed out.
    public typealias IssueReport = ReportIssued

    /// What can be asked about a baby's entries.
    public enum Command: Sendable {
        case start(Start)
        case complete(Complete)
        case record(RecordEntry)
        case edit(Edit)
        case editOpen(EditOpen)
        case cancel(Cancel)
        case restore(Restore)
        case estimateEnd(EstimateEnd)
        case merge(Merge)
        case parseVoiceClip(ParseVoiceClip)
        case confirmVoiceClip(ConfirmVoiceClip)
        case importRow(ImportRow)
        case recordImport(RecordImport)
        case recordExport(RecordExport)
        case issueReport(IssueReport)
    }

    public static func query(for command: Command) -> Query {
        query(for: command, knowing: State())
    }

    /// Everything that files have left of these rows of a baby, by which an import is planned.
    ///
    /// It is asked once for a whole file: a decision on each row that read it would read it again
    /// for every row that is like it.
    public static func query(
        ofRows origins: some Sequence<Origin>, of babyIds: [String]
    ) -> Query? {
        var tags: Set<Tag> = []
        for origin in origins {
            for id in babyIds { tags.insert(rowTag(id, origin)) }
        }
        return Query(items: tags.map { Query.Item(kinds: entryKinds, tags: [$0]) })
    }

    /// An entry tells its baby, the baby its household and former ids, those the slots.
    public static func query(for command: Command, knowing state: State) -> Query {
        var items: [Query.Item] = []
        for id in command.entryIds { items += entryItems(id, state) }
        for id in command.clipIds {
            items.append(
                Query.Item(
                    kinds: [VoiceClipParsed.kind, VoiceClipConfirmed.kind],
                    tags: [Tag("clip", id)]))
        }
        let babyId = command.babyId ?? state.babyIdOfFirst(command)
        guard let babyId else { return Query(items: items) ?? .all }
        var babyIds = [babyId]
        for id in state.profile.ids where !babyIds.contains(id) { babyIds.append(id) }
        for id in babyIds {
            items.append(
                Query.Item(
                    kinds: Household.profileKinds, tags: [Household.profileTag(id)]))
        }
        for id in (state.profile.householdId.map { [$0] } ?? []) + state.formerHouseholds {
            items.append(
                Query.Item(kinds: Household.memberKinds, tags: [Household.tag(id)]))
        }
        for id in babyIds { items += babyItems(id, command, state) }
        return Query(items: items) ?? .all
    }

    private static func entryItems(_ entryId: String, _ state: State) -> [Query.Item] {
        let newest = state.newest(entryId)
        let ids = [entryId, newest] + state.replaced.keys.filter { state.newest($0) == newest }
        return Set(ids).sorted().map {
            Query.Item(kinds: entryHistoryKinds, tags: [entryTag($0)])
        }
    }

    /// What of the baby's other entries the command depends on.
    private static func babyItems(
        _ babyId: String, _ command: Command, _ state: State
    ) -> [Query.Item] {
        var items: [Query.Item] = []
        if let kind = command.slot(in: state) {
            items.append(Query.Item(kinds: entryKinds, tags: [slotTag(babyId, kind)]))
            // What was opened under one id may have been closed under another; once that is known,
            // it holds nothing, and is asked for all the same.
            let holders = state.entries.filter { $0.value.kind == kind && $0.value.holdsSlot }
            for id in Set(holders.keys).union(state.replaced.keys).sorted() {
                items += entryItems(id, state)
            }
        }
        if let entry = command.estimated(in: state) {
            let from = entry.startedUs - Estimate.historyUs
            items += weekTags(babyId, from, entry.startedUs).map {
                Query.Item(kinds: entryKinds, tags: [$0])
            }
        }
        return items
    }
}

extension BabyCare.State {
    fileprivate func babyIdOfFirst(_ command: BabyCare.Command) -> String? {
        command.entryIds.lazy.compactMap { entry($0)?.babyId }.first
            ?? command.clipIds.lazy.compactMap { clips[$0]?.babyId }.first
    }
}

extension BabyCare.Command {
    /// The entries it names.
    fileprivate var entryIds: [String] {
        switch self {
        case .start(let body): [body.entryId]
        case .complete(let body): [body.entryId]
        case .record(let body): [body.entryId]
        case .edit(let body): [body.entryId]
        case .editOpen(let body): [body.entryId]
        case .cancel(let body): [body.entryId]
        case .restore(let body): [body.entryId]
        case .estimateEnd(let body): [body.entryId] + (body.nextEntryId.map { [$0] } ?? [])
        case .merge(let body): [body.keepId] + body.dropIds
        case .confirmVoiceClip(let body): body.entries.map(\.entryId)
        case .importRow(let body):
            body.changes + body.entries.map { BabyCare.importedId(body.entryId, $0) }
        case .parseVoiceClip, .recordImport, .recordExport, .issueReport: []
        }
    }

    fileprivate var clipIds: [String] {
        switch self {
        case .parseVoiceClip(let body): [body.clipId]
        case .confirmVoiceClip(let body): [body.clipId]
        default: []
        }
    }

    /// The baby, where the command names it.
    fileprivate var babyId: String? {
        switch self {
        case .start(let body): body.babyId
        case .record(let body): body.babyId
        case .parseVoiceClip(let body): body.babyId
        case .importRow(let body): body.babyId
        case .recordImport(let body): body.babyId
        case .recordExport(let body): body.babyId
        case .issueReport(let body): body.babyId
        default: nil
        }
    }

    /// The slot whose occupant matters.
    fileprivate func slot(in state: BabyCare.State) -> BabyCare.Kind? {
        switch self {
        case .start(let body): BabyCare.kind(body)
        case .restore(let body): state.entry(body.entryId)?.kind
        case .edit(let body): body.undoesDeletion ? state.entry(body.entryId)?.kind : nil
        default: nil
        }
    }

    /// The entry whose end is to be estimated.
    fileprivate func estimated(in state: BabyCare.State) -> BabyCare.Entry? {
        switch self {
        case .estimateEnd(let body): state.entry(body.entryId)
        case .start(let body):
            body.estimate == true
                ? BabyCare.kind(body).flatMap { state.occupant(of: $0) } : nil
        default: nil
        }
    }
}

extension BabyCare {
    /// The id of one entry of a row.
    public static func importedId(_ rowId: String, _ entry: ImportedEntry) -> String {
        entry.part.map { "\(rowId)-\($0)" } ?? rowId
    }

    /// The kind that a start is about; `nil` where it cannot be read.
    fileprivate static func kind(_ body: Start) -> Kind? {
        do throws(UnreadableDetail) {
            return try Details(kind: body.kind, value: body.value, meta: body.meta).kind
        } catch {
            return nil
        }
    }
}

extension BabyCare.Edit {
    /// Upstream's way to undo a deletion.
    var undoesDeletion: Bool { meta["undo_delete"]?.text.lowercased() == "true" }
}
