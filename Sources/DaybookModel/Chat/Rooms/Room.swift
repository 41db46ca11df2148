public import Daybook

extension Chat {
    /// The progress of a room on a device.
    public enum RoomStage: UInt8, StoredEnum {
        /// Not entered; messages come by push.
        case left
        /// The first page is awaited.
        case loading
        case loaded
        /// The first page failed to load; messages that came by socket are shown.
        case failed
    }

    /// A message in a room, without its text.
    public struct RoomMessage: Record {
        public var messageId = ""
        public var author = ""
        /// True if the user who was signed in at the arrival wrote the message.
        public var isOwn = false
        public var via = Via.socket
        public var sent = Instant.epoch
        public var hasText = false
        public var imageCount: Int64 = 0
        public static var elementKey: String? { "messageId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("messageId", &messageId, "author", &author, "isOwn", &isOwn)
            try field("via", &via)
            try field("sentUs", &sent, .any)
            try field("hasText", &hasText, "imageCount", &imageCount)
        }

        init(_ message: MessageAppended) {
            messageId = message.messageId
            author = message.author
            isOwn = message.isOwn
            via = message.via
            sent = message.sent
            hasText = message.text != nil
            imageCount = message.imageCount
        }

        /// Creates a message from a repeated arrival, without text or images.
        init(_ message: MessageRepeated) {
            messageId = message.messageId
            author = message.author
            isOwn = message.isOwn
            via = message.via
            sent = message.sent
        }

        private init() {}
    }

    /// One room on one device.
    public enum Room: Projection {
        public enum Event: EventSet {
            case roomEntered(RoomEntered)
            case roomLeft(RoomLeft)
            case messageAppended(MessageAppended)
            case messageRepeated(MessageRepeated)
            case pageRequested(PageRequested)
            case pageLoaded(PageLoaded)
            case pageFailed(PageFailed)
            case messageSent(MessageSent)

            public static let kinds = [
                StoredKind(roomEntered), StoredKind(roomLeft), StoredKind(messageAppended),
                StoredKind(messageRepeated), StoredKind(pageRequested), StoredKind(pageLoaded),
                StoredKind(pageFailed), StoredKind(messageSent),
            ]
        }

        public struct State: Record {
            public var device = ""
            public var roomId = ""
            public var stage = RoomStage.left
            /// True while an older page is awaited.
            public var isLoadingMore = false
            /// The server's cursor for the page before the oldest message.
            public var next: String?
            /// Messages by time of sending; under `rules: source` in the source app's order.
            public var messages: Series<RoomMessage> = []
            /// Messages that came while the first page is awaited.
            public var pending: Series<RoomMessage> = []
            /// Ids of messages that the source app loses, because the first page failed to load.
            public var lost: Series<String> = []
            /// Ids of messages sent from the device that the server has not returned yet.
            public var awaited: Series<String> = []
            /// Number of loaded pages.
            public var pages: Int64 = 0
            /// Number of repeated arrivals.
            public var repeats: Int64 = 0
            /// Messages of the page that is loading.
            var page: Series<RoomMessage> = []
            /// Ids of the messages that arrived; true if the message is in the list.
            var known: Keyed<Bool> = [:]
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("device", &device, "roomId", &roomId, "stage", &stage)
                try field("isLoadingMore", &isLoadingMore, "next", &next)
                try field("messages", &messages, "pending", &pending, "lost", &lost)
                try field("awaited", &awaited, "pages", &pages, "repeats", &repeats)
                try field.internalField("page", &page)
                try field.internalField("known", &known)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            state.applyShared(event)
            switch event {
            case .messageAppended(let message): state.receive(RoomMessage(message))
            case .messageRepeated: state.repeats += 1
            case .roomEntered, .roomLeft, .pageLoaded, .pageFailed:
                for message in state.pending { state.insert(message) }
                state.pending = []
            case .pageRequested, .messageSent: break
            }
        }

