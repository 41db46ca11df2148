import DaybookLMDB

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
    /// True if a transaction has processed the requests.
    fileprivate var isDone = false

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

    /// Returns the receipts stored by `succeed`, or throws the error stored by `fail`.
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
    /// Protects `waiting`, `isWriting` and `isDone`; threads wait on it until a batch is written.
    private let monitor = Monitor()
    /// The tickets that are not part of a batch yet, oldest first.
    private var waiting: [AppendTicket] = []
    /// True if a thread is writing a batch of tickets.
    private var isWriting = false

    /// The maximum number of tickets in one transaction.
    private static let maxBatchSize = 4_096

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
            isWriting = true
            let batch = Array(waiting.prefix(Self.maxBatchSize))
            waiting.removeFirst(batch.count)
            monitor.unlock()
            write(batch)
            monitor.lock()
            for ticket in batch { ticket.isDone = true }
            isWriting = false
            monitor.wakeAll()
        }
        monitor.unlock()
    }
}
