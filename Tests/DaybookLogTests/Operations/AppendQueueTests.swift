import Foundation
import Synchronization
import Testing

@testable import DaybookLog

/// Callers that share a transaction.
@Suite struct AppendQueueTests {
    @Test("A batch takes along what was queued since it began")
    func gathersQueued() {
        let queue = AppendQueue()
        let later = AppendTicket([])
        let answers = Mutex<[Bool]>([])
        var gathered: [AppendTicket] = []
        queue.run(AppendTicket([])) { batch in
            #expect(batch.count == 1)
            _ = queue.add(later) { isProcessed in answers.withLock { $0.append(isProcessed) } }
            gathered = queue.gather()
        }
        #expect(gathered.map(ObjectIdentifier.init) == [ObjectIdentifier(later)])
        #expect(answers.withLock(\.self) == [true])
    }

    @Test("A batch goes on though nobody comes back whose ticket was written last")
    func nobodyComes() {
        let queue = AppendQueue()
        let second = AppendTicket([])
        queue.run(AppendTicket([])) { _ in
            _ = queue.add(second) { _ in }
            _ = queue.gather()
        }
        var gathered: [AppendTicket]?
        queue.run(AppendTicket([])) { _ in gathered = queue.gather() }
        #expect(gathered?.isEmpty == true)
    }

    @Test("Each ticket of many threads is written once, whoever takes it along")
    func once() {
        let queue = AppendQueue()
        let written = Mutex<[ObjectIdentifier: Int]>([:])
        let (threadCount, ticketCount) = (8, 40)
        let tickets = (0..<threadCount).map { _ in
            (0..<ticketCount).map { _ in AppendTicket([]) }
        }
        let threads = DispatchGroup()
        for own in tickets {
            threads.enter()
            Thread.detachNewThread {
                for ticket in own {
                    queue.run(ticket) { batch in
                        for ticket in batch + queue.gather() {
                            written.withLock { $0[ObjectIdentifier(ticket), default: 0] += 1 }
                        }
                    }
                }
                threads.leave()
            }
        }
        threads.wait()
        let counts = written.withLock(\.self)
        #expect(counts.count == threadCount * ticketCount)
        #expect(counts.values.allSatisfy { $0 == 1 })
    }
}
