import Daybook

extension Chat {
    /// The projection of a device's badge: the unread count of each room, and their sum.
    enum Badge: Projection {
        typealias Event = Unread.Event

        struct State: PlainRecord {
            /// Unread counts by room id.
            var rooms: [String: Int64] = [:]
            /// Sum of the counts over all rooms.
            var total: Int64 = 0
            var activeRoom: String?
            /// Unread messages from which the counts are computed.
            var unread = Unread.State()
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("rooms", &rooms, "total", &total, "activeRoom", &activeRoom)
                try field.internalField("unread", &unread)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            Unread.evolve(&state.unread, with: event, envelope)
            state.rooms = state.unread.rooms.mapValues(\.count)
            state.total = state.unread.total
            state.activeRoom = state.unread.activeRoom
        }
    }

    /// The projection of a badge as the original app (S3) counts it.
    ///
    /// The app counts pushes in memory, so that a restart resets the badge. It ignores messages
    /// that arrive by socket, and pushes of the user's own messages or for the active room.
    enum SourceBadge: Projection {
        static func evolve(
            _ state: inout Badge.State, with event: Unread.Event, _ envelope: Envelope
        ) {
            switch event {
            case .roomEntered(let entered):
                state.activeRoom = entered.roomId
                state.set(entered.roomId, 0)
            case .roomLeft(let left):
                if state.activeRoom == left.roomId { state.activeRoom = nil }
            case .messageAppended(let message):
                if message.via == .push { state.countPush(message.roomId, message.isOwn) }
            case .messageRepeated(let message):
                if message.via == .push { state.countPush(message.roomId, message.isOwn) }
            case .unreadCleared(let cleared):
                for roomId in cleared.roomId.map({ [$0] }) ?? state.rooms.keys.sorted() {
                    state.set(roomId, 0)
                }
            case .unreadCountSet(let told): state.set(told.roomId, told.count)
            case .appLaunched, .signedOut: state = Badge.State()
            }
        }
    }
}

extension Chat.Badge.State {
    /// Sets a room's count, and changes the total by the difference; the total is at least 0.
    fileprivate mutating func set(_ roomId: String, _ count: Int64) {
        total = max(0, total + count - rooms[roomId, default: 0])
        rooms[roomId] = count
    }

    /// Counts a push, unless the user wrote the message or the room is active.
    fileprivate mutating func countPush(_ roomId: String, _ isOwn: Bool) {
        guard !isOwn, roomId != activeRoom else { return }
        set(roomId, rooms[roomId, default: 0] + 1)
    }
}
