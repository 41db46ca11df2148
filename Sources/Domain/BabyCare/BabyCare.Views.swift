public import EventSourcing

extension BabyCare {
    /// One care entry.
    public enum EntryView: Projection {
        public typealias Event = BabyCare.Event
        public typealias State = Entry

        public static func evolve(_ state: inout Entry, with event: Event, _ envelope: Envelope) {
            switch event {
            case .entryOpened(let event): state.take(event, envelope)
            case .entryClosed(let event): state.take(event, envelope)
            case .entryRecorded(let event): state.take(event, envelope)
            case .entryEdited(let event): state.take(event, envelope)
            case .entryCancelled(let event): state.take(event, envelope)
            case .entryRestored(let event): state.take(event, envelope)
            case .endEstimated(let event): state.take(event, envelope)
            case .entriesMerged(let event):
                // The fold of one entry sees only merges that it is part of.
                if event.keepId == state.entryId || state.formerIds.contains(event.keepId) {
                    state.keep(event, envelope)
                } else {
                    state.drop(event, state.entryId, envelope)
                }
            case .idReplaced(let ids):
                if ids.kind == .careEntry { state.take(ids) }
            default: break
            }
        }
    }

    /// What is going on with a baby.
    public enum OpenEntries: Projection {
        public typealias Event = BabyCare.Event

        /// One open entry.
        public struct Open: Record {
            public var entryId = ""
            public var startedUs: Int64 = 0
            /// Ids it had before; an event written offline still names it by one of them.
            var formerIds: [String] = []

            public init() {}

            func isCalled(_ id: String) -> Bool { entryId == id || formerIds.contains(id) }

            mutating func rename(_ newer: String) {
                formerIds.append(entryId)
                entryId = newer
            }

            public static func fields<Visitor: FieldVisitor>(
                _ visitor: inout Visitor, _ value: inout Open
            ) throws(Visitor.Failure) {
                try visitor.field("entryId", &value.entryId)
                try visitor.field("startedUs", &value.startedUs)
                try visitor.working("formerIds", &value.formerIds)
            }
        }

        public struct State: Record {
            /// By kind.
            public var open: [String: Open] = [:]
            /// Cancelled entries that were open, in the order they were cancelled.
            var setAside: [Open] = []

            public init() {}

            public static func fields<Visitor: FieldVisitor>(
                _ visitor: inout Visitor, _ value: inout State
            ) throws(Visitor.Failure) {
                try visitor.field("open", &value.open)
                try visitor.field("setAside", &value.setAside)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .entryOpened(let event):
                var open = Open()
                open.entryId = event.entryId
                open.startedUs = event.startedUs
                state.open[event.kind.name] = open
            case .entryClosed(let event): state.free(event.kind, event.entryId)
            case .endEstimated(let event): state.free(event.kind, event.entryId)
            case .entryEdited(let event):
                guard let start = event.set.startedUs else { break }
                guard state.open[event.kind.name]?.isCalled(event.entryId) == true else { break }
                state.open[event.kind.name]?.startedUs = start
            case .entryCancelled(let event):
                guard event.previousState == .open,
                    let open = state.open[event.kind.name], open.isCalled(event.entryId)
                else { break }
                state.setAside.append(open)
                state.free(event.kind, event.entryId)
            case .entryRestored(let event):
                guard event.toState == .open,
                    let index = state.setAside.firstIndex(where: { $0.isCalled(event.entryId) })
                else { break }
                state.open[event.kind.name] = state.setAside.remove(at: index)
            case .idReplaced(let ids):
                if ids.kind == .careEntry { state.rename(ids.localId, ids.remoteId) }
            default: break
            }
        }
    }
}

extension BabyCare.OpenEntries.State {
    fileprivate mutating func rename(_ entryId: String, _ newer: String) {
        for kind in open.keys where open[kind]?.entryId == entryId { open[kind]?.rename(newer) }
        for index in setAside.indices where setAside[index].entryId == entryId {
            setAside[index].rename(newer)
        }
    }

    fileprivate mutating func free(_ kind: BabyCare.Kind, _ entryId: String) {
        if open[kind.name]?.isCalled(entryId) == true { open[kind.name] = nil }
    }
}
