import DaybookLMDB

/// One caller's requests, waiting for a transaction.
final class AppendTicket: @unchecked Sendable {
    // Written by the thread that leads a batch, read by its owner once the queue lets it go.
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

/// Gathers the appends of many threads into shared transactions (group commit).
///
/// The first thread to come leads: it writes for everyone who came while the last transaction
/// was under way.
final class AppendQueue: @unchecked Sendable {
    private let monitor = Monitor()
    private var waiting: [AppendTicket] = []
    private var isLed = false

    /// The most commits that one transaction takes over from others.
    private static let batchLimit = 4_096

    /// Returns once `write` has answered the ticket, on this thread or another.
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
