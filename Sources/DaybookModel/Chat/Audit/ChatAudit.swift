import Daybook

extension Chat {
    /// Finds errors in rooms and chats with the AI that were recorded without a command's checks.
    struct ChatAudit: Audit {
        static let description = AuditDescription(
            "chat",
            [
                AuditRule("M1", "A message is recorded as new twice"),
                AuditRule(
                    "M2", "A page has more than 30 messages, or one whose arrival is not recorded"),
                AuditRule("M3", "A message with more than five images was sent"),
                AuditRule("M6", "A user has two open chats for one household and child"),
            ]
        ) { ChatAudit($0) }

        /// Log position of each message's first arrival, by key of the room on the device, such as
        /// `phone-1/r1`, and by message id.
        private var arrivalPositions: [String: [String: Int64]] = [:]
        private var openChats = OpenChats()
        /// Findings about rooms.
        private var findings: EntityFindings
        /// Findings about chats with the AI.
        private var sessionFindings: EntityFindings
        private let reader = KindReader<Room.Event>()
        private let sessionReader = KindReader<AISession.Event>()
        private let replacementReader = KindReader<IdReplacement>()

        /// The event that gives a household or baby a new id.
        private enum IdReplacement: EventSet {
            case idReplaced(Household.IdReplaced)
            static let kinds = [StoredKind(idReplaced)]
        }

        init(_ context: AuditContext) {
            findings = EntityFindings("device-room", context)
            sessionFindings = EntityFindings("chat-session", context)
        }

        func ignores(_ kind: EventKind) -> Bool {
            reader.ignores(kind) && sessionReader.ignores(kind) && replacementReader.ignores(kind)
        }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            let position = Int64(clamping: event.position.rawValue)
            switch try reader.read(event) {
            case .messageAppended(let message):
                let room = roomKey(message.device, message.roomId)
                if let first = arrivalPositions[room]?[message.messageId] {
                    findings.add(
                        "M1", position, room,
                        expected: "'\(message.messageId)' once, as at position \(first)",
                        found: "again, by \(message.via.name)")
                } else {
                    arrivalPositions[room, default: [:]][message.messageId] = position
                }
            case .pageLoaded(let page): check(page, position)
            case .messageSent(let sent) where sent.imageCount > MessageSent.maxImageCount:
                findings.add(
                    "M3", position, roomKey(sent.device, sent.roomId),
                    expected: "at most \(MessageSent.maxImageCount) images",
                    found: "\(sent.imageCount)")
            default: break
            }
            switch try sessionReader.read(event) {
            case .sessionOpened(let opened): check(opened, position)
            case .sessionClosed(let closed): openChats.close(closed)
            default: break
            }
            if case .idReplaced(let ids) = try replacementReader.read(event) {
                openChats.apply(ids)
            }
        }

        /// Checks rule M6: a user has at most one open chat per household and baby.
        private mutating func check(_ opened: SessionOpened, _ position: Int64) {
            if let other = openChats.open(opened, at: position).min(by: { $0.value < $1.value }) {
                sessionFindings.add(
                    "M6", position, opened.sessionId, expected: "'\(other.key)' closed before",
                    found: "open since position \(other.value)")
            }
        }

        /// Checks rule M2: a page has at most 30 messages, each with a recorded arrival.
        private mutating func check(_ page: PageLoaded, _ position: Int64) {
            let room = roomKey(page.device, page.roomId)
            if page.messageIds.count > PageLoaded.maxMessageCount {
                findings.add(
                    "M2", position, room,
                    expected: "at most \(PageLoaded.maxMessageCount) messages",
                    found: "\(page.messageIds.count)")
            }
            let known = arrivalPositions[room] ?? [:]
            for messageId in page.messageIds where known[messageId] == nil {
                findings.add(
                    "M2", position, room, expected: "'\(messageId)' before the page",
                    found: "no arrival recorded")
            }
        }

        mutating func finish() -> AuditResult {
            AuditResult(findings: findings.found + sessionFindings.found)
        }
    }
}
