import Daybook

extension Chat {
    /// Messages were marked as read, in one room or in all rooms.
    struct UnreadCleared: EventPayload, PlainRecord {
        static let kind: EventKind = "chat.unread-cleared.v1"
        var device = ""
        /// Room whose messages were read; `nil` for all rooms.
        var roomId: String?
        /// Id of the last message that was read; `nil` if all messages were read.
        var uptoMessageId: String?
        /// Time at which the message `uptoMessageId` was sent; `nil` if all messages were read.
        var uptoSent: Instant?
        var tags: [Tag] { roomId.map { roomTags(device, $0) } ?? [deviceTag(device)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "uptoMessageId", &uptoMessageId)
            try field("uptoSentUs", &uptoSent)
        }

        func sentence(_ wording: Wording) -> String {
            guard roomId != nil else { return "messages of all rooms read" }
            return "messages read" + (uptoSent.map { " up to that of \(wording.time($0))" } ?? "")
        }
    }

    /// Marks messages as read, in one room or in all rooms.
    struct ClearUnread: Command, PlainRecord {
        typealias Model = Rooms
        static let name = "chat.clear-unread"
        var device = ""
        /// Room whose messages to mark as read; `nil` for all rooms.
        var roomId: String?
        /// Id of the last message to mark as read, which needs `roomId`; `nil` marks all messages.
        var uptoMessageId: String?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "uptoMessageId", &uptoMessageId)
        }

        var query: Query {
            guard let roomId, let uptoMessageId else {
                return .any(of: [UnreadCleared.kind], deviceTag(device))
            }
            return .any(of: [MessageAppended.kind], messageTag(device, roomId, uptoMessageId))
        }

        func decide(_ rooms: Rooms.State, now: Instant) throws(Refusal) -> [Rooms.Event] {
            var cleared = UnreadCleared(device: device, roomId: roomId)
            if let uptoMessageId {
                guard let roomId,
                    let sent = rooms.sentTimes[messageKey(device, roomId, uptoMessageId)]
                else {
                    let reason =
                        roomId.map { "is not known in room '\($0)'" }
                        ?? "needs its room; give 'roomId'"
                    throw Refusal("messageNotFound", "message '\(uptoMessageId)' \(reason)")
                }
                cleared.uptoMessageId = uptoMessageId
                cleared.uptoSent = sent
            }
            return [.unreadCleared(cleared)]
        }
    }

    /// The server reported the number of unread messages in a room.
    struct UnreadCountSet: EventPayload, Command, PlainRecord {
        typealias Model = Rooms
        static let kind: EventKind = "chat.unread-count-set.v1"
        static let name = "chat.set-unread-count"
        var device = ""
        var roomId = ""
        /// Number of unread messages in the room.
        var count: Int64 = 0
        var tags: [Tag] { roomTags(device, roomId) }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId)
            try field("count", &count, .values(0...1_000_000))
        }

        func sentence(_ wording: Wording) -> String {
            "\(count.counted("unread message")) in the room"
        }

        var query: Query { .any(of: [Self.kind], deviceTag(device)) }
        func decide(_ rooms: Rooms.State, now: Instant) -> [Rooms.Event] { [.unreadCountSet(self)] }
    }
}
