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

        /// The payload, without the reflection of the default, which takes long for rows of files.
        package var payload: any EventPayload {
            switch self {
            case .entryOpened(let payload): payload
            case .entryClosed(let payload): payload
            case .entryRecorded(let payload): payload
            case .entryEdited(let payload): payload
            case .entryCancelled(let payload): payload
            case .entryRestored(let payload): payload
            case .endEstimated(let payload): payload
            case .entriesMerged(let payload): payload
            case .mergeUndone(let payload): payload
            case .voiceClipParsed(let payload): payload
            case .voiceClipConfirmed(let payload): payload
            case .voiceClipFailed(let payload): payload
            case .reportIssued(let payload): payload
            case .dataExported(let payload): payload
            case .dataImported(let payload): payload
            case .onboarded(let payload): payload
            case .idReplaced(let payload): payload
            case .memberRoleChanged(let payload): payload
            case .babyProfileChanged(let payload): payload
            }
        }
    }

    static let entryKinds: Set<EventKind> = [
        EntryOpened.kind, EntryClosed.kind, EntryRecorded.kind, EntryEdited.kind,
        EntryCancelled.kind, EntryRestored.kind, EndEstimated.kind, EntriesMerged.kind,
        MergeUndone.kind,
    ]

    /// Kinds of the events that determine the state of an entry: `entryKinds` and id replacements.
    package static let entryHistoryKinds = entryKinds.union([Household.IdReplaced.kind])
}
