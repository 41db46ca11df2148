import Daybook
import DaybookLMDB
import DaybookLibC

/// One turn of a replica's leader: tickets on their way into the store.
struct StoreTurn {
    let log: EventLog
    let link: StoreLink
    /// The tickets of the turn.
    var tickets: QueuedTickets
    /// True once the store has ended this turn's lock, or was unreachable under it.
    private var hasLostLock = false
    /// The number of recording times that the store's clock has refused.
    private var clockFaults = 0
    /// The time from making the last batch to the store's answer.
    private var transit = Duration.zero

    /// The number of attempts after which the turn gives up.
    private static let attemptLimit = 48
    /// The number of refused recording times after which the turn gives up.
    private static let clockFaultLimit = 5

    /// The end of an attempt.
    private enum Attempt {
        /// All commits are in the store, and in the replica if it could be written.
        case written(isInReplica: Bool)
        /// No ticket has commits; `head` is where the replica ended.
        case nothing(head: Head)
        /// The store did not write all commits.
        case answered(StoreBatch, StoreAnswer)
        /// The store's answer was lost.
        case unknown(StoreBatch)
    }

    init(_ log: EventLog, _ link: StoreLink, _ tickets: QueuedTickets) {
        self.log = log
        self.link = link
        self.tickets = tickets
    }

    /// Appends the requests of all tickets; repeats attempts that lose to other writers of the
    /// store.
    ///
    /// - Throws: the error of all tickets that are then left in `waiting`.
    mutating func run() throws(LogError) {
        defer { link.setTransit(.zero) }
        for _ in 0..<Self.attemptLimit {
            guard !tickets.waiting.isEmpty else { return }
            let hasLock = link.beginsWithLock
            do throws(LogError) {
                try take(hasLock ? try sendUnderLock() : try send())
            } catch {
                try recover(from: error, hasLock)
            }
        }
        guard !tickets.waiting.isEmpty else { return }
        throw .store(
            .refused(
                name: link.store.name, code: "moved",
                reason: "other writers were faster \(Self.attemptLimit) times"))
    }

    /// Prepares another attempt after an error that came before the store's append; throws any
    /// other error.
    private mutating func recover(
        from error: LogError, _ hasLock: Bool
    ) throws(LogError) {
        switch error {
        case .storage(.mapFull): try log.file.growMap()
        case .clockBehind where clockFaults < 2:
            // The store's clock may have been set since its last answer.
            clockFaults += 1
            link.note(
                try link.store.end())
        case .store(.unreachable) where hasLock && !hasLostLock:
            // The store ends the lock of a writer that was held up, and has written nothing.
            hasLostLock = true
        default: throw error
        }
    }

    /// Makes the rows of the commits at the end of the replica, and appends them to the store.
    private mutating func send() throws(LogError) -> Attempt {
        var session = try AppendSession(log)
        tickets.waited += session.waited
        let begun = ContinuousClock.now
        guard let captured = session.captured else {
            throw .replica(path: log.path)
        }
        _ = try session.loadPeople(tickets.waiting.people(by: log.personNouns))
        for (index, ticket) in tickets.waiting.enumerated() {
            captured.group = Int32(index)
            try session.append(ticket, isLast: index == tickets.waiting.count - 1)
        }
        let batch = captured.batch
        guard !batch.commits.isEmpty else { return .nothing(head: batch.end.head) }
        // Before the store is asked, so that little can fail after its answer.
        try session.storeLastRows()
        try session.storeReplicaState()
        let answer = try StoreAnswer.unlessLost { () throws(LogError) in
            try link.store.append(batch)
        }
        guard let answer else { return .unknown(batch) }
        transit = .now - begun
        link.note(answer.end)
        guard answer.hasWritten(all: batch) else { return .answered(batch, answer) }
        guard answer.end.head == session.chainHead else {
            throw .store(
                .damaged(
                    name: link.store.name,
                    reason: "it ends with the head \(answer.end.head) after an append that "
                        + "leads to \(session.chainHead)"))
        }
        // Without it, the commits are durable, and the replica is behind as after a crash here.
        return .written(isInReplica: (try? session.commitStoredRows()) != nil)
    }

