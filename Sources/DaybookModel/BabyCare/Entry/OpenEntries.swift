import Daybook

extension BabyCare {
    /// The projection of a baby's open entries.
    enum OpenEntries: Projection {
        typealias Event = BabyCare.Event

        /// An open entry, by its id and its start.
        struct OpenEntry: PlainRecord {
            var entryId = ""
            var started = Instant.epoch
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("entryId", &entryId, "startedUs", &started)
            }
        }

        struct State: PlainRecord {
            /// Open entry of each kind, by kind; if there are several, the one that started first.
            var open: [String: OpenEntry] = [:]
            /// Entries cancelled while open, in order of cancellation; they may be opened again.
            var cancelledWhileOpen: [OpenEntry] = []
            /// Further open entries by kind, which started later than the entry in `open`. Such
            /// entries exist if two ids turned out to belong to one baby, or if recorded events
            /// contradict each other.
            var furtherOpen: [String: [OpenEntry]] = [:]
            var newerIds: [String: String] = [:]
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("open", &open, "setAside", &cancelledWhileOpen, "others", &furtherOpen)
                try field.internalField("replaced", &newerIds)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .entryOpened(let event):
                state.add(event.kind, OpenEntry(entryId: event.entryId, started: event.started))
            case .entryClosed(let event): state.remove(event.kind, event.entryId)
            case .endEstimated(let event): state.remove(event.kind, event.entryId)
            case .entryEdited(let event):
                guard let start = event.set.started,
                    var open = state.remove(event.kind, event.entryId)
                else { break }
                open.started = start
                state.add(event.kind, open)
            case .entryCancelled(let event):
                guard event.previousState == .open,
                    let open = state.remove(event.kind, event.entryId)
                else { break }
                state.cancelledWhileOpen.append(open)
            case .entryRestored(let event):
                let id = state.newerIds.newest(event.entryId)
                guard event.toState == .open,
                    let index = state.cancelledWhileOpen.firstIndex(where: { $0.entryId == id })
                else { break }
                state.add(event.kind, state.cancelledWhileOpen.remove(at: index))
            case .idReplaced(let ids):
                if ids.kind == .careEntry { state.apply(ids) }
            default: break
            }
        }
    }
}

extension BabyCare.OpenEntries.State {
    /// Returns all open entries of a kind, in order of start.
    private func allOpen(ofKind kind: String) -> [BabyCare.OpenEntries.OpenEntry] {
        (open[kind].map { [$0] } ?? []) + (furtherOpen[kind] ?? [])
    }

    /// Stores the open entries of a kind: the first to start in `open`, the rest in `furtherOpen`.
    private mutating func store(_ all: [BabyCare.OpenEntries.OpenEntry], ofKind kind: String) {
        var known: Set<String> = []
        let sorted = all.sorted { ($0.started, $0.entryId) < ($1.started, $1.entryId) }
            .filter { known.insert($0.entryId).inserted }
        open[kind] = sorted.first
        furtherOpen[kind] = sorted.count > 1 ? Array(sorted.dropFirst()) : nil
    }

    /// Adds an entry to the open entries of a kind; replaces an open entry with the same id.
    fileprivate mutating func add(_ kind: BabyCare.Kind, _ entry: BabyCare.OpenEntries.OpenEntry) {
        var entry = entry
        entry.entryId = newerIds.newest(entry.entryId)
        let others = allOpen(ofKind: kind.name).filter { $0.entryId != entry.entryId }
        store(others + [entry], ofKind: kind.name)
    }

    /// Removes the entry that has or had the id from the open entries of a kind; returns it.
    /// Returns `nil` if no such entry is open.
    @discardableResult
    fileprivate mutating func remove(
        _ kind: BabyCare.Kind, _ entryId: String
    ) -> BabyCare.OpenEntries.OpenEntry? {
        var all = allOpen(ofKind: kind.name)
        let id = newerIds.newest(entryId)
        guard let index = all.firstIndex(where: { $0.entryId == id }) else { return nil }
        let entry = all.remove(at: index)
        store(all, ofKind: kind.name)
        return entry
    }

    /// Replaces the id of an entry among the open and the cancelled entries.
    fileprivate mutating func apply(_ ids: Household.IdReplaced) {
        guard newerIds.replace(ids.localId, by: ids.remoteId) else { return }
        let rename = { [newerIds] (open: BabyCare.OpenEntries.OpenEntry) in
            BabyCare.OpenEntries.OpenEntry(
                entryId: newerIds.newest(open.entryId), started: open.started)
        }
        for kind in open.keys.sorted() { store(allOpen(ofKind: kind).map(rename), ofKind: kind) }
        cancelledWhileOpen = cancelledWhileOpen.map(rename)
    }
}
