public import Daybook

extension Chat {
    /// The server accepted a message; the room shows it once the server delivers it.
    public struct MessageSent: EventPayload {
        public static let kind: EventKind = "chat.message-sent.v1"
        public var device = ""
        public var roomId = ""
        public var userId = ""
        /// The id that the server gave the message.
        public var messageId = ""
        public var text: PersonalText?
        public var imageCount: Int64 = 0
        public static var blank: Self { Self() }
        public var tags: [Tag] { [userTag(userId)] + roomTags(device, roomId) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "userId", &userId)
            try field("messageId", &messageId, "text", &text)
            try field("imageCount", &imageCount, .imageCount)
        }

        /// Maximum number of images in a sent message.
        static let maxImageCount: Int64 = 5
    }

    /// Sends a message with a text that is not blank and at most five images.
    public struct SendMessage: RoomCommand {
        public static let name = "chat.send-message"
        public var device = ""
        public var roomId = ""
        public var userId = ""
        public var messageId = ""
        public var text: PersonalText?
        /// Number of images; `nil` means 0.
        public var imageCount: Int64?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "userId", &userId)
            try field("messageId", &messageId, "text", &text)
            try field("imageCount", &imageCount, .imageCount)
        }

        public func decide(_ rooms: Rooms.State, now: Instant) throws(Refusal) -> [Rooms.Event] {
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
            return [
                .messageSent(
                    MessageSent(
                        device: device, roomId: roomId, userId: userId, messageId: messageId,
                        text: text, imageCount: images))
            ]
        }
    }
}
