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
                if event.keepId == state.entryId {
                    state.keep(event, envelope)
                } else {
                    state.drop(event, state.entryId, envelope)
                }
            case .idReplaced(let ids):
                if ids.kind == .careEntry { state.entryId = ids.remoteId }
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

            public init() {}

            public static func fields<Visitor: FieldVisitor>(
                _ visitor: inout Visitor, _ value: inout Open
            ) throws(Visitor.Failure) {
                try visitor.field("entryId", &value.entryId)
                try visitor.field("startedUs", &value.startedUs)
            }
        }

        public struct State: Record {
            /// By kind.
            public var open: [String: Open] = [:]
            /// Start and kind of cancelled entries that were open, by entry.
            var setAside: [String: Open] = [:]

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
                guard state.open[event.kind.name]?.entryId == event.entryId else { break }
                state.open[event.kind.name]?.startedUs = start
            case .entryCancelled(let event):
                guard event.previousState == .open else { break }
                state.setAside[event.entryId] = state.open[event.kind.name]
                state.free(event.kind, event.entryId)
            case .entryRestored(let event):
                guard event.toState == .open else { break }
                state.open[event.kind.name] = state.setAside.removeValue(forKey: event.entryId)
            default: break
            }
        }
    }
}

extension BabyCare.OpenEntries.State {
    fileprivate mutating func free(_ kind: BabyCare.Kind, _ entryId: String) {
        if open[kind.name]?.entryId == entryId { open[kind.name] = nil }
    }
}
