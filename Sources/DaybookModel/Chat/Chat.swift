package import Daybook

/// The area of chats: rooms between people, unread counts of a device, and chats with the AI.
///
/// A message arrives by socket, by push, in a page of 30 or from the device's own store, often by
/// several of these; a room stores each message once. Messages that arrive while a room waits for
/// its first page are held back until the page arrives or fails. A device has at most one active
/// room; messages there are marked as read on arrival.
///
/// Source: S3 for rooms and badges, S4 for chats with the AI; their code if the documents are
/// silent.
package enum Chat: Area {
    package static let name = "chat"
    package static let rules: [RuleSet] = [.source]
    package static let events = ownEvents(Rooms.Event.kinds) + ownEvents(Conversations.Event.kinds)
    package static let commands = [
        CommandDescription(EnterRoom.self), CommandDescription(LeaveRoom.self),
        CommandDescription(AppendMessage.self), CommandDescription(RequestPage.self),
        CommandDescription(LoadPage.self), CommandDescription(FailPage.self),
        CommandDescription(SendMessage.self), CommandDescription(ClearUnread.self),
        CommandDescription(UnreadCountSet.self), CommandDescription(OpenSession.self),
        CommandDescription(CloseSession.self), CommandDescription(AddSessionMessage.self),
        CommandDescription(RecordAnswer.self), CommandDescription(FailAnswer.self),
    ]
    package static let projections = [
        ProjectionDescription(
            "room", noun: "device-room",
            "A room on a device: its messages, those that wait for the first page, and its state",
            Room.self, under: .source, SourceRoom.self),
        ProjectionDescription(
            "unread", noun: "device", "The unread messages of each room on a device", Unread.self
        ).without(
            .source,
            because: """
                the source app only counts pushes and keeps no list of read messages; see \
                'state badge'
                """),
        ProjectionDescription(
            "badge", noun: "device", "The unread count of each room on a device, and their sum",
            Badge.self, under: .source, SourceBadge.self),
        ProjectionDescription(
            "chat-session", noun: "chat-session", following: ["household"],
            "A chat with the AI: its messages, and the records that its questions were about",
            SessionView.self
        ).following("baby", renamedAs: "profile").following(in: SessionView.Event.self, \.followed),
    ]
    package static let machines = [Room.lifecycle.machine, AISession.lifecycle.machine]
    package static let audits = [
        Account.AccountAudit.description,
        ChatAudit.description,
        AuditDescription(
            "rooms", "M4", Room.lifecycle, of: Room.self, noun: "device-room", \.stage),
        AuditDescription(
            "chat-sessions", "M5", AISession.lifecycle, of: AISession.self, noun: "chat-session",
            \.status),
    ]
    package static let people: PersonNouns = ["user": "user"]

    /// Returns the descriptions of those event kinds that belong to this area.
    private static func ownEvents<Event>(_ kinds: [StoredKind<Event>]) -> [EventDescription] {
        kinds.filter { $0.kind.area == name }.map(\.description)
    }

    static func deviceTag(_ device: String) -> Tag { Tag("device", device) }
    static func userTag(_ userId: String) -> Tag { Tag("user", userId) }

    /// Returns the key of a room on a device, such as `phone-1/r1`.
    static func roomKey(_ device: String, _ roomId: String) -> String { "\(device)/\(roomId)" }

    static func roomTags(_ device: String, _ roomId: String) -> [Tag] {
        [deviceTag(device), Tag("device-room", roomKey(device, roomId)), Tag("room", roomId)]
    }

    /// Returns the tag of a message on a device, such as `message:phone-1/r1/m1`.
    static func messageTag(_ device: String, _ roomId: String, _ messageId: String) -> Tag {
        Tag("message", messageKey(device, roomId, messageId))
    }

    /// Returns the key of a message on a device, such as `phone-1/r1/m1`.
    static func messageKey(_ device: String, _ roomId: String, _ messageId: String) -> String {
        "\(roomKey(device, roomId))/\(messageId)"
    }
}
