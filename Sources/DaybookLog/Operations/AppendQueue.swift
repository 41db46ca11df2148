import DaybookLibC

/// The append requests of one caller that wait to be written, and later their receipts or error.
final class AppendTicket: @unchecked Sendable {
    /// The requests; either all of them are appended or none.
    let requests: [AppendRequest]
    // Written by the thread that writes a batch; read by the owner after the queue has released it.
    /// The receipt of each request, set by `succeed`; `nil` for a request without events, unless an
    /// earlier commit has its idempotency key.
    private var receipts: [Receipt?] = []
    /// The error that stopped the requests, set by `fail`; `nil` after success.
    private var failure: BatchError?
    /// The transaction that wrote the batch of which this ticket was the first, for an observer.
    var transaction: LogOperation?
    /// True if a transaction has processed the requests.
    fileprivate var isDone = false
    /// Tells the task that waits for the outcome that there is one; `nil` if a thread waits.
    ///
    /// Gets false if the ticket was withdrawn.
    fileprivate var resume: (@Sendable (Bool) -> Void)?

    init(_ requests: [AppendRequest]) {
        self.requests = requests
    }

    /// Stores the receipts of the requests; see `receipts`.
    func succeed(_ receipts: [Receipt?]) {
        self.receipts = receipts
        failure = nil
    }

    /// Stores the error because of which none of the requests was appended.
    func fail(_ error: BatchError) {
        failure = error
    }

    /// True after `fail`.
    var hasFailed: Bool { failure != nil }

    /// The receipts stored by `succeed`; empty after `fail`.
    var receiptsIfAppended: [Receipt?] { failure == nil ? receipts : [] }

    /// Returns the receipts stored by `succeed`, or throws the error stored by `fail`.
    func outcome() throws(BatchError) -> [Receipt?] {
        if let failure { throw failure }
        return receipts
    }
}

/// A queue that combines the appends of many threads and tasks into shared transactions (group
/// commit).
///
/// The first thread in the queue leads: it writes all requests that were queued during the previous
/// transaction. Tasks wait for no thread, so the log gives the queue one while tasks wait.
final class AppendQueue: @unchecked Sendable {
    /// Protects all properties and `isDone`; threads wait on it until a batch is written.
    private let monitor = Monitor()
    /// The tickets that are not part of a batch yet, oldest first.
    private var waiting: [AppendTicket] = []
    /// The tickets that are being written.
    private var batch: [AppendTicket] = []
    /// The number of tickets in `waiting` for which a task waits.
    private var taskCount = 0
    /// True if a thread is writing a batch of tickets.
    private var isWriting = false
    /// True if a thread writes for tasks, or was asked to.
    private var isServingTasks = false

    /// The number of tickets that the last transaction wrote, and that waited when it ended.
    private var lastCount = 0

    /// The maximum number of tickets in one transaction.
    private static let maxBatchSize = 4_096
    /// The longest wait for callers to come back, in sleeps of 50 microseconds (about 100 with the
    /// system's slack), and the number of sleeps without one after which nobody is expected.
    private static let gatheringSteps = (most: 20, idle: 2)

    /// Queues a ticket, and returns after `write` has processed it on this or another thread.
    ///
    /// - Parameter write: appends the requests of a batch of tickets, and calls `succeed` or `fail`
    ///   on each of them. It is called by one thread at a time.
    func run(_ ticket: AppendTicket, _ write: ([AppendTicket]) -> Void) {
        monitor.lock()
        waiting.append(ticket)
        while !ticket.isDone {
            guard !isWriting else {
                monitor.wait()
                continue
            }
            let tasks = writeBatch(write).compactMap(\.resume)
            guard !tasks.isEmpty else { continue }
            monitor.unlock()
            for resume in tasks { resume(true) }
            monitor.lock()
        }
        monitor.unlock()
    }

