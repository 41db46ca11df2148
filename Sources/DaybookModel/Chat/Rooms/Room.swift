import Daybook

extension Chat {
    /// The state of a room on a device, from entering to leaving.
    enum RoomStage: UInt8, StoredEnum {
        /// The room is not open; messages arrive by push.
        case left
        /// The room is open, and its first page is loading.
        case loading
        /// The room is open, and its first page has arrived.
        case loaded
        /// The first page failed to load; messages that arrived by socket are shown.
        case failed
    }

    /// A message in a room's list, without its text.
    struct RoomMessage: PlainRecord {
        var messageId = ""
        var author = ""
        /// True if the user who was signed in on arrival wrote the message.
        var isOwn = false
        /// Channel by which the message first arrived.
        var via = Channel.socket
        var sent = Instant.epoch
        var hasText = false
        var imageCount: Int64 = 0
        static var elementKey: String? { "messageId" }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("messageId", &messageId, "author", &author, "isOwn", &isOwn, "via", &via)
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

        /// Creates a message from a repeated arrival; the message has no text and no images.
        init(_ message: MessageRepeated) {
            messageId = message.messageId
            author = message.author
            isOwn = message.isOwn
            via = message.via
            sent = message.sent
        }

        init() {}
    }

    /// The projection of one room on one device: its messages and pages.
    enum Room: Projection {
        enum Event: EventSet {
            case roomEntered(RoomEntered), roomLeft(RoomLeft), messageAppended(MessageAppended)
            case messageRepeated(MessageRepeated), pageRequested(PageRequested)
            case pageLoaded(PageLoaded), pageFailed(PageFailed), messageSent(MessageSent)

            static let kinds = [
                StoredKind(roomEntered), StoredKind(roomLeft), StoredKind(messageAppended),
                StoredKind(messageRepeated), StoredKind(pageRequested), StoredKind(pageLoaded),
                StoredKind(pageFailed), StoredKind(messageSent),
            ]
        }

        struct State: PlainRecord {
            var device = ""
            var roomId = ""
            var stage = RoomStage.left
            /// True while a page older than the first is loading.
            var isLoadingMore = false
            /// The server's cursor for the next older page; `nil` if there is none.
            var next: String?
            /// Messages by time of sending, or, under `rules: source`, in the original app's order.
            var messages: Series<RoomMessage> = []
            /// Messages that arrived while the first page is loading.
            var pending: Series<RoomMessage> = []
            /// Ids of messages that the original app loses because the first page failed to load.
            var lostIds: Series<String> = []
            /// Ids of messages sent from the device that the server has not delivered yet.
            var awaitedIds: Series<String> = []
            var pageCount: Int64 = 0
            /// Number of arrivals of messages that had arrived before.
            var repeatCount: Int64 = 0
            /// Messages of the page that is loading; always empty under the standard rules.
            var page: Series<RoomMessage> = []
            /// Ids of the messages that arrived; the value is true if the message is in `messages`.
            var arrivals: Keyed<Bool> = [:]
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field.unlessBlank("device", &device)
                try field.unlessBlank("roomId", &roomId)
                try field("stage", &stage, "isLoadingMore", &isLoadingMore, "next", &next)
                try field("messages", &messages, "pending", &pending, "lost", &lostIds)
                try field("awaited", &awaitedIds, "pages", &pageCount, "repeats", &repeatCount)
                try field.internalField("page", &page)
                try field.internalField("known", &arrivals)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            state.applyShared(event)
            switch event {
            case .messageAppended(let message): state.receive(RoomMessage(message))
            case .messageRepeated: state.repeatCount += 1
            case .roomEntered, .roomLeft, .pageLoaded, .pageFailed:
                for message in state.pending { state.insert(message) }
                state.pending = []
            case .pageRequested, .messageSent: break
            }
        }

        static let lifecycle = Lifecycle<RoomStage>(
            "room", field: "stage",
            [
                .step(RoomEntered.self, from: nil, .left, .loading, .loaded, .failed, to: .loading),
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

    /// The projection of a room as the original app's screen (S3) shows it.
    ///
    /// The list starts empty at each visit. Messages from the socket are added at its end and pages
    /// at its front, including duplicates. Messages that waited for a failed page are lost.
    enum SourceRoom: Projection {
        static func evolve(
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
                state.repeatCount += 1
                state.append(RoomMessage(message))
            case .pageLoaded:
                state.messages = state.page + state.messages + state.pending
                state.page = []
                state.pending = []
            case .pageFailed:
                if waited { state.lostIds += state.pending.map(\.messageId) }
                state.pending = []
            case .roomLeft, .pageRequested, .messageSent: break
            }
        }
    }
}

extension Chat.Room.State {
    fileprivate mutating func applyShared(_ event: Chat.Room.Event) {
        switch event {
        case .roomEntered(let entered):
            (device, roomId) = (entered.device, entered.roomId)
            (stage, isLoadingMore, next) = (.loading, false, nil)
        case .roomLeft: (stage, isLoadingMore, next) = (.left, false, nil)
        case .messageAppended(let message):
            (device, roomId) = (message.device, message.roomId)
            arrivals[message.messageId] = arrivals[message.messageId] ?? false
            awaitedIds.removeAll { $0 == message.messageId }
        case .messageRepeated: break
        case .pageRequested:
            if stage == .failed { stage = .loading } else { isLoadingMore = true }
        case .pageLoaded(let loaded):
            (stage, isLoadingMore, next) = (.loaded, false, loaded.next)
            pageCount += 1
        case .pageFailed:
            if stage == .loading { stage = .failed }
            isLoadingMore = false
        case .messageSent(let sent):
            if arrivals[sent.messageId] == nil { awaitedIds.append(sent.messageId) }
        }
    }

    /// Adds a new message to `messages`, or to `pending` while the first page is loading.
    fileprivate mutating func receive(_ message: Chat.RoomMessage) {
        guard stage == .loading, message.via != .rest else { return insert(message) }
        guard !pending.contains(where: { $0.messageId == message.messageId }) else { return }
        pending.append(message)
    }

    /// Inserts a message by its time of sending, unless `messages` has it already.
    fileprivate mutating func insert(_ message: Chat.RoomMessage) {
        guard arrivals.updateValue(true, forKey: message.messageId) != true else { return }
        let index = messages.lastIndex { $0.sent <= message.sent }.map { $0 + 1 } ?? 0
        messages.insert(message, at: index)
    }

    /// Adds an arriving message to the list to which the original app (S3) adds it. A push never
    /// enters a list, and the socket of a room is open only during a visit.
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
