public import Daybook

extension BabyCare {
    /// The projection of a baby's open entries.
    public enum OpenEntries: Projection {
        public typealias Event = BabyCare.Event

        /// One open entry.
        public struct Open: Record {
            public var entryId = ""
            public var started = Instant.epoch
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("entryId", &entryId, "startedUs", &started)
            }
        }

        /// The open entries of a baby, and the cancelled entries that may be reopened.
        public struct State: Record {
            /// Open entries by kind; of several of a kind, the one that started first.
            public var open: [String: Open] = [:]
            /// Entries cancelled while open, in order of cancellation; a restoration reopens them.
            var setAside: [Open] = []
            /// Further open entries by kind, which started later than the entry in `open`.
            ///
            /// They exist if two ids turned out to belong to one baby, or if recorded events
            /// contradict each other.
            public var others: [String: [Open]] = [:]
            /// Newer id of each replaced entry id.
            var replaced: [String: String] = [:]
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("open", &open, "setAside", &setAside, "others", &others)
                try field.internalField("replaced", &replaced)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .entryOpened(let event):
                state.add(event.kind, Open(entryId: event.entryId, started: event.started))
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
                state.setAside.append(open)
            case .entryRestored(let event):
                let id = state.replaced.newest(event.entryId)
                guard event.toState == .open,
                    let index = state.setAside.firstIndex(where: { $0.entryId == id })
                else { break }
                state.add(event.kind, state.setAside.remove(at: index))
            case .idReplaced(let ids):
                if ids.kind == .careEntry { state.apply(ids) }
            default: break
            }
        }
    }
}

extension BabyCare.OpenEntries.State {

    /// Returns all open entries of a kind, in order of start.
    private func all(_ kind: String) -> [BabyCare.OpenEntries.Open] {
        (open[kind].map { [$0] } ?? []) + (others[kind] ?? [])
    }

    /// Stores the open entries of a kind: the first to start in `open`, the rest in `others`.
    private mutating func set(_ kind: String, _ all: [BabyCare.OpenEntries.Open]) {
        var known: Set<String> = []
        let sorted = all.sorted { ($0.started, $0.entryId) < ($1.started, $1.entryId) }
            .filter { known.insert($0.entryId).inserted }
        open[kind] = sorted.first
        others[kind] = sorted.count > 1 ? Array(sorted.dropFirst()) : nil
    }

    /// Adds an open entry, in place of an earlier state of the same entry.
    fileprivate mutating func add(
        _ kind: BabyCare.Kind, _ entry: BabyCare.OpenEntries.Open
    ) {
        var entry = entry
        entry.entryId = replaced.newest(entry.entryId)
        set(kind.name, all(kind.name).filter { $0.entryId != entry.entryId } + [entry])
    }

    /// Removes an entry, given any of its ids, from the open entries of a kind and returns it.
    @discardableResult
    fileprivate mutating func remove(
        _ kind: BabyCare.Kind, _ entryId: String
    ) -> BabyCare.OpenEntries.Open? {
        var all = all(kind.name)
        let id = replaced.newest(entryId)
        guard let index = all.firstIndex(where: { $0.entryId == id }) else { return nil }
        let entry = all.remove(at: index)
        set(kind.name, all)
        return entry
    }

    /// Replaces the id of an entry in all lists.
    fileprivate mutating func apply(_ ids: Household.IdReplaced) {
        guard replaced.replace(ids.localId, by: ids.remoteId) else { return }
        let rename = { [replaced] (open: BabyCare.OpenEntries.Open) in
            BabyCare.OpenEntries.Open(entryId: replaced.newest(open.entryId), started: open.started)
        }
        for kind in open.keys.sorted() { set(kind, all(kind).map(rename)) }
        setAside = setAside.map(rename)
    }
}
