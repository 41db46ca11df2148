import DaybookLMDB

/// The requests of one caller, queued for a transaction.
final class AppendTicket: @unchecked Sendable {
    // Written by the thread that leads a batch; read by the owner after the queue has released it.
    let requests: [AppendRequest]
    private var receipts: [Receipt?] = []
    private var failure: BatchError?
    fileprivate var isDone = false

    init(_ requests: [AppendRequest]) {
        self.requests = requests
    }

    func succeed(_ receipts: [Receipt?]) {
        self.receipts = receipts
        failure = nil
    }

    func fail(_ error: BatchError) {
        failure = error
    }

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
    private let monitor = Monitor()
    private var waiting: [AppendTicket] = []
    private var isLed = false

    /// The maximum number of tickets in one transaction.
    private static let batchLimit = 4_096

    /// Queues a ticket and returns after `write` has processed it, on this thread or another.
    func run(_ ticket: AppendTicket, _ write: ([AppendTicket]) -> Void) {
        monitor.lock()
        waiting.append(ticket)
        while !ticket.isDone {
            guard !isLed else {
                monitor.wait()
                continue
            }
            isLed = true
            let batch = Array(waiting.prefix(Self.batchLimit))
            waiting.removeFirst(batch.count)
            monitor.unlock()
            write(batch)
            monitor.lock()
            for ticket in batch { ticket.isDone = true }
            isLed = false
            monitor.announce()
        }
        monitor.unlock()
    }
}
