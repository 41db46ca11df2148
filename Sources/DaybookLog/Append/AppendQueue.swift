import DaybookLMDB

/// The requests of one caller that wait for a transaction, and later their receipts or error.
final class AppendTicket: @unchecked Sendable {
    /// The requests to append, all or none of them.
    let requests: [AppendRequest]
    // Written by the thread that writes a batch; read by the owner after the queue has released it.
    /// The receipt of each request after success.
    private var receipts: [Receipt?] = []
    /// The error after a failure; `nil` after success.
    private var failure: BatchError?
    /// True after a transaction has processed the requests.
    fileprivate var isDone = false

    init(_ requests: [AppendRequest]) {
        self.requests = requests
    }

    /// Stores the receipts of the requests, `nil` for a request without events.
    func succeed(_ receipts: [Receipt?]) {
        self.receipts = receipts
        failure = nil
    }

    /// Stores the error that stopped the requests.
    func fail(_ error: BatchError) {
        failure = error
    }

    /// Returns the stored receipts, or throws the stored error.
    func outcome() throws(BatchError) -> [Receipt?] {
        if let failure { throw failure }
        return receipts
    }
}

/// A queue that combines the appends of many threads into shared transactions (group commit).
///
/// The first thread in the queue leads: it writes all requests that were queued during the previous
/// transaction.
final class AppendQueue: @unchecked Sendable {
    /// The lock of this queue, on which threads wait for their turn.
    private let monitor = Monitor()
    /// The tickets that no thread has begun to write, oldest first.
    private var waiting: [AppendTicket] = []
    /// True while one thread writes a batch for all threads.
    private var isWriting = false

    /// The maximum number of tickets in one transaction.
    private static let batchLimit = 4_096

    /// Queues a ticket and returns after `write` has processed it, on this thread or another.
    func run(_ ticket: AppendTicket, _ write: ([AppendTicket]) -> Void) {
        monitor.lock()
        waiting.append(ticket)
        while !ticket.isDone {
            guard !isWriting else {
                monitor.wait()
                continue
            }
            isWriting = true
            let batch = Array(waiting.prefix(Self.batchLimit))
            waiting.removeFirst(batch.count)
            monitor.unlock()
            write(batch)
            monitor.lock()
            for ticket in batch { ticket.isDone = true }
            isWriting = false
            monitor.announce()
        }
        monitor.unlock()
    }
}
