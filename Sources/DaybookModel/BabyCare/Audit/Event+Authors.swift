import Daybook

extension BabyCare.Event {
    /// The baby and the author of an event; `isWriting` is false for exports and reports, which
    /// need only the right to read.
    typealias Authorship = (babyId: String, by: Author?, isWriting: Bool)

    /// Ids of the entries that the event is about; they may have been replaced since.
    var entryIds: [String] {
        switch self {
        case .entryOpened(let event): [event.entryId]
        case .entryClosed(let event): [event.entryId]
        case .entryRecorded(let event): [event.entryId]
        case .entryEdited(let event): [event.entryId]
        case .entryCancelled(let event): [event.entryId]
        case .entryRestored(let event): [event.entryId]
        case .endEstimated(let event): [event.entryId]
        case .entriesMerged(let event): [event.keepId] + event.dropIds
        case .mergeUndone(let event): [event.keepId] + event.dropIds
        default: []
        }
    }

    /// The baby and the author of the event; `nil` for events of the household.
    var authorship: Authorship? {
        switch self {
        case .entryOpened(let event): (event.babyId, event.by, true)
        case .entryClosed(let event): (event.babyId, event.by, true)
        case .entryRecorded(let event): (event.babyId, event.by, true)
        case .entryEdited(let event): (event.babyId, event.by, true)
        case .entryCancelled(let event): (event.babyId, event.by, true)
        case .entryRestored(let event): (event.babyId, event.by, true)
        case .endEstimated(let event): (event.babyId, event.by, true)
        case .entriesMerged(let event): (event.babyId, event.by, true)
        case .mergeUndone(let event): (event.babyId, event.by, true)
        case .voiceClipParsed(let event): (event.babyId, event.by, true)
        case .voiceClipConfirmed(let event): (event.babyId, event.by, true)
        case .voiceClipFailed(let event): (event.babyId, event.by, true)
        case .dataImported(let event): (event.babyId, event.by, true)
        case .dataExported(let event): (event.babyId, event.by, false)
        case .reportIssued(let event): (event.babyId, event.by, false)
        case .onboarded, .idReplaced, .memberRoleChanged, .babyProfileChanged: nil
        }
    }
}
