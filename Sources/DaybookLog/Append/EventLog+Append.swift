import Daybook
import DaybookLMDB
import Synchronization

extension EventLog {
    /// Appends one commit and returns after the commit is on disk.
    ///
    /// Threads that append at the same time share one transaction and one sync to disk.
    ///
    /// - Returns: the positions and time of the commit; `nil` for a request without events, which
    ///   writes nothing, unless an earlier commit has its idempotency key.
    public func append(_ request: AppendRequest) throws(AppendError) -> Receipt? {
        do throws(BatchError) {
            return try append([request])[0]
        } catch {
            throw error.error
        }
    }

    /// Appends several commits in one transaction: all of them or none.
    ///
    /// The conditions of all requests are checked before the first request is written, so that
    /// events of the same call never conflict with each other.
    ///
    /// - Returns: the receipt of each request, in order; `nil` for a request without events, unless
    ///   an earlier commit has its idempotency key.
    public func append(_ requests: [AppendRequest]) throws(BatchError) -> [Receipt?] {
        try observing(.append) { () throws(BatchError) in
            let ticket = AppendTicket(requests)
            for (index, request) in requests.enumerated() {
                if let reason = request.reasonUnstorable() {
                    throw BatchError(index: index, error: .unstorable(reason))
                }
            }
            queue.run(ticket, write)
            if let transaction = ticket.transaction { observer?.observe(transaction) }
            let receipts = try ticket.outcome()
            catchUpIndexes(after: receipts.last ?? nil)
            return receipts
        } _: { receipts, operation in
            operation.describe(receipts)
        }
    }

    /// Updates the stored index if it lags at least `indexLag` events behind the new commit.
    func catchUpIndexes(after receipt: Receipt?) {
        let known = knownIndexedThrough.load(ordering: .relaxed)
        // One thread updates the index, while the others append.
        guard let receipt, receipt.last.rawValue >= known + Self.indexLag,
            knownIndexedThrough.compareExchange(
                expected: known, desired: receipt.last.rawValue, ordering: .relaxed
            ).exchanged
        else { return }
        let start = operationStart
        do throws(LogError) {
            var indexed = try indexedThrough().rawValue
            if receipt.last.rawValue >= indexed + Self.indexLag {
                let before = indexed
                try reindex()
                indexed = try indexedThrough().rawValue
                observe(.index, since: start) { operation in
                    operation.eventCount = Int(indexed - min(indexed, before))
                    operation.position = Position(indexed)
                }
            }
            knownIndexedThrough.store(indexed, ordering: .relaxed)
        } catch {
            // The commit is complete and the index is derived: readers scan the events after the
            // index, and the next append or `reindex` tries again.
            knownIndexedThrough.store(known, ordering: .relaxed)
            observe(.index, since: start) { error.describe(in: &$0) }
        }
    }

    /// Appends the requests of all tickets in one transaction, and grows the map if needed.
    ///
    /// Stores the receipts or the error in each ticket.
    func write(_ tickets: [AppendTicket]) {
        // A turn that waits for a store's lock takes later what is queued meanwhile.
        let waits = link?.beginsWithLock ?? false
        let tickets = waits ? tickets : tickets + queue.gather()
        if let link { return write(tickets, to: link) }
        var failure = AppendError.log(.storage(.mapFull))
        let start = operationStart
        var waited = Duration.zero
        let names = peopleNamed(by: tickets)
        for _ in 0..<24 {
            do throws(AppendError) {
                var session = try AppendSession(self)
                waited += session.waited
                guard try session.loadPeople(names) else {
                    session.abort()
                    try registerPeople(names)
                    continue
                }
                for ticket in tickets { try session.append(ticket) }
                try session.commit()
                recordHead()
                note(tickets, since: start, waited)
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
        note(tickets, since: start, waited, failure)
    }

    /// Notes a transaction in the first of its tickets, whose owner gives it to the observer once
    /// others can write.
    func note(
        _ tickets: [AppendTicket], since start: ContinuousClock.Instant?, _ waited: Duration,
        _ failure: AppendError? = nil
    ) {
        guard let start, let first = tickets.first else { return }
        var operation = LogOperation(.write, logID: id, duration: .now - start)
        operation.waited = waited
        if let failure {
            failure.describe(in: &operation)
            if failure == .log(.storage(.locked)) { operation.waited = operation.duration }
        } else {
            operation.describe(tickets.flatMap(\.receiptsIfAppended))
        }
        first.transaction = operation
    }

    /// Registers those of the named people whom the log does not know yet.
    func registerPeople(_ names: Set<String>) throws(AppendError) {
        try AppendError.mappingLogErrors(try register(names))
    }

    /// Returns the names of all actors and owners of personal data in these requests.
    func peopleNamed(by tickets: [AppendTicket]) -> Set<String> {
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
    package func reasonUnstorable(isFromLog: Bool = false) -> String? {
        if let reason = metadata.unstorableReason { return reason }
        if let key = idempotency?.key, key.isEmpty || key.utf8.count > 255 {
            return "the idempotency key has \(key.utf8.count) bytes; expected 1 to 255"
        }
        var kind: EventKind?
        for event in events {
            // Most events of a commit are of one kind.
            if event.kind != kind {
                if event.kind.area == TextsErased.kind.area, !isFromLog {
                    return "events of \(event.kind) cannot be appended: only the log writes them"
                }
                kind = event.kind
            }
            if let reason = event.unstorableReason { return reason }
        }
        return nil
    }
}

extension NewEvent {
    /// True if the payload contains personal integers, which are stored separately.
    var hasPersonalIntegers: Bool { parts.contains { $0.person == nil } }

    /// The byte for `EventHeader.parts`: the number of names stored apart, and a flag for integers.
    var partsByte: UInt8 {
        parts.isEmpty ? 0 : UInt8(nameCount) | (hasPersonalIntegers ? EventHeader.numbersFlag : 0)
    }
}
