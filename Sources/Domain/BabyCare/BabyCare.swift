public import CivilTime
public import EventSourcing

/// A baby's day: what it drank and ate, slept, needed changing, weighed, and was given.
///
/// An entry is opened and closed, or recorded as a whole. A baby has at most one open entry of a
/// kind. A cancelled entry counts nowhere and can be restored to exactly what it was. Who belongs
/// to no household with the baby, or may only look, writes nothing.
///
/// Source: S4 (records, voice clips, reports, export); its server's code where the document is
/// silent.
public enum BabyCare: Area, Decider {
    public static let name = "baby-care"
    public static let rules: [RuleSet] = [.source]

    public static let events = [
        EventDescription(EntryOpened.self),
        EventDescription(EntryClosed.self),
        EventDescription(EntryRecorded.self),
        EventDescription(EntryEdited.self),
        EventDescription(EntryCancelled.self),
        EventDescription(EntryRestored.self),
        EventDescription(EndEstimated.self),
        EventDescription(EntriesMerged.self),
        EventDescription(VoiceClipParsed.self),
        EventDescription(VoiceClipConfirmed.self),
        EventDescription(ReportIssued.self),
        EventDescription(DataExported.self),
        EventDescription(DataImported.self),
    ]

    public static let commands = [
        CommandDescription("baby-care.start", of: Self.self, Command.start),
        CommandDescription("baby-care.complete", of: Self.self, Command.complete),
        CommandDescription("baby-care.record", of: Self.self, Command.record),
        CommandDescription("baby-care.edit", of: Self.self, Command.edit),
        CommandDescription("baby-care.edit-open", of: Self.self, Command.editOpen),
        CommandDescription("baby-care.cancel", of: Self.self, Command.cancel),
        CommandDescription("baby-care.restore", of: Self.self, Command.restore),
        CommandDescription("baby-care.estimate-end", of: Self.self, Command.estimateEnd),
        CommandDescription("baby-care.merge", of: Self.self, Command.merge),
        CommandDescription("baby-care.parse-voice-clip", of: Self.self, Command.parseVoiceClip),
        CommandDescription(
            "baby-care.confirm-voice-clip", of: Self.self, Command.confirmVoiceClip),
        CommandDescription("baby-care.import-row", of: Self.self, Command.importRow),
        CommandDescription("baby-care.record-import", of: Self.self, Command.recordImport),
        CommandDescription("baby-care.record-export", of: Self.self, Command.recordExport),
        CommandDescription("baby-care.issue-report", of: Self.self, Command.issueReport),
    ]

    public static let projections = [
        ProjectionDescription(
            "entry", noun: "entry",
            "One care entry: its times, amounts, and what was done to it", EntryView.self),
        ProjectionDescription(
            "open-entries", noun: "baby", following: ["entry"],
            "What is going on with a baby now, and since when", OpenEntries.self),
    ]

    public static let people: PersonNouns = ["baby": "baby"]

    public static let audits = [auditDescription]

    public static let machines = [
        StateMachine(
            "entry", field: "state",
            [
                ([StateMachine.beginning], ["baby-care.entry-opened"], ["open"]),
                ([StateMachine.beginning], ["baby-care.entry-recorded"], ["open", "closed"]),
                (["open", "closed"], ["baby-care.entry-closed"], ["closed"]),
                (["open"], ["baby-care.end-estimated"], ["closed"]),
                (["open", "closed"], ["baby-care.entry-edited"], []),
                (["open", "closed"], ["baby-care.entry-cancelled"], ["cancelled"]),
                (["cancelled"], ["baby-care.entry-restored"], ["open", "closed"]),
                (["closed"], ["baby-care.entries-merged"], ["closed", "cancelled"]),
                (["open", "closed", "cancelled"], ["household.id-replaced"], []),
                // A server may answer before it is told what it has answered.
                ([StateMachine.beginning, "none"], ["household.id-replaced"], ["none"]),
                (["none"], ["baby-care.entry-opened"], ["open"]),
                (["none"], ["baby-care.entry-recorded"], ["open", "closed"]),
            ])
    ]

    public static let reports = reportDescriptions

    public static let issuing = [issuedReports]

    /// How long the app offers to undo a deletion.
    ///
    /// Source: S4's snackbar, 5 s.
    static let undoWindowUs: Int64 = 5_000_000

    /// No entry is longer; what is, was mistyped.
    static let longestUs: Int64 = 28 * 86_400_000_000

    static func tag(_ babyId: String) -> Tag { Tag("baby", babyId) }
    static func entryTag(_ entryId: String) -> Tag { Tag("entry", entryId) }