        static let lifecycle = Lifecycle<RoomStage>(
            "room", field: "stage",
            [
                .step(
                    RoomEntered.self, from: nil, .left, .loading, .loaded, .failed, to: .loading),
                .step(RoomLeft.self, from: .loading, .loaded, .failed, to: .left),
                .begins(MessageAppended.self, .left),
                .stays(MessageAppended.self, in: .left, .loading, .loaded, .failed),
                .stays(MessageRepeated.self, in: .left, .loading, .loaded, .failed),
                .step(PageRequested.self, from: .failed, to: .loading),
                .stays(PageRequested.self, in: .loaded),
                .step(PageLoaded.self, from: .loading, to: .loaded),
                .stays(PageLoaded.self, in: .loaded),
                .step(PageFailed.self, from: .loading, to: .failed),
                .stays(PageFailed.self, in: .loaded),
                .stays(MessageSent.self, in: .loading, .loaded, .failed),
            ])
    }

    /// A room as the screen of the source app (S3) shows it.
    ///
    /// The list starts empty at each visit. Messages from the socket are added at its end and pages
    /// at its front, including duplicates. Messages that waited for a failed page are lost.
    public enum SourceRoom: Projection {
        public static func evolve(
            _ state: inout Room.State, with event: Room.Event, _ envelope: Envelope
        ) {
            let waited = state.stage == .loading
            state.applyShared(event)
            switch event {
            case .roomEntered:
                state.messages = []
                state.pending = []
                state.page = []
            case .messageAppended(let message): state.append(RoomMessage(message))
            case .messageRepeated(let message):
                state.repeats += 1
                state.append(RoomMessage(message))
            case .pageLoaded:
                state.messages = state.page + state.messages + state.pending
                state.page = []
                state.pending = []
            case .pageFailed:
                if waited { state.lost += state.pending.map(\.messageId) }
                state.pending = []
            case .roomLeft, .pageRequested, .messageSent: break
            }
        }
    }
}

extension Chat.Room.State {
    /// Applies the part of an event that is the same under both rule sets.
    fileprivate mutating func applyShared(_ event: Chat.Room.Event) {
        switch event {
        case .roomEntered(let entered):
            (device, roomId) = (entered.device, entered.roomId)
            (stage, isLoadingMore, next) = (.loading, false, nil)
        case .roomLeft: (stage, isLoadingMore, next) = (.left, false, nil)
        case .messageAppended(let message):
            (device, roomId) = (message.device, message.roomId)
            known[message.messageId] = known[message.messageId] ?? false
            awaited.removeAll { $0 == message.messageId }
        case .messageRepeated: break
        case .pageRequested:
            if stage == .failed { stage = .loading } else { isLoadingMore = true }
        case .pageLoaded(let loaded):
            (stage, isLoadingMore, next) = (.loaded, false, loaded.next)
            pages += 1
        case .pageFailed:
            if stage == .loading { stage = .failed }
            isLoadingMore = false
        case .messageSent(let sent):
            if known[sent.messageId] == nil { awaited.append(sent.messageId) }
        }
    }

    /// Adds a new message to the list, or to the waiting messages while the first page is awaited.
    fileprivate mutating func receive(_ message: Chat.RoomMessage) {
        guard stage == .loading, message.via != .rest else { return insert(message) }
        guard !pending.contains(where: { $0.messageId == message.messageId }) else { return }
        pending.append(message)
    }

    /// Inserts a message by its time of sending, unless the list already has the message.
    fileprivate mutating func insert(_ message: Chat.RoomMessage) {
        guard known.updateValue(true, forKey: message.messageId) != true else { return }
        let index = messages.lastIndex { $0.sent <= message.sent }.map { $0 + 1 } ?? 0
        messages.insert(message, at: index)
    }

    /// Adds a message at its place in the list of the source app (S3).
    ///
    /// A push never enters the list, and the socket of a room is open only during a visit.
    fileprivate mutating func append(_ message: Chat.RoomMessage) {
        switch message.via {
        case .rest: page.append(message)
        case .push: break
        case .socket, .local:
            switch stage {
            case .left: break
            case .loading: pending.append(message)
            case .loaded, .failed: messages.append(message)
            }
        }
    }
}
