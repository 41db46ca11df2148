public import EventSourcing

extension BabyCare {
    /// What is going on with a baby.
    public enum OpenEntries: Projection {
        public typealias Event = BabyCare.Event

        /// One open entry.
        public struct Open: Record {
            public var entryId = ""
            public var startedUs: Int64 = 0
            public static var blank: Self { Self() }

            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("entryId", &entryId, "startedUs", &startedUs)
            }
        }

        public struct State: Record {
            /// By kind.
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
                var open = Open()
                open.entryId = state.replaced.newest(event.entryId)
                open.startedUs = event.startedUs
                state.open[event.kind.name] = open
            case .entryClosed(let event): state.free(event.kind, event.entryId)
            case .endEstimated(let event): state.free(event.kind, event.entryId)
            case .entryEdited(let event):
                guard let start = event.set.startedUs,
                    state.holds(event.kind, event.entryId) != nil
                else { break }
                state.open[event.kind.name]?.startedUs = start
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

extension BabyCare.OpenEntries.Open {
    fileprivate func renamed(by ids: [String: String]) -> Self {
        var open = self
        open.entryId = ids.newest(entryId)
        return open
    }
}

extension BabyCare.OpenEntries.State {
    /// What is open of a kind, if it is this entry, by any of its ids.
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
        let ids = replaced
        open = open.mapValues { $0.renamed(by: ids) }
        setAside = setAside.map { $0.renamed(by: ids) }
    }
}
