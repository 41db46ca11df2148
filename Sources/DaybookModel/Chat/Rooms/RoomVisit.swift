import Daybook

extension Chat {
    /// A person opened a room, which becomes the active room; its first page is requested.
    struct RoomEntered: EventPayload, PlainRecord {
        static let kind: EventKind = "chat.room-entered.v1"
        var device = ""
        var roomId = ""
        var userId: String?
        var tags: [Tag] { roomTags(device, roomId) + [userId.map(userTag)].compactMap(\.self) }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "userId", &userId)
        }

        func sentence(_ wording: Wording) -> String {
            "room entered"
        }
    }

    /// A person closed a room.
    struct RoomLeft: EventPayload, PlainRecord {
        static let kind: EventKind = "chat.room-left.v1"
        var device = ""
        var roomId = ""
        var tags: [Tag] { roomTags(device, roomId) }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId)
        }

        func sentence(_ wording: Wording) -> String {
            "room left"
        }
    }

    /// Opens a room, and closes the room that was active.
    struct EnterRoom: RoomCommand {
        static let name = "chat.enter-room"
        var device = ""
        var roomId = ""
        var userId: String?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "userId", &userId)
        }

        func decide(_ rooms: Rooms.State, now: Instant) throws(Refusal) -> [Rooms.Event] {
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
    struct LeaveRoom: RoomCommand {
        static let name = "chat.leave-room"
        var device = ""
        var roomId = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId)
        }

        func decide(_ rooms: Rooms.State, now: Instant) throws(Refusal) -> [Rooms.Event] {
            guard rooms.activeRoom == roomId else { return [] }
            return [.roomLeft(RoomLeft(device: device, roomId: roomId))]
        }
    }
}
