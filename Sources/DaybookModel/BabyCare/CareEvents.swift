package import Daybook

extension BabyCare {
    /// Events of a baby's entries, and the household events that determine who may write.
    package enum Event: DecidedEvents {
        case entryOpened(EntryOpened), entryClosed(EntryClosed), entryRecorded(EntryRecorded)
        case entryEdited(EntryEdited), entryCancelled(EntryCancelled), entryRestored(EntryRestored)
        case endEstimated(EndEstimated), entriesMerged(EntriesMerged), mergeUndone(MergeUndone)
        case voiceClipParsed(VoiceClipParsed), voiceClipConfirmed(VoiceClipConfirmed)
        case voiceClipFailed(VoiceClipFailed), reportIssued(ReportIssued)
        case dataExported(DataExported), dataImported(DataImported), onboarded(Household.Onboarded)
        case idReplaced(Household.IdReplaced), memberRoleChanged(Household.MemberRoleChanged)
        case babyProfileChanged(Household.BabyProfileChanged)

        package static let kinds = [
            StoredKind(entryOpened), StoredKind(entryClosed), StoredKind(entryRecorded),
            StoredKind(entryEdited), StoredKind(entryCancelled), StoredKind(entryRestored),
            StoredKind(endEstimated), StoredKind(entriesMerged), StoredKind(mergeUndone),
            StoredKind(voiceClipParsed), StoredKind(voiceClipConfirmed),
            StoredKind(voiceClipFailed), StoredKind(reportIssued), StoredKind(dataExported),
            StoredKind(dataImported), StoredKind(onboarded), StoredKind(idReplaced),
            StoredKind(memberRoleChanged), StoredKind(babyProfileChanged),
        ]
    }

    static let entryKinds: Set<EventKind> = [
        EntryOpened.kind, EntryClosed.kind, EntryRecorded.kind, EntryEdited.kind,
        EntryCancelled.kind, EntryRestored.kind, EndEstimated.kind, EntriesMerged.kind,
        MergeUndone.kind,
    ]

    /// Kinds of the events that determine the state of an entry: `entryKinds` and id replacements.
    package static let entryHistoryKinds = entryKinds.union([Household.IdReplaced.kind])
}
