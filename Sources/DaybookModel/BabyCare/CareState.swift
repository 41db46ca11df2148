package import Daybook

extension BabyCare {
    /// A baby's profile, entries and voice clips, and the roles of the household's members.
    package struct State: PlainRecord {
        package var profile = Household.Profile()
        /// Roles of the members of the baby's households, by user id.
        package var members: [String: Household.Role] = [:]
        /// Entries by newest id.
        package var entries: [String: SharedEntry] = [:]
        /// Newer id of each replaced entry id.
        var newerIds: [String: String] = [:]
        /// Voice clips and the entries recognised in them, by clip id.
        var clips: [String: Clip] = [:]
        /// Roles in each household of the baby, under its id until another id replaced it.
        var roster = Household.Roster()
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("profile", &profile, "members", &members)
            try field("entries", &entries, "replaced", &newerIds, "clips", &clips)
            try field.internalField("roster", &roster)
        }

        package func newestId(of entryId: String) -> String { newerIds.newest(entryId) }

        /// Returns the entry that has or had the given id; `nil` if no event has created it.
        package func entry(_ entryId: String) -> Entry? { sharedEntry(entryId)?.entry }

        /// Returns the entry that has or had the given id, without a copy; `nil` if no event has
        /// created it.
        func sharedEntry(_ entryId: String) -> SharedEntry? {
            entries.isEmpty ? nil : entries[newestId(of: entryId)]?.ifKnown
        }

        /// Returns the open entry of a kind that was not imported; `nil` if there is none. Commands
        /// allow at most one. If the log has several, the one that started first is returned.
        func openEntry(of kind: Kind) -> Entry? {
            entries.values.filter { $0.kind == kind && $0.holdsSlot }
                .min { ($0.started, $0.entryId) < ($1.started, $1.entryId) }?.entry
        }

        /// Changes the entry that has or had the given id; creates the entry if it is unknown.
        @inline(__always)
        fileprivate mutating func change(
            _ entryId: String, _ observe: EntryObserver, _ body: (inout Entry) -> Void
        ) {
            let id = newestId(of: entryId)
            let (babyId, formerIds) = (profile.babyId, profile.formerIds)
            func change(_ shared: inout SharedEntry) {
                let before = shared
                var entry = shared.entry
                body(&entry)
                if id != entryId { entry.entryId = id }
                if formerIds.contains(entry.babyId) { entry.babyId = babyId }
                shared = SharedEntry(entry)
                observe(entryId, id, before, shared)
            }
            change(&entries[id, default: .blank])
        }

        /// Replaces the local id of an entry, the household or the baby by the server's id.
        fileprivate mutating func apply(_ ids: Household.IdReplaced) {
            switch ids.kind {
            case .careEntry:
                guard newerIds.replace(ids.localId, by: ids.remoteId) else { break }
                guard var entry = entries.removeValue(forKey: ids.localId)?.entry else { break }
                entry.apply(ids)
                entries[newestId(of: ids.remoteId)] = SharedEntry(entry)
            case .household:
                profile.apply(ids)
                roster.apply(ids)
                members = roster.members
            case .baby:
                profile.apply(ids)
                for (id, shared) in entries where profile.formerIds.contains(shared.babyId) {
                    var entry = shared.entry
                    entry.babyId = profile.babyId
                    entries[id] = SharedEntry(entry)
                }
            case .album: break
            }
        }

        /// Returns the entry; throws a refusal if it is unknown or the author may not change it.
        func entry(_ entryId: String, for by: Author?) throws(Refusal) -> Entry {
            guard let entry = entry(entryId) else { throw .entryNotFound(entryId) }
            try checkMayWrite(by, entry.babyId)
            return entry
        }

        /// True if an event has created an entry that has or had the given id.
        package func hasEntry(_ entryId: String) -> Bool { sharedEntry(entryId) != nil }

        /// Throws a refusal if an entry with the id exists already.
        func checkIsNew(_ entryId: String) throws(Refusal) {
            guard !hasEntry(entryId) else { throw .entryExists(entryId) }
        }

        func checkHasNoOpenEntry(of kind: Kind) throws(Refusal) {
            if let occupant = openEntry(of: kind) { throw .openEntryExists(occupant) }
        }
    }

    /// A function that gets an entry before and after an event changed it.
    ///
    /// It gets the id of the entry in the event, its newest id, the entry before, which is blank if
    /// it is new, and the entry after.
    typealias EntryObserver = (
        _ id: String, _ newestId: String, _ before: SharedEntry, _ after: SharedEntry
    ) -> Void

    package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        evolve(&state, with: event, envelope) { _, _, _, _ in }
    }

    /// Applies an event; calls `observe` after each change of an entry.
    @inline(__always)
    static func evolve(
        _ state: inout State, with event: Event, _ envelope: Envelope, observe: EntryObserver
    ) {
        switch event {
        case .entryOpened(let event):
            state.change(event.entryId, observe) { $0.apply(event, envelope) }
        case .entryClosed(let event):
            state.change(event.entryId, observe) { $0.apply(event, envelope) }
        case .entryRecorded(let event):
            state.change(event.entryId, observe) { $0.apply(event, envelope) }
        case .entryEdited(let event):
            state.change(event.entryId, observe) { $0.apply(event, envelope) }
        case .entryCancelled(let event):
            state.change(event.entryId, observe) { $0.apply(event, envelope) }
        case .entryRestored(let event):
            state.change(event.entryId, observe) { $0.apply(event, envelope) }
        case .endEstimated(let event):
            state.change(event.entryId, observe) { $0.apply(event, envelope) }
        case .entriesMerged(let event):
            state.change(event.keepId, observe) { $0.applyMergeAsKept(event, envelope) }
            for id in event.dropIds {
                state.change(id, observe) { $0.applyMergeAsDropped(event, id, envelope) }
            }
        case .mergeUndone(let event):
            state.change(event.keepId, observe) { $0.undoMergeAsKept(envelope) }
            for id in event.dropIds {
                state.change(id, observe) { $0.undoMergeAsDropped(envelope) }
            }
        case .voiceClipParsed(let event):
            state.clips[event.clipId, default: Clip()].apply(event)
        case .voiceClipConfirmed(let event):
            state.clips[event.clipId, default: Clip()].apply(event)
        case .voiceClipFailed(let event):
            state.clips[event.clipId, default: Clip()].apply(event)
        case .reportIssued, .dataExported, .dataImported: break
        case .onboarded(let event): state.profile.apply(event, at: envelope.position)
        case .idReplaced(let event): state.apply(event)
        case .memberRoleChanged(let event):
            state.roster.apply(event)
            state.members = state.roster.members
        case .babyProfileChanged(let event):
            state.profile.apply(event, at: envelope.position)
        }
    }
}
