public import Daybook
import DaybookLMDB

/// Events to append as one commit: all of them or none.
public struct AppendRequest: Sendable {
    public var events: [NewEvent]
    public var metadata: CommitMetadata
    /// Nothing is appended where one of these does not hold.
    public var conditions: [AppendCondition]
    public var idempotency: Idempotency?
    /// True where the events were decided for a key that was new then: one that came to be known
    /// meanwhile is a conflict, so that the caller decides again and learns of it.
    var expectsNewKey = false

    public typealias Idempotency = CommandKey

    public init(
        _ events: [NewEvent], metadata: CommitMetadata = CommitMetadata(),
        conditions: [AppendCondition] = [], idempotency: Idempotency? = nil
    ) {
        self.events = events
        self.metadata = metadata
        self.conditions = conditions
        self.idempotency = idempotency
    }
}

/// The place of appended events.
public struct Receipt: Hashable, Sendable {
    public var first: Position
    public var last: Position
    public var recordedAt: Instant
    /// The key was known with the same request: this is the first one's receipt, and nothing was
    /// appended now.
    public var isRepeated: Bool
}

/// Why none of several requests was appended.
public struct BatchError: Error, Hashable, Sendable {
    /// Number of the request, from 0.
    public var index: Int
    public var error: AppendError

    public init(index: Int, error: AppendError) {
        self.index = index
        self.error = error
    }
}

extension EventLog {
    /// Appends one commit. When it returns, the commit is on disk.
    ///
    /// Threads that append at the same time share one transaction and one sync.
    ///
    /// - Returns: `nil` for a request without events, for which nothing is written.
    public func append(_ request: AppendRequest) throws(AppendError) -> Receipt? {
        do throws(BatchError) {
            return try append([request])[0]
        } catch {
            throw error.error
        }
    }

    /// Appends several commits in one transaction: all of them or none.
    ///
    /// The conditions hold for what was in the log before: a request may depend on those before
    /// it in the list, and their events do not conflict with it.
    public func append(_ requests: [AppendRequest]) throws(BatchError) -> [Receipt?] {
        let ticket = AppendTicket(requests)
        for (index, request) in requests.enumerated() {
            if let reason = request.unstorable() {
                throw BatchError(index: index, error: .unstorable(reason))
            }
        }
        queue.run(ticket, write)
        let receipts = try ticket.outcome()
        catchUpIndexes(after: receipts.last ?? nil)
        return receipts
    }

    /// Brings the indexes up once they lag far behind.
    private func catchUpIndexes(after receipt: Receipt?) {
        guard let receipt else { return }
        do throws(LogError) {
            let indexed = try indexedThrough().rawValue
            if receipt.last.rawValue >= indexed + Self.indexLag { try reindex() }
        } catch {
            // The commit is done, and the indexes are derived: what could not be written now is
            // scanned by readers, and tried again by the next append or by `reindex`.
        }
    }

    /// Writes the commits of all tickets in one transaction, growing the map where it must.
    private func write(_ tickets: [AppendTicket]) {
        var failure = AppendError.log(.storage(.mapFull))
        let names = peopleNamed(by: tickets)
        for _ in 0..<24 {
            do throws(AppendError) {
                var session = try AppendSession(self)
                guard try session.knows(names) else {
                    session.end()
                    try introduce(names)
                    continue
                }
                for ticket in tickets { try session.append(ticket) }
                try session.commit()
                keepHead()
                return
            } catch .log(.storage(.mapFull)) {
                do throws(LogError) {
                    try growMap()
                } catch {
                    failure = .log(error)
                    break
                }
            } catch {
                failure = error
                break
            }
        }
        for ticket in tickets { ticket.fail(BatchError(index: 0, error: failure)) }
    }

    /// Tells the log of people whom it does not know.
    func introduce(_ names: Set<String>) throws(AppendError) {
        try AppendError.mappingLogErrors(try register(names))
    }

    /// Everybody whom the commits of some tickets name.
    private func peopleNamed(by tickets: [AppendTicket]) -> Set<String> {
        var names: Set<String> = []
        for request in tickets.lazy.flatMap(\.requests) where !request.events.isEmpty {
            let actor = request.metadata.actor
            if !actor.isEmpty { names.insert(PersonName.actor(actor)) }
            for event in request.events {
                for name in event.parts.lazy.compactMap(\.person) {
                    names.insert(PersonName.actor(name))
                }
                guard !event.personal.isEmpty || event.holdsNumbers else { continue }
                names.insert(subject(of: event.tags, actor: actor))
            }
        }
        return names
    }
}

extension AppendRequest {
    /// Why no log can hold it.
    ///
    /// - Parameter isOfLog: whether the log itself makes it.
    func unstorable(isOfLog: Bool = false) -> String? {
        if let reason = metadata.unstorable { return reason }
        if let key = idempotency?.key, key.isEmpty || key.utf8.count > 255 {
            return "an idempotency key is 1 to 255 bytes, this one \(key.utf8.count)"
        }
        var kind: EventKind?
        for event in events {
            // Most events of a commit are of one kind.
            if event.kind != kind {
                if event.kind.area == TextsErased.kind.area, !isOfLog {
                    return "\(event.kind) is written by the log itself"
                }
                kind = event.kind
            }
            if let reason = event.unstorable { return reason }
        }
        return nil
    }
}

extension NewEvent {
    /// True where integers about people lie in the payload.
    var holdsNumbers: Bool { parts.contains { $0.person == nil } }

    /// The byte in the header of its row that tells of the parts.
    var partsByte: UInt8 {
        parts.isEmpty ? 0 : UInt8(nameCount) | (holdsNumbers ? EventHeader.numbersFlag : 0)
    }
}