    /// Writes the oldest waiting tickets, and returns them. Called, and returns, with the monitor.
    private func writeBatch(_ write: ([AppendTicket]) -> Void) -> [AppendTicket] {
        isWriting = true
        let first = addToBatch()
        monitor.unlock()
        write(first)
        monitor.lock()
        let written = batch
        batch = []
        lastCount = written.count + waiting.count
        for ticket in written { ticket.isDone = true }
        isWriting = false
        monitor.wakeAll()
        return written
    }

    /// Returns the tickets that were queued since the batch was taken, which the caller writes too.
    ///
    /// Called by `write` of `run` or `writeForTasks`, which has waited and continues with more
    /// tickets.
    func takeMore() -> [AppendTicket] {
        monitor.lock()
        defer { monitor.unlock() }
        return addToBatch()
    }

    /// Waits for the callers whose tickets were written last to come back, and returns what was
    /// queued since the batch was taken, which the caller writes too.
    ///
    /// Without it, half of the callers wait while the others are written, and each transaction has
    /// half of what it could have. Called by `write` before its transaction, which takes longer than
    /// the wait however few tickets it has. A caller who is alone is not waited for.
    func gather() -> [AppendTicket] {
        monitor.lock()
        defer { monitor.unlock() }
        let expected = min(lastCount, Self.maxBatchSize)
        var count = batch.count + waiting.count
        var steps = 0
        var idleSteps = 0
        while count < expected, steps < Self.gatheringSteps.most,
            idleSteps < Self.gatheringSteps.idle
        {
            monitor.unlock()
            usleep(50)
            monitor.lock()
            steps += 1
            let before = count
            count = batch.count + waiting.count
            idleSteps = count > before ? 0 : idleSteps + 1
        }
        return addToBatch()
    }

    /// Adds the oldest waiting tickets to the batch, and returns them. Called with the monitor.
    private func addToBatch() -> [AppendTicket] {
        let added = Array(waiting.prefix(Self.maxBatchSize - batch.count))
        waiting.removeFirst(added.count)
        taskCount -= added.count { $0.resume != nil }
        batch += added
        return added
    }
}

// Tickets for which a task waits, and no thread.
extension AppendQueue {
    /// Queues a ticket for a task.
    ///
    /// - Parameter resume: called once: with true after the ticket was processed, or with false
    ///   after it was withdrawn.
    /// - Returns: true if the caller must have a thread call `writeForTasks`.
    func add(_ ticket: AppendTicket, _ resume: @escaping @Sendable (Bool) -> Void) -> Bool {
        monitor.lock()
        defer { monitor.unlock() }
        ticket.resume = resume
        waiting.append(ticket)
        taskCount += 1
        defer { isServingTasks = true }
        return !isServingTasks
    }

    /// Takes a ticket out of the queue, unless it is being written or was processed.
    func withdraw(_ ticket: AppendTicket) {
        monitor.lock()
        let index = waiting.firstIndex { $0 === ticket }
        if let index {
            waiting.remove(at: index)
            taskCount -= 1
        }
        monitor.unlock()
        if index != nil { ticket.resume?(false) }
    }

    /// Writes one batch if tasks wait.
    ///
    /// - Returns: the processed tickets, whose tasks the caller resumes with `resumeTasks`; and
    ///   true if tasks still wait, so that a thread must call this function again.
    func writeForTasks(
        _ write: ([AppendTicket]) -> Void
    ) -> (batch: [AppendTicket], tasksWait: Bool) {
        monitor.lock()
        defer { monitor.unlock() }
        while isWriting, taskCount > 0 { monitor.wait() }
        let batch = taskCount > 0 ? writeBatch(write) : []
        isServingTasks = taskCount > 0
        return (batch, isServingTasks)
    }

    /// Resumes the tasks that wait for processed tickets.
    static func resumeTasks(of batch: [AppendTicket]) {
        for ticket in batch { ticket.resume?(true) }
    }
}