    /// Takes the store's lock, brings the replica to the locked end, and appends there, with the
    /// requests queued meanwhile.
    ///
    /// Other processes are kept from the replica meanwhile: one that appended would wait for the
    /// store's lock, while this thread waits for the replica.
    private mutating func sendUnderLock() throws(LogError) -> Attempt {
        var attempt: Attempt?
        try log.file.environment.holdingWrites({ LogError.storage($0) }) {
            () throws(LogError) in
            do throws(LogError) {
                let head = try log.chainHead()
                let (end, segment) = try link.store.lock(after: head)
                link.note(end)
                link.noteWriters(areOthers: segment != nil)
                if let segment { _ = try CatchUp(log, link).apply(segment) }
                try CatchUp(log, link).fetchKeys(through: UInt32(clamping: end.nextSlot - 1))
                let more = log.queue.takeMore()
                tickets.all += more
                tickets.waiting += more
                let sent = try send()
                if case .nothing = sent { link.store.unlock() }
                attempt = sent
            } catch {
                // Ends nothing if the append has ended the lock.
                link.store.unlock()
                throw error
            }
        }
        guard let attempt else { preconditionFailure("internal error: no attempt was made") }
        return attempt
    }

    /// Gives the tickets of an attempt their known outcomes.
    private mutating func take(_ attempt: Attempt) throws(LogError) {
        switch attempt {
        case .written(let isInReplica):
            tickets.waiting = []
            if isInReplica { StoreContact(log, link).noteAnswer() } else { catchUpAfterwards() }
        case .nothing(let head): try takeNothing(head)
        case .answered(let batch, let answer): try take(answer, of: batch)
        case .unknown(let batch): try resolve(batch)
        }
    }

    /// Ends the turn of tickets without commits, unless the store has commits that their conditions
    /// must consider.
    private mutating func takeNothing(_ head: Head) throws(LogError) {
        let isConditional = tickets.waiting.contains { ticket in
            !ticket.hasFailed && ticket.requests.contains { !$0.conditions.isEmpty }
        }
        if isConditional {
            let end = try link.store.end()
            link.note(end)
            guard end.head == head else {
                try CatchUp(log, link).run()
                return
            }
        }
        tickets.waiting = []
    }

    /// Handles an answer of the store that did not write all commits.
    private mutating func take(
        _ answer: StoreAnswer, of batch: StoreBatch
    ) throws(LogError) {
        switch answer.result {
        case .clock:
            clockFaults += 1
            guard clockFaults < Self.clockFaultLimit else { throw clockError(answer.end) }
            // A long batch, or one on a slow connection, is recorded when the store gets it. If only
            // the last one took long, the next is recorded now.
            link.setTransit(transit > .milliseconds(500) ? transit : .zero)
        case .moved, .behind:
            link.noteWriters(areOthers: true)
            try catchUp(with: answer.end, from: batch.end)
        case .appended: try take(answer.outcomes, of: batch)
        }
    }

    /// Ends the turn of the tickets whose commits the store has written, and brings the replica up
    /// to date for the others.
    mutating func take(
        _ outcomes: [StoreAnswer.Outcome], of batch: StoreBatch
    ) throws(LogError) {
        settle(batch, outcomes)
        if tickets.waiting.isEmpty {
            catchUpAfterwards()
        } else {
            try CatchUp(log, link).run()
        }
    }

    /// Brings the replica to a newer end of the store's log.
    private func catchUp(with end: StoreEnd, from known: StoreEnd) throws(LogError) {
        guard end.head == known.head else {
            try CatchUp(log, link).run()
            return
        }
        try CatchUp(log, link).fetchKeys(through: UInt32(clamping: end.nextSlot - 1))
        if end.nextName != known.nextName || end.nextPerson != known.nextPerson {
            // Another writer is between two steps.
            usleep(5_000)
        }
    }

    /// Brings the replica up to date after its own commit failed; the next append tries again.
    private func catchUpAfterwards() {
        log.operations.absorbing(.write) { () throws(LogError) in try CatchUp(log, link).run() }
    }

    /// The error after the store has repeatedly refused recording times.
    private func clockError(_ end: StoreEnd) -> LogError {
        if let recordedAt = end.recordedAt,
            let lead = ClockLead(recordedAt: recordedAt, now: end.clock)
        {
            return .clockBehind(recordedAt: lead.recordedAt, now: lead.now)
        }
        return .store(
            .refused(
                name: link.store.name, code: "clock",
                reason: "the time at which commits are recorded is more than a second off the "
                    + "store's clock; the connection is too slow, or a clock was set meanwhile"))
    }
}

extension StoreAnswer {
    /// True if all commits of a batch were written.
    func hasWritten(all batch: StoreBatch) -> Bool {
        result == .appended && outcomes.count == batch.commits.count
            && outcomes.allSatisfy(\.isWritten)
    }
}

extension StoreAnswer.Outcome {
    var isWritten: Bool {
        if case .written = self { true } else { false }
    }
}