    /// What at most one open entry holds.
    static func slotTag(_ babyId: String, _ kind: Kind) -> Tag {
        Tag("slot", "open/\(babyId)/\(kind.name)")
    }

    static func rowTag(_ babyId: String, _ origin: Origin) -> Tag {
        Tag("row", "\(babyId)/\(origin.format.name)/\(origin.row.description.dropFirst(7))")
    }

    static func reportTag(_ babyId: String, _ kind: ReportKind, _ period: String) -> Tag {
        Tag("report", "\(babyId)/\(kind.name)/\(period)")
    }

    static func weekTag(_ babyId: String, _ day: CivilDate) -> Tag {
        Tag("week", "\(babyId)/\(day.isoWeekText)")
    }

    /// The UTC weeks that an entry touches, so that a report reads only those it is about.
    ///
    /// At most 64; a longer entry is a mistake that the audit finds.
    static func weekTags(_ babyId: String, _ startedUs: Int64?, _ endedUs: Int64?) -> [Tag] {
        guard let startedUs else { return [] }
        let first = utcDay(startedUs).startOfWeek(startingOn: .monday)
        let last = utcDay(max(startedUs, endedUs ?? startedUs))
        var tags = [weekTag(babyId, first)]
        var week = first.adding(days: 7)
        while week <= last, tags.count < 64 {
            tags.append(weekTag(babyId, week))
            week = week.adding(days: 7)
        }
        return tags
    }

    /// The weeks of a stretch of time, as a query over all the ids the baby has had.
    ///
    /// Entries that only reach into the stretch are found too.
    public static func query(
        _ profile: Household.Profile, from start: Instant, to end: Instant
    ) -> Query {
        let items = profile.ids.flatMap { babyId in
            weekTags(babyId, start.microseconds, end.microseconds)
                .map { Query.Item(kinds: entryKinds, tags: [$0]) }
        }
        return Query(items: items) ?? Query(Query.Item(kinds: entryKinds))
    }

    /// The weeks that a stretch of time touches, as they stand behind the `/` of their tags.
    public static func weekNames(from start: Instant, to end: Instant) -> [String] {
        weekTags("", start.microseconds, end.microseconds).map { String($0.id.dropFirst()) }
    }

    /// From when to when an event says its entry was; `nil` for one that says no times.
    public static func range(of event: Event) -> (from: Int64, to: Int64)? {
        switch event {
        case .entryOpened(let event): (event.startedUs, event.startedUs)
        case .entryClosed(let event): (event.startedUs, event.endedUs)
        case .entryRecorded(let event): (event.startedUs, event.endedUs ?? event.startedUs)
        case .entryEdited(let event):
            edge(event).map { ($0.from, max($0.from, $0.to ?? $0.from)) }
        case .endEstimated(let event): (event.startedUs, event.endedUs)
        case .entriesMerged(let event): (event.startedUs, event.endedUs ?? event.startedUs)
        default: nil
        }
    }

    private static func edge(_ event: EntryEdited) -> (from: Int64, to: Int64?)? {
        (event.set.startedUs ?? event.prior.startedUs).map {
            ($0, event.set.endedUs ?? event.prior.endedUs)
        }
    }

    /// Everything ever written about the baby.
    public static func query(_ profile: Household.Profile) -> Query {
        let items = profile.ids.map { Query.Item(kinds: entryKinds, tags: [tag($0)]) }
        return Query(items: items) ?? Query(Query.Item(kinds: entryKinds))
    }

    /// What is or was in a slot that an entry of `kind` would take.
    public static func slotQuery(_ profile: Household.Profile, _ kind: Kind) -> Query {
        let items = profile.ids.map { Query.Item(kinds: entryKinds, tags: [slotTag($0, kind)]) }
        return Query(items: items) ?? Query(Query.Item(kinds: entryKinds))
    }

    private static func utcDay(_ microseconds: Int64) -> CivilDate {
        let day = microseconds / 86_400_000_000
        let rest = microseconds % 86_400_000_000
        return CivilDate(daysSince1970: Int(rest < 0 ? day - 1 : day))
    }

    /// The kinds after which an entry may be open.
    public static let beginningKinds: Set<EventKind> = [
        EntryOpened.kind, EntryRecorded.kind, EntryRestored.kind,
    ]

    /// The same, and what gives it other ids: all that an entry's fold needs.
    public static let entryHistoryKinds = entryKinds.union([Household.IdReplaced.kind])

    /// The kinds that make an entry what it is.
    public static let entryKinds: Set<EventKind> = [
        EntryOpened.kind, EntryClosed.kind, EntryRecorded.kind, EntryEdited.kind,
        EntryCancelled.kind, EntryRestored.kind, EndEstimated.kind, EntriesMerged.kind,
    ]
}
