import Daybook

extension Chat {
    /// A device requested the next older page, or the first page again after a failure.
    struct PageRequested: EventPayload, PlainRecord {
        static let kind: EventKind = "chat.page-requested.v1"
        var device = ""
        var roomId = ""
        /// The server's cursor for the page; `nil` for the newest page.
        var next: String?
        var tags: [Tag] { roomTags(device, roomId) }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "next", &next)
        }

        func sentence(_ wording: Wording) -> String {
            next == nil ? "newest messages requested" : "older messages requested"
        }
    }

    /// A requested page of messages arrived; the events of its messages precede this event.
    ///
    /// Messages that waited for the first page are now shown.
    struct PageLoaded: EventPayload, PlainRecord {
        static let kind: EventKind = "chat.page-loaded.v1"
        var device = ""
        var roomId = ""
        /// Ids of the page's messages, in the server's order.
        var messageIds: [String] = []
        /// The server's cursor for the next older page; `nil` for the oldest page.
        var next: String?
        var tags: [Tag] { roomTags(device, roomId) }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId)
            try field("messageIds", &messageIds, "next", &next)
        }

        func sentence(_ wording: Wording) -> String {
            "\(messageIds.count.counted("message")) loaded"
                + (next == nil ? ", back to the oldest" : "")
        }

        /// Maximum number of messages in a page.
        static let maxMessageCount = 30
    }

    /// A requested page failed to load.
    struct PageFailed: EventPayload, PlainRecord {
        static let kind: EventKind = "chat.page-failed.v1"
        var device = ""
        var roomId = ""
        /// HTTP status of the server's response; `nil` without a response.
        var httpStatus: Int64?
        var tags: [Tag] { roomTags(device, roomId) }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId)
            try field("httpStatus", &httpStatus, .httpStatus)
        }

        func sentence(_ wording: Wording) -> String {
            (httpStatus.map { "\($0): " } ?? "no answer: ") + "messages not loaded"
        }
    }

    /// Requests the next older page, or the first page again after a failure.
    ///
    /// Rejected while another page is loading.
    struct RequestPage: RoomCommand {
        static let name = "chat.request-page"
        var device = ""
        var roomId = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId)
        }

        func decide(_ rooms: Rooms.State, now: Instant) throws(Refusal) -> [Rooms.Event] {
            let visit = try visit(rooms, for: PageRequested.self)
            guard !visit.isLoadingMore else {
                throw Refusal("roomIsLoading", "a page of the room '\(roomId)' is already loading")
            }
            guard visit.stage == .failed || visit.next != nil else {
                throw Refusal("noOlderPage", "the room '\(roomId)' has no older page")
            }
            return [.pageRequested(PageRequested(device: device, roomId: roomId, next: visit.next))]
        }
    }

    /// Records the arrival of a requested page of at most 30 messages.
    struct LoadPage: RoomCommand {
        static let name = "chat.load-page"
        var device = ""
        var roomId = ""
        var userId: String?
        /// Messages of the page, in the server's order.
        var messages: [Message] = []
        var next: String?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId, "userId", &userId)
            try field("messages", &messages, "next", &next)
        }

        var relevantMessageIds: [String] { messages.map(\.messageId) }

        func decide(_ rooms: Rooms.State, now: Instant) throws(Refusal) -> [Rooms.Event] {
            try rooms.checkAwaitsPage(try visit(rooms, for: PageLoaded.self), roomId)
            guard messages.count <= PageLoaded.maxMessageCount else {
                throw Refusal(
                    "pageTooLarge",
                    "the page has \(messages.count) messages; expected at most "
                        + "\(PageLoaded.maxMessageCount)")
            }
            var known = rooms
            var events: [Rooms.Event] = []
            for message in messages {
                events.append(known.arrivalEvent(message, .rest, in: roomId, of: device, userId))
                known.sentTimes[messageKey(device, roomId, message.messageId)] = message.sent
            }
            let loaded = PageLoaded(
                device: device, roomId: roomId, messageIds: relevantMessageIds, next: next)
            return events + [.pageLoaded(loaded)]
        }
    }

    /// Records that a requested page failed to load.
    struct FailPage: RoomCommand {
        static let name = "chat.fail-page"
        var device = ""
        var roomId = ""
        var httpStatus: Int64?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "roomId", &roomId)
            try field("httpStatus", &httpStatus, .httpStatus)
        }

        func decide(_ rooms: Rooms.State, now: Instant) throws(Refusal) -> [Rooms.Event] {
            try rooms.checkAwaitsPage(try visit(rooms, for: PageFailed.self), roomId)
            return [.pageFailed(PageFailed(device: device, roomId: roomId, httpStatus: httpStatus))]
        }
    }
}

extension Chat.Rooms.State {
    /// Throws a refusal if the room awaits no requested page.
    fileprivate func checkAwaitsPage(_ visit: Chat.Rooms.Visit, _ roomId: String) throws(Refusal) {
        guard visit.stage == .loading || visit.isLoadingMore else {
            throw Refusal("pageNotRequested", "no page of the room '\(roomId)' was requested")
        }
    }
}
