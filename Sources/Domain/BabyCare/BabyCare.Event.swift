public import EventSourcing

extension BabyCare {
    /// What can happen to a baby's entries, and what of its household they depend on.
    public enum Event: DecidedEvents {
        case entryOpened(EntryOpened)
        case entryClosed(EntryClosed)
        case entryRecorded(EntryRecorded)
        case entryEdited(EntryEdited)
        case entryCancelled(EntryCancelled)
        case entryRestored(EntryRestored)
        case endEstimated(EndEstimated)
        case entriesMerged(EntriesMerged)
        case voiceClipParsed(VoiceClipParsed)
        case voiceClipConfirmed(VoiceClipConfirmed)
        case reportIssued(ReportIssued)
        case dataExported(DataExported)
        case dataImported(DataImported)
        case onboarded(Household.Onboarded)
        case idReplaced(Household.IdReplaced)
        case memberRoleChanged(Household.MemberRoleChanged)
        case babyProfileChanged(Household.BabyProfileChanged)

        public static let kinds: [StoredKind<Event>] = [
            StoredKind(Event.entryOpened),
            StoredKind(Event.entryClosed),
            StoredKind(Event.entryRecorded),
            StoredKind(Event.entryEdited),
            StoredKind(Event.entryCancelled),
            StoredKind(Event.entryRestored),
            StoredKind(Event.endEstimated),
            StoredKind(Event.entriesMerged),
            StoredKind(Event.voiceClipParsed),
            StoredKind(Event.voiceClipConfirmed),
            StoredKind(Event.reportIssued),
            StoredKind(Event.dataExported),
            StoredKind(Event.dataImported),
            StoredKind(Event.onboarded),
            StoredKind(Event.idReplaced),
            StoredKind(Event.memberRoleChanged),
            StoredKind(Event.babyProfileChanged),
        ]

        public var payload: any EventPayload {
            switch self {
            case .entryOpened(let payload): payload
            case .entryClosed(let payload): payload
            case .entryRecorded(let payload): payload
            case .entryEdited(let payload): payload
            case .entryCancelled(let payload): payload
            case .entryRestored(let payload): payload
            case .endEstimated(let payload): payload
            case .entriesMerged(let payload): payload
            case .voiceClipParsed(let payload): payload
            case .voiceClipConfirmed(let payload): payload
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
}
