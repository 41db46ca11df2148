public import Daybook

extension Chat {
    /// Messages were marked as read, in one room or in all rooms.
    public struct UnreadCleared: EventPayload {
        public static let kind: EventKind = "chat.unread-cleared.v1"
        /// Id of the device.
        public var device = ""
        /// Room whose messages were read; `nil` for all rooms.
        public var roomId: String?
        /// Id of the last message that was read; `nil` if all messages were read.
        public var uptoMessageId: String?
        /// Time at which the message `uptoMessageId` was sent; `nil` if all messages were read.
        public var uptoSent: Instant?
        public static var blank: Self { Self() }
        public var tags: [Tag] { roomId.map { roomTags(device, $0) } ?? [deviceTag(device)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "uptoMessageId", &uptoMessageId)
            try field("uptoSentUs", &uptoSent)
        }
    }

    /// Marks messages as read, in one room or in all rooms.
    public struct ClearUnread: Command {
        public typealias Model = Rooms
        public static let name = "chat.clear-unread"
        public var device = ""
        /// Room whose messages to mark as read; `nil` for all rooms.
        public var roomId: String?
        /// Id of the last message to mark as read, which needs `roomId`; `nil` marks all messages.
        public var uptoMessageId: String?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "uptoMessageId", &uptoMessageId)
        }

        public var query: Query {
            guard let roomId, let uptoMessageId else {
                return .any(of: [UnreadCleared.kind], deviceTag(device))
            }
            return .any(
                of: [MessageAppended.kind], messageTag(device, roomId, uptoMessageId))
        }

        public func decide(_ rooms: Rooms.State, now: Instant) throws(Refusal) -> [Rooms.Event] {
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
    public struct UnreadCountSet: EventPayload, Command {
        public typealias Model = Rooms
        public static let kind: EventKind = "chat.unread-count-set.v1"
        public static let name = "chat.set-unread-count"
        public var device = ""
        public var roomId = ""
        /// Number of unread messages in the room.
        public var count: Int64 = 0
        public static var blank: Self { Self() }
        public var tags: [Tag] { roomTags(device, roomId) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId)
            try field("count", &count, .values(0...1_000_000))
        }

        public var query: Query { .any(of: [Self.kind], deviceTag(device)) }

        public func decide(_ rooms: Rooms.State, now: Instant) -> [Rooms.Event] {
            [.unreadCountSet(self)]
        }
    }
}
