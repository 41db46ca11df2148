import Daybook

extension BabyCare {
    /// The projection of one care entry from its events.
    enum EntryView: Projection {
        typealias Event = BabyCare.Event
        typealias State = Entry

        static func evolve(_ state: inout Entry, with event: Event, _ envelope: Envelope) {
            switch event {
            case .entryOpened(let event): state.apply(event, envelope)
            case .entryClosed(let event): state.apply(event, envelope)
            case .entryRecorded(let event): state.apply(event, envelope)
            case .entryEdited(let event): state.apply(event, envelope)
            case .entryCancelled(let event): state.apply(event, envelope)
            case .entryRestored(let event): state.apply(event, envelope)
            case .endEstimated(let event): state.apply(event, envelope)
            case .entriesMerged(let event):
                // The fold of one entry sees only merges that it is part of.
                if event.keepId == state.entryId || state.formerIds.contains(event.keepId) {
                    state.applyMergeAsKept(event, envelope)
                } else {
                    state.applyMergeAsDropped(event, state.entryId, envelope)
                }
            case .mergeUndone(let event):
                if event.keepId == state.entryId || state.formerIds.contains(event.keepId) {
                    state.undoMergeAsKept(envelope)
                } else {
                    state.undoMergeAsDropped(envelope)
                }
            case .idReplaced(let ids):
                state.apply(ids)
            default: break
            }
        }
    }
}
