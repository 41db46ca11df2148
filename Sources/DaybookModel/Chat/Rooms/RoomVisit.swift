public import Daybook

extension Chat {
    /// A person opened a room, which becomes the active room; its first page is requested.
    public struct RoomEntered: EventPayload {
        public static let kind: EventKind = "chat.room-entered.v1"
        public var device = ""
        public var roomId = ""
        /// User signed in on the device; `nil` if no user is signed in.
        public var userId: String?
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            roomTags(device, roomId) + [userId.map(userTag)].compactMap(\.self)
        }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "userId", &userId)
        }
    }

    /// A person closed a room.
    public struct RoomLeft: EventPayload {
        public static let kind: EventKind = "chat.room-left.v1"
        public var device = ""
        public var roomId = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { roomTags(device, roomId) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId)
        }
    }

    /// Opens a room, and closes the room that was active.
    public struct EnterRoom: RoomCommand {
        public static let name = "chat.enter-room"
        public var device = ""
        public var roomId = ""
        public var userId: String?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "userId", &userId)
        }

        public func decide(_ rooms: Rooms.State, now: Instant) throws(Refusal) -> [Rooms.Event] {
            // A '/' would let rooms of two devices share a key.
            guard !device.contains("/"), !roomId.contains("/") else {
                throw Refusal(
                    "unreadableId",
                    "the device id '\(device)' and the room id '\(roomId)' must not contain '/'"
                )
            }
            guard rooms.activeRoom != roomId else { return [] }
            let left = rooms.activeRoom.map { RoomLeft(device: device, roomId: $0) }
            let entered = RoomEntered(device: device, roomId: roomId, userId: userId)
            return left.map { [.roomLeft($0), .roomEntered(entered)] } ?? [.roomEntered(entered)]
        }
    }

    /// Closes a room.
    public struct LeaveRoom: RoomCommand {
        public static let name = "chat.leave-room"
        public var device = ""
        public var roomId = ""
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId)
        }

        public func decide(_ rooms: Rooms.State, now: Instant) throws(Refusal) -> [Rooms.Event] {
            guard rooms.activeRoom == roomId else { return [] }
            return [.roomLeft(RoomLeft(device: device, roomId: roomId))]
        }
    }
}
