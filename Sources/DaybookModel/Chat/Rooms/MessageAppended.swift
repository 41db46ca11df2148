import Daybook

extension Chat {
    /// The channel by which a message reached a device.
    enum Channel: UInt8, StoredEnum {
        /// The socket of an open room.
        case socket
        /// A page of the server's message history.
        case rest
        case push
        /// The device's own store.
        case local
    }

    /// A message reached a device for the first time.
    struct MessageAppended: EventPayload, PlainRecord {
        static let kind: EventKind = "chat.message-appended.v1"
        var device = ""
        var roomId = ""
        var messageId = ""
        /// User id of the author.
        var author = ""
        /// User signed in on the device; `nil` if no user is signed in.
        var userId: String?
        /// Channel by which the message reached the device.
        var via = Channel.socket
        /// Time of sending, by the server's clock.
        var sent = Instant.epoch
        var text: PersonalText?
        var imageCount: Int64 = 0
        /// Tags of the event; the author's tag comes first, because the author owns the text.
        var tags: [Tag] {
            [userTag(author)] + roomTags(device, roomId) + [messageTag(device, roomId, messageId)]
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "messageId", &messageId)
            try field("author", &author, "userId", &userId, "via", &via, "sentUs", &sent)
            try field("text", &text)
            try field("imageCount", &imageCount, .imageCount)
        }

        func sentence(_ wording: Wording) -> String {
            wording.list(
                after: via.sentence(isOwn: isOwn), wording.quoted(text), images(imageCount),
                wording.otherTime(sent).map { "sent at \($0)" })
        }

        /// True if the signed-in user wrote the message; false if no user is signed in.
        var isOwn: Bool { userId == author && userId != nil }
    }

    /// A message reached a device again.
    struct MessageRepeated: EventPayload, PlainRecord {
        static let kind: EventKind = "chat.message-repeated.v1"
        var device = ""
        var roomId = ""
        var messageId = ""
        var author = ""
        var userId: String?
        var via = Channel.socket
        var sent = Instant.epoch
        var tags: [Tag] {
            [userTag(author)] + roomTags(device, roomId) + [messageTag(device, roomId, messageId)]
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "messageId", &messageId)
            try field("author", &author, "userId", &userId, "via", &via, "sentUs", &sent)
        }

        func sentence(_ wording: Wording) -> String {
            "\(via.sentence(isOwn: isOwn)) again"
        }

        /// True if the signed-in user wrote the message; false if no user is signed in.
        var isOwn: Bool { userId == author && userId != nil }
    }

    /// A message as the server or the device's own store delivers it.
    struct Message: PlainRecord {
        var messageId = ""
        var author = ""
        var sent = Instant.epoch
        var text: PersonalText?
        /// Number of images; `nil` means 0.
        var imageCount: Int64?
        static var elementKey: String? { "messageId" }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("messageId", &messageId, "author", &author, "sentUs", &sent, "text", &text)
            try field("imageCount", &imageCount, .imageCount)
        }
    }

    /// Records a message that arrived by socket, by push or from the device's own store.
    struct AppendMessage: RoomCommand {
        static let name = "chat.append-message"
        var device = ""
        var roomId = ""
        var userId: String?
        var via = Channel.socket
        var message = Message()
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "userId", &userId, "via", &via)
            try message.fields(&field)
        }

        var relevantMessageIds: [String] { [message.messageId] }

        /// Query for earlier arrivals of the message, because nothing else decides the result.
        var query: Query {
            .any(of: [MessageAppended.kind], messageTag(device, roomId, message.messageId))
        }

        func decide(_ rooms: Rooms.State, now: Instant) throws(Refusal) -> [Rooms.Event] {
            [rooms.arrivalEvent(message, via, in: roomId, of: device, userId)]
        }
    }
}

extension Chat.Rooms.State {
    /// Returns the event for an arriving message: appended at the first arrival, otherwise
    /// repeated.
    func arrivalEvent(
        _ message: Chat.Message, _ via: Chat.Channel, in roomId: String, of device: String,
        _ userId: String?
    ) -> Chat.Rooms.Event {
        let key = Chat.messageKey(device, roomId, message.messageId)
        guard sentTimes[key] == nil else {
            return .messageRepeated(
                Chat.MessageRepeated(
                    device: device, roomId: roomId, messageId: message.messageId,
                    author: message.author, userId: userId, via: via, sent: message.sent))
        }
        return .messageAppended(
            Chat.MessageAppended(
                device: device, roomId: roomId, messageId: message.messageId,
                author: message.author, userId: userId, via: via, sent: message.sent,
                text: message.text, imageCount: message.imageCount ?? 0))
    }
}

extension Limit {
    /// Accepted number of images in a message; `SendMessage` has a stricter limit.
    static let imageCount = Limit(values: 0...1_000)
}
