public import Daybook
import DaybookLMDB

/// Events to append as one commit.
public struct AppendRequest: Sendable {
    /// The events, in order.
    public var events: [NewEvent]
    /// Actor, device, correlation and causation of the commit.
    public var metadata: CommitMetadata
    /// Conditions that must all hold, or nothing is appended.
    public var conditions: [AppendCondition]
    /// The idempotency key with the request; `nil` for a request that may be appended repeatedly.
    public var idempotency: Idempotency?
    /// True if the events were decided while the key was new.
    ///
    /// If the key is known by the time of the append, the append is a conflict, so that the caller
    /// decides again and gets the earlier receipt.
    var expectsNewKey = false

    /// An idempotency key with its request.
    public typealias Idempotency = CommandKey

    /// Creates a request, by default without conditions and without an idempotency key.
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

/// The positions and time of an appended commit.
public struct Receipt: Hashable, Sendable {
    /// The position of the first event.
    public var first: Position
    /// The position of the last event.
    public var last: Position
    /// The time at which the commit was recorded.
    public var recordedAt: Instant
    /// True if an earlier commit has the same key and request.
    ///
    /// The receipt is then of the earlier commit, and nothing was appended now.
    public var isRepeated: Bool
}

/// The error of one request; no other request of the same call was appended either.
public struct BatchError: Error, Hashable, Sendable {
    /// The index of the request, from 0.
    public var index: Int
    /// The reason why the request was not appended.
    public var error: AppendError

    /// Creates the error of a request, by its index.
    public init(index: Int, error: AppendError) {
        self.index = index
        self.error = error
    }
}

extension EventLog {
    /// Appends one commit and returns after the commit is on disk.
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
    /// Conditions are checked against the log before the first of these requests, so events of the
    /// same call never conflict with each other.
    ///
    /// - Returns: a receipt for each request; `nil` for a request without events.
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

    /// Updates the index if it lags by at least `indexLag` events.
    private func catchUpIndexes(after receipt: Receipt?) {
        guard let receipt else { return }
        do throws(LogError) {
            let indexed = try indexedThrough().rawValue
            if receipt.last.rawValue >= indexed + Self.indexLag { try reindex() }
        } catch {
            // The commit is complete and the index is derived: readers scan the events after the
            // index, and the next append or `reindex` tries again.
        }
    }

    /// Writes the commits of all tickets in one transaction and grows the memory map if necessary.
    private func write(_ tickets: [AppendTicket]) {
        var failure = AppendError.log(.storage(.mapFull))
        let names = peopleNamed(by: tickets)
        for _ in 0..<24 {
            do throws(AppendError) {
                var session = try AppendSession(self)
                guard try session.areRegistered(names) else {
                    session.abort()
                    try registerPeople(names)
                    continue
                }
                for ticket in tickets { try session.append(ticket) }
                try session.commit()
                recordHead()
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

    /// Registers the people whom the log does not know yet.
    func registerPeople(_ names: Set<String>) throws(AppendError) {
        try AppendError.mappingLogErrors(try register(names))
    }

    /// Returns the names of all people whom the requests of these tickets name.
    private func peopleNamed(by tickets: [AppendTicket]) -> Set<String> {
        var names: Set<String> = []
        for request in tickets.lazy.flatMap(\.requests) where !request.events.isEmpty {
            let actor = request.metadata.actor
            if !actor.isEmpty { names.insert(PersonName.actor(actor)) }
            for event in request.events {
                for name in event.parts.lazy.compactMap(\.person) {
                    names.insert(PersonName.actor(name))
                }
                guard !event.personal.isEmpty || event.hasPersonalIntegers else { continue }
                names.insert(textOwner(of: event.tags, actor: actor))
            }
        }
        return names
    }
}

extension AppendRequest {
    /// Returns the reason why no log can store the request; `nil` if it can be stored.
    ///
    /// - Parameter isFromLog: true if the log itself makes the request, which allows events of the
    ///   area `log`.
    func unstorable(isFromLog: Bool = false) -> String? {
        if let reason = metadata.unstorableReason { return reason }
        if let key = idempotency?.key, key.isEmpty || key.utf8.count > 255 {
            return "an idempotency key has 1 to 255 bytes; this one has \(key.utf8.count)"
        }
        var kind: EventKind?
        for event in events {
            // Most events of a commit are of one kind.
            if event.kind != kind {
                if event.kind.area == TextsErased.kind.area, !isFromLog {
                    return "only the log itself writes \(event.kind)"
                }
                kind = event.kind
            }
            if let reason = event.unstorableReason { return reason }
        }
        return nil
    }
}

extension NewEvent {
    /// True if the payload has personal integers.
    var hasPersonalIntegers: Bool { parts.contains { $0.person == nil } }

    /// The header byte with the number of separately stored names, and a flag for integers.
    var partsByte: UInt8 {
        parts.isEmpty ? 0 : UInt8(nameCount) | (hasPersonalIntegers ? EventHeader.numbersFlag : 0)
    }
}
