import Daybook
import DaybookCryptography
import DaybookLMDB

/// The writing of the requests that one thread found in the queue.
struct AppendTurn {
    let log: EventLog

    /// Appends requests in one transaction; the error does not name the request that failed.
    func append(_ requests: [AppendRequest]) throws(AppendError) -> [Receipt?] {
        do throws(BatchError) {
            return try log.append(requests)
        } catch {
            throw error.error
        }
    }

    /// Appends the requests of all tickets in one transaction.
    ///
    /// Stores the receipts or the error in each ticket.
    func write(_ tickets: [AppendTicket]) {
        let waits = log.kind.waitsForOthers
        var queued = QueuedTickets(waits ? tickets : tickets + log.queue.gather())
        let start = log.operations.start
        do throws(LogError) {
            try log.kind.append(&queued, to: log)
            log.file.recordHead()
            note(queued.all, since: start, queued.waited)
        } catch {
            // The log is sound, but cannot store the request.
            let failure = error == .namesFull ? AppendError.unstorable("\(error)") : .log(error)
            for ticket in queued.waiting { ticket.fail(BatchError(index: 0, error: failure)) }
            note(queued.all, since: start, queued.waited, failure)
        }
    }

    /// Notes a transaction in the first of its tickets, whose owner gives it to the observer once
    /// others can write.
    private func note(
        _ tickets: [AppendTicket], since start: ContinuousClock.Instant?, _ waited: Duration,
        _ failure: AppendError? = nil
    ) {
        guard let start, let first = tickets.first else { return }
        var operation = LogOperation(.write, logID: log.id, duration: .now - start)
        operation.waited = waited
        if let failure {
            failure.describe(in: &operation)
            if failure == .log(.storage(.locked)) { operation.waited = operation.duration }
        } else {
            operation.describe(tickets.flatMap(\.receiptsIfAppended))
        }
        first.transaction = operation
    }

    /// Catches up the index and the tree if one of them is far behind the new commits.
    func catchUpIndexes(after receipts: some Sequence<Receipt?>) {
        var (head, count) = (UInt64(0), UInt64(0))
        for case let receipt? in receipts where !receipt.isRepeated {
            head = max(head, receipt.last.rawValue)
            count += receipt.last.rawValue - receipt.first.rawValue + 1
        }
        IndexMaintenance(log: log).run(through: head, afterEvents: count)
    }
}

extension [AppendTicket] {
    /// Returns the names of all actors and owners of personal data in these requests.
    func people(by nouns: PersonNouns) -> Set<String> {
        var names: Set<String> = []
        for request in lazy.flatMap(\.requests) where !request.events.isEmpty {
            let actor = request.metadata.actor
            if !actor.isEmpty { names.insert(PersonName.actor(actor)) }
            for event in request.events {
                for name in event.parts.lazy.compactMap(\.person) {
                    names.insert(PersonName.actor(name))
                }
                guard event.hasPersonalData else { continue }
                names.insert(nouns.textOwner(of: event.tags, actor: actor))
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

    /// True if the event has personal texts or integers, which belong to a person.
    var hasPersonalData: Bool { !personal.isEmpty || hasPersonalIntegers }

    /// The most bytes by which the stored form of the parts exceeds their part of the payload: an
    /// offset and a number for each name, a mark for each integer, and one seal.
    var longestPartsGrowth: Int { parts.count * 8 + (hasPersonalIntegers ? SHA256.byteCount : 0) }

    /// The byte for `EventHeader.parts`: the number of names stored apart, and a flag for integers.
    var partsByte: UInt8 {
        parts.isEmpty ? 0 : UInt8(nameCount) | (hasPersonalIntegers ? EventHeader.numbersFlag : 0)
    }
}
