import Daybook

extension Chat {
    /// The server accepted a message; the room shows it once the server delivers it.
    struct MessageSent: EventPayload, PlainRecord {
        static let kind: EventKind = "chat.message-sent.v1"
        var device = ""
        var roomId = ""
        var userId = ""
        /// The id that the server gave the message.
        var messageId = ""
        var text: PersonalText?
        var imageCount: Int64 = 0
        var tags: [Tag] { [userTag(userId)] + roomTags(device, roomId) }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "userId", &userId)
            try field("messageId", &messageId, "text", &text)
            try field("imageCount", &imageCount, .imageCount)
        }

        func sentence(_ wording: Wording) -> String {
            wording.list(after: "message sent", wording.quoted(text), images(imageCount))
        }

        /// Maximum number of images in a sent message.
        static let maxImageCount: Int64 = 5
    }

    /// Sends a message with a text that is not blank and at most five images.
    struct SendMessage: RoomCommand {
        static let name = "chat.send-message"
        var device = ""
        var roomId = ""
        var userId = ""
        var messageId = ""
        var text: PersonalText?
        var imageCount: Int64?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "userId", &userId)
            try field("messageId", &messageId, "text", &text)
            try field("imageCount", &imageCount, .imageCount)
        }

        func decide(_ rooms: Rooms.State, now: Instant) throws(Refusal) -> [Rooms.Event] {
            _ = try visit(rooms, for: MessageSent.self)
            guard let text, text.text?.trimmed.isEmpty == false else {
                throw Refusal(
                    "emptyMessage", "the message '\(messageId)' has no text, or only blanks")
            }
            let images = imageCount ?? 0
            guard images <= MessageSent.maxImageCount else {
                throw Refusal(
                    "tooManyImages",
                    "the message '\(messageId)' has \(images) images; expected at most "
                        + "\(MessageSent.maxImageCount)")
            }
            let sent = MessageSent(
                device: device, roomId: roomId, userId: userId, messageId: messageId,
                text: text, imageCount: images)
            return [.messageSent(sent)]
        }
    }
}
