import Daybook

extension Chat {
    /// The projection of a device's rooms, from which commands decide.
    ///
    /// A launch or a sign-out leaves every room: a new process has no active or loading room.
    enum Rooms: Projection {
        enum Event: DecidedEvents {
            case roomEntered(RoomEntered), roomLeft(RoomLeft), messageAppended(MessageAppended)
            case messageRepeated(MessageRepeated), pageRequested(PageRequested)
            case pageLoaded(PageLoaded), pageFailed(PageFailed), messageSent(MessageSent)
            case unreadCleared(UnreadCleared), unreadCountSet(UnreadCountSet)
            case appLaunched(Launch.AppLaunched), signedOut(Session.SignedOut)

            static let kinds = [
                StoredKind(roomEntered), StoredKind(roomLeft), StoredKind(messageAppended),
                StoredKind(messageRepeated), StoredKind(pageRequested), StoredKind(pageLoaded),
                StoredKind(pageFailed), StoredKind(messageSent), StoredKind(unreadCleared),
                StoredKind(unreadCountSet), StoredKind(appLaunched), StoredKind(signedOut),
            ]
        }

        struct State: PlainRecord {
            /// Last visit to each room, by room id.
            var visits: [String: Visit] = [:]
            /// Id of the room that is open on the device; `nil` for none.
            var activeRoom: String?
            /// Time of sending of each arrived message that the query covers, by message key, such
            /// as `phone-1/r1/m1`.
            var sentTimes: [String: Instant] = [:]
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("visits", &visits, "activeRoom", &activeRoom)
                try field("messages", &sentTimes, .any)
            }
        }

        /// The last visit to a room.
        struct Visit: PlainRecord {
            var stage = RoomStage.left
            var isLoadingMore = false
            var next: String?
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("stage", &stage, "isLoadingMore", &isLoadingMore, "next", &next)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .roomEntered(let entered):
                state.visits[entered.roomId] = Visit(stage: .loading)
                state.activeRoom = entered.roomId
            case .roomLeft(let left):
                state.visits[left.roomId, default: Visit()].leave()
                if state.activeRoom == left.roomId { state.activeRoom = nil }
            case .pageRequested(let requested):
                state.visits[requested.roomId, default: Visit()].request()
            case .pageLoaded(let loaded):
                state.visits[loaded.roomId] = Visit(stage: .loaded, next: loaded.next)
            case .pageFailed(let failed):
                state.visits[failed.roomId, default: Visit()].fail()
            case .messageAppended(let message):
                let key = messageKey(message.device, message.roomId, message.messageId)
                state.sentTimes[key] = state.sentTimes[key] ?? message.sent
            case .appLaunched, .signedOut:
                for roomId in state.visits.keys { state.visits[roomId]?.leave() }
                state.activeRoom = nil
            case .messageRepeated, .messageSent, .unreadCleared, .unreadCountSet: break
            }
        }

        /// Kinds of the events that enter or leave a room, or request or load its pages.
        static let visitKinds: Set<EventKind> = [
            RoomEntered.kind, RoomLeft.kind, PageRequested.kind, PageLoaded.kind, PageFailed.kind,
        ]
    }
}

extension Chat.Rooms.Visit {
    /// Resets the visit: the room is left, and no page is loading.
    fileprivate mutating func leave() { self = Self() }

    /// Records that a page was requested.
    fileprivate mutating func request() {
        if stage == .failed { stage = .loading } else { isLoadingMore = true }
    }

    /// Records that a requested page failed to load.
    fileprivate mutating func fail() {
        if stage == .loading { stage = .failed }
        isLoadingMore = false
    }
}

extension Chat {
    /// A command on one room of one device.
    protocol RoomCommand: Command, PlainRecord where Model == Rooms {
        var device: String { get }
        var roomId: String { get }
        /// Ids of the messages whose earlier arrivals the command needs; none by default.
        var relevantMessageIds: [String] { get }
    }
}

extension Chat.RoomCommand {
    /// The default: the command needs no earlier arrivals.
    var relevantMessageIds: [String] { [] }

    /// Query for the device's visits to rooms, and for arrivals of relevant messages in this room.
    var query: Query {
        let process: Set<EventKind> = [
            Chat.RoomEntered.kind, Chat.RoomLeft.kind, Launch.AppLaunched.kind,
            Session.SignedOut.kind,
        ]
        var items = [
            Query.Item(kinds: process, tags: [Chat.deviceTag(device)]),
            Query.Item(
                kinds: Chat.Rooms.visitKinds,
                tags: [Tag("device-room", Chat.roomKey(device, roomId))]),
        ]
        items += Set(relevantMessageIds).sorted().map {
            Query.Item(
                kinds: [Chat.MessageAppended.kind], tags: [Chat.messageTag(device, roomId, $0)])
        }
        return Query(items: items) ?? .all
    }

    /// Returns the last visit to the room; throws if its stage does not allow events of this kind.
    func visit(
        _ rooms: Chat.Rooms.State, for payload: (some EventPayload).Type
    ) throws(Refusal) -> Chat.Rooms.Visit {
        let visit = rooms.visits[roomId] ?? Chat.Rooms.Visit()
        guard Chat.Room.lifecycle.allows(payload, in: visit.stage) else {
            throw visit.stage == .left
                ? Refusal("notInRoom", "the room '\(roomId)' is not open on the device '\(device)'")
                : Refusal(
                    "roomIsLoading",
                    "the stage of the room '\(roomId)' is \(visit.stage.name), which does not "
                        + "allow the event \(payload.kind.stem)")
        }
        return visit
    }
}
