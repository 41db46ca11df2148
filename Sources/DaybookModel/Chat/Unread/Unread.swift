import Daybook

extension Chat {
    /// The projection of a device's unread messages: those by others, in rooms that are not open.
    ///
    /// Each message is counted once: a second delivery changes nothing, a restart loses nothing.
    /// If the server reports more unread messages than have arrived, the difference is counted too;
    /// a message that was sent before the report and arrives after it does not increase the count.
    /// If the server reports fewer, the oldest messages were read elsewhere.
    enum Unread: Projection {
        enum Event: EventSet {
            case roomEntered(RoomEntered), roomLeft(RoomLeft), messageAppended(MessageAppended)
            case messageRepeated(MessageRepeated), unreadCleared(UnreadCleared)
            case unreadCountSet(UnreadCountSet), appLaunched(Launch.AppLaunched)
            case signedOut(Session.SignedOut)

            static let kinds = [
                StoredKind(roomEntered), StoredKind(roomLeft), StoredKind(messageAppended),
                StoredKind(messageRepeated), StoredKind(unreadCleared),
                StoredKind(unreadCountSet), StoredKind(appLaunched), StoredKind(signedOut),
            ]
        }

        struct State: PlainRecord {
            /// Unread messages by room id.
            var rooms: [String: UnreadRoom] = [:]
            /// Number of unread messages in all rooms.
            var total: Int64 = 0
            var activeRoom: String?
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("rooms", &rooms, "total", &total, "activeRoom", &activeRoom)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .roomEntered(let entered):
                state.activeRoom = entered.roomId
                state.rooms[entered.roomId, default: UnreadRoom()].readAll()
            case .roomLeft(let left):
                if state.activeRoom == left.roomId { state.activeRoom = nil }
            case .messageAppended(let message):
                let isActive = state.activeRoom == message.roomId
                state.rooms[message.roomId, default: UnreadRoom()]
                    .receive(message, isActive: isActive)
            case .messageRepeated: break
            case .unreadCleared(let cleared):
                for roomId in cleared.roomId.map({ [$0] }) ?? Array(state.rooms.keys) {
                    state.rooms[roomId, default: UnreadRoom()].read(cleared)
                }
            case .unreadCountSet(let reported):
                guard state.activeRoom != reported.roomId else { break }
                state.rooms[reported.roomId, default: UnreadRoom()]
                    .setCount(reported.count, at: envelope.occurredAt)
            case .appLaunched: state.activeRoom = nil
            case .signedOut: state = State()
            }
            state.total = state.rooms.values.reduce(0) { $0 + $1.count }
        }
    }

    /// The unread messages of one room on a device.
    struct UnreadRoom: PlainRecord {
        /// Number of unread messages: the number of `messages` plus `notLoadedCount`.
        var count: Int64 = 0
        /// Unread messages that arrived, by time of sending.
        var messages: [UnreadMessage] = []
        /// Number of unread messages that the server reported and that have not arrived yet.
        var notLoadedCount: Int64 = 0
        /// Time at which the server last reported a count; `nil` if it reported none.
        var reported: Instant?
        /// Mark of the last read message; all messages sent before it are read too.
        var lastRead = ReadMark()
        /// Mark of the newest message that arrived; it may be one of the user's own.
        var newest = ReadMark()
        /// Ids of `messages`, for fast lookup.
        var unreadIds: [String: Bool] = [:]
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "messages", &messages, "notLoaded", &notLoadedCount)
            try field("toldUs", &reported, .any)
            try field("lastRead", &lastRead)
            try field.internalField("newest", &newest)
            try field.internalField("known", &unreadIds)
        }
    }

    /// An unread message: its id and its time of sending.
    struct UnreadMessage: PlainRecord {
        var messageId = ""
        var sent = Instant.epoch
        static var elementKey: String? { "messageId" }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("messageId", &messageId)
            try field("sentUs", &sent, .any)
        }
    }

    /// A mark in the messages of a room, which includes a message and all that were sent before it.
    struct ReadMark: PlainRecord {
        /// Time at which the last included message was sent; `nil` if no message is included.
        var sent: Instant?
        /// Ids of the included messages that were sent at exactly the time `sent`.
        var messageIds: [String] = []
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sentUs", &sent, .any)
            try field("messageIds", &messageIds)
        }

        func covers(_ messageId: String, _ sent: Instant) -> Bool {
            guard let mark = self.sent else { return false }
            return sent < mark || (sent == mark && messageIds.contains(messageId))
        }

        /// Moves this mark forward to a message; does nothing if the message was sent before it.
        mutating func reach(_ messageId: String, _ sent: Instant) {
            guard let mark = self.sent, mark >= sent else {
                (self.sent, messageIds) = (sent, [messageId])
                return
            }
            if mark == sent, !messageIds.contains(messageId) { messageIds.append(messageId) }
        }
    }
}

extension Chat.UnreadRoom {
    /// Adds a message that arrived; in an active room the message is read at once.
    fileprivate mutating func receive(_ message: Chat.MessageAppended, isActive: Bool) {
        let (id, sent) = (message.messageId, message.sent)
        guard !lastRead.covers(id, sent), unreadIds[id] == nil else { return }
        newest.reach(id, sent)
        guard !isActive else { return readAll() }
        guard !message.isOwn else { return }
        let index = messages.lastIndex { $0.sent <= sent }.map { $0 + 1 } ?? 0
        messages.insert(Chat.UnreadMessage(messageId: id, sent: sent), at: index)
        unreadIds[id] = true
        if let reported, sent <= reported, notLoadedCount > 0 { notLoadedCount -= 1 }
        updateCount()
    }

    /// Marks all messages of the room as read.
    fileprivate mutating func readAll() {
        for id in newest.messageIds { newest.sent.map { lastRead.reach(id, $0) } }
        messages = []
        unreadIds = [:]
        notLoadedCount = 0
        updateCount()
    }

    /// Marks messages as read up to the message that the event names, or all messages if the event
    /// names none.
    fileprivate mutating func read(_ cleared: Chat.UnreadCleared) {
        guard let id = cleared.uptoMessageId, let upto = cleared.uptoSent else { return readAll() }
        readOldest(messages.count(where: { $0.sent <= upto }))
        lastRead.reach(id, upto)
        notLoadedCount = 0
        updateCount()
    }

    /// Sets the count to the number that the server reported; only the newest messages remain
    /// unread.
    fileprivate mutating func setCount(_ count: Int64, at time: Instant) {
        let kept = Int(max(0, min(count, Int64(messages.count))))
        readOldest(messages.count - kept)
        notLoadedCount = max(0, count) - Int64(kept)
        reported = time
        updateCount()
    }

    /// Marks the `count` oldest messages as read.
    private mutating func readOldest(_ count: Int) {
        for message in messages.prefix(count) {
            lastRead.reach(message.messageId, message.sent)
            unreadIds[message.messageId] = nil
        }
        messages.removeFirst(count)
    }

    /// Recomputes `count` from `messages` and `notLoadedCount`.
    private mutating func updateCount() { count = Int64(messages.count) + notLoadedCount }
}
