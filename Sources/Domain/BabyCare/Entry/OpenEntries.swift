public import CivilTime
public import EventSourcing

extension BabyCare {
    /// The open entries of a baby.
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

        public struct State: Record {
            /// Open entries by kind.
            public var open: [String: Open] = [:]
            /// Cancelled entries that were open, in the order they were cancelled.
            var setAside: [Open] = []
            /// Newer ids of entries by the ids they replaced.
            var replaced: [String: String] = [:]
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("open", &open, "setAside", &setAside)
                try field.internalField("replaced", &replaced)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .entryOpened(let event):
                state.open[event.kind.name] = Open(
                    entryId: state.replaced.newest(event.entryId), started: event.started)
            case .entryClosed(let event): state.free(event.kind, event.entryId)
            case .endEstimated(let event): state.free(event.kind, event.entryId)
            case .entryEdited(let event):
                guard let start = event.set.started,
                    state.holds(event.kind, event.entryId) != nil
                else { break }
                state.open[event.kind.name]?.started = start
            case .entryCancelled(let event):
                guard event.previousState == .open,
                    let open = state.holds(event.kind, event.entryId)
                else { break }
                state.setAside.append(open)
                state.free(event.kind, event.entryId)
            case .entryRestored(let event):
                let id = state.replaced.newest(event.entryId)
                guard event.toState == .open,
                    let index = state.setAside.firstIndex(where: { $0.entryId == id })
                else { break }
                state.open[event.kind.name] = state.setAside.remove(at: index)
            case .idReplaced(let ids):
                if ids.kind == .careEntry { state.apply(ids) }
            default: break
            }
        }
    }
}

extension BabyCare.OpenEntries.State {
    /// The open entry of a kind, if it is this one, by any of its ids.
    fileprivate func holds(
        _ kind: BabyCare.Kind, _ entryId: String
    ) -> BabyCare.OpenEntries.Open? {
        guard let open = open[kind.name], open.entryId == replaced.newest(entryId) else {
            return nil
        }
        return open
    }

    fileprivate mutating func free(_ kind: BabyCare.Kind, _ entryId: String) {
        if holds(kind, entryId) != nil { open[kind.name] = nil }
    }

    fileprivate mutating func apply(_ ids: Household.IdReplaced) {
        guard replaced.replace(ids.localId, by: ids.remoteId) else { return }
        let rename = { [replaced] (open: BabyCare.OpenEntries.Open) in
            BabyCare.OpenEntries.Open(
                entryId: replaced.newest(open.entryId), started: open.started)
        }
        open = open.mapValues(rename)
        setAside = setAside.map(rename)
    }
}
