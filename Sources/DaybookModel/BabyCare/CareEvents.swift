public import Daybook

extension BabyCare {
    /// The events of a baby's entries, and those of its household that decide who may write them.
    public enum Event: DecidedEvents {
        case entryOpened(EntryOpened)
        case entryClosed(EntryClosed)
        case entryRecorded(EntryRecorded)
        case entryEdited(EntryEdited)
        case entryCancelled(EntryCancelled)
        case entryRestored(EntryRestored)
        case endEstimated(EndEstimated)
        case entriesMerged(EntriesMerged)
        case mergeUndone(MergeUndone)
        case voiceClipParsed(VoiceClipParsed)
        case voiceClipConfirmed(VoiceClipConfirmed)
        case voiceClipFailed(VoiceClipFailed)
        case reportIssued(ReportIssued)
        case dataExported(DataExported)
        case dataImported(DataImported)
        case onboarded(Household.Onboarded)
        case idReplaced(Household.IdReplaced)
        case memberRoleChanged(Household.MemberRoleChanged)
        case babyProfileChanged(Household.BabyProfileChanged)

        public static let kinds = [
            StoredKind(entryOpened), StoredKind(entryClosed), StoredKind(entryRecorded),
            StoredKind(entryEdited), StoredKind(entryCancelled), StoredKind(entryRestored),
            StoredKind(endEstimated), StoredKind(entriesMerged), StoredKind(mergeUndone),
            StoredKind(voiceClipParsed), StoredKind(voiceClipConfirmed),
            StoredKind(voiceClipFailed), StoredKind(reportIssued), StoredKind(dataExported),
            StoredKind(dataImported), StoredKind(onboarded), StoredKind(idReplaced),
            StoredKind(memberRoleChanged), StoredKind(babyProfileChanged),
        ]
    }

    /// The kinds that make an entry what it is.
    public static let entryKinds: Set<EventKind> = [
        EntryOpened.kind, EntryClosed.kind, EntryRecorded.kind, EntryEdited.kind,
        EntryCancelled.kind, EntryRestored.kind, EndEstimated.kind, EntriesMerged.kind,
        MergeUndone.kind,
    ]

    /// All kinds that the fold of an entry needs: those that make it, and that of its ids.
    public static let entryHistoryKinds = entryKinds.union([Household.IdReplaced.kind])
}
