package import Daybook
import DaybookLibC
package import DaybookLog
import Synchronization

/// A store whose appends go wrong as a test asks.
package final class FaultyStore: EventStore {
    /// The ways in which an append goes wrong.
    package enum Fault: Sendable {
        /// The call gets lost, and so the answer.
        case lostBefore
        /// The store appends, and its answer gets lost.
        case lostAfter
        /// The answer gets lost, and the call arrives just before the next question for outcomes.
        case lateBeforeOutcomes
        /// The answer gets lost, and the call arrives just before the next append.
        case lateBeforeAppend
        /// The store cannot be reached.
        case unreachable
        /// Something else happens first.
        case overtaken(@Sendable () throws -> Void)
        /// The answer gets lost, of a call that was written or not, and then something else happens.
        case lostAndOvertaken(isWritten: Bool, @Sendable () throws -> Void)
        /// The call has another batch.
        case changed(@Sendable (inout StoreBatch) -> Void)
    }

    private let current: Mutex<any EventStore>
    /// The faults of the next appends; `nil` for an append that goes well.
    private let faults = Mutex<[Fault?]>([])
    /// The call that is still on its way.
    private let late = Mutex<(batch: StoreBatch, waitsForAppend: Bool)?>(nil)
    /// The number of times that a question for outcomes fails.
    private let outcomeFaults = Mutex(0)
    private let counts = Mutex((appends: 0, locks: 0, segments: 0, keys: 0))
    private let lastBatch = Mutex<StoreBatch?>(nil)

    package init(_ inner: any EventStore) { current = Mutex(inner) }

    /// The store that does the work.
    private var inner: any EventStore { current.withLock { $0 } }

    /// Has another store do the work from now on, as if the log had been replaced.
    package func replace(by other: any EventStore) { current.withLock { $0 = other } }

    package var logID: [UInt8] { inner.logID }
    package var name: String { inner.name }
    /// The number of calls of `append`, `lock`, `segment` and `keys`.
    package var callCounts: (appends: Int, locks: Int, segments: Int, keys: Int) {
        counts.withLock(\.self)
    }
    /// The batch of the last append.
    package var newestBatch: StoreBatch? { lastBatch.withLock(\.self) }

    /// Sets the faults of the next appends.
    package func plan(_ next: Fault?..., outcomeFaults count: Int = 0) {
        faults.withLock { $0 = next }
        outcomeFaults.withLock { $0 = count }
    }

    package func end() throws(LogError) -> StoreEnd { try inner.end() }

    package func append(_ batch: StoreBatch) throws(LogError) -> StoreAnswer {
        counts.withLock { $0.appends += 1 }
        lastBatch.withLock { $0 = batch }
        try arrive(beforeAppend: true)
        var batch = batch
        let fault = faults.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        switch fault {
        case nil: break
        case .lostBefore: throw lost()
        case .lateBeforeAppend, .lateBeforeOutcomes:
            var waits = true
            if case .lateBeforeOutcomes? = fault { waits = false }
            let made = batch
            late.withLock { $0 = (made, waits) }
            throw lost()
        case .unreachable:
            inner.unlock()
            throw .store(.unreachable(name: name, reason: "as the test asks"))
        case .overtaken(let body): try run(body)
        case .lostAndOvertaken(let isWritten, let body):
            if isWritten { _ = try inner.append(batch) }
            inner.unlock()
            try run(body)
            throw lost()
        case .changed(let change): change(&batch)
        case .lostAfter:
            _ = try inner.append(batch)
            throw lost()
        }
        return try inner.append(batch)
    }

    /// Calls what happens meanwhile.
    private func run(_ body: () throws -> Void) throws(LogError) {
        do {
            try body()
        } catch {
            throw .store(.refused(name: name, code: "test", reason: "\(error)"))
        }
    }

    /// The error of an answer that was lost.
    private func lost() -> LogError {
        inner.unlock()
        return .store(.unknown(name: name, reason: "as the test asks"))
    }

    /// Lets the call arrive that is still on its way.
    private func arrive(beforeAppend: Bool) throws(LogError) {
        let arriving = late.withLock { call -> StoreBatch? in
            guard let waiting = call, waiting.waitsForAppend == beforeAppend else { return nil }
            call = nil
            return waiting.batch
        }
        if let arriving { _ = try inner.append(arriving) }
    }

    package func lock(after head: Head) throws(LogError) -> (end: StoreEnd, segment: [UInt8]?) {
        counts.withLock { $0.locks += 1 }
        return try inner.lock(after: head)
    }

    package func unlock() { inner.unlock() }

    package func outcomes(
        of digests: [[UInt8]]
    ) throws(LogError) -> (end: StoreEnd, firsts: [UInt64?]) {
        let fails = outcomeFaults.withLock { count in
            defer { count -= 1 }
            return count > 0
        }
        if fails { throw .store(.unreachable(name: name, reason: "as the test asks")) }
        try arrive(beforeAppend: false)
        return try inner.outcomes(of: digests)
    }

    package func segment(after head: Head, most: Int) throws(LogError) -> [UInt8]? {
        counts.withLock { $0.segments += 1 }
        return try inner.segment(after: head, most: most)
    }

    package func wait(
        after position: Position, atMost duration: Duration
    ) throws(LogError) -> Bool {
        try inner.wait(after: position, atMost: duration)
    }

    package func keys(fromBlock block: UInt64) throws(LogError) -> StoreKeys {
        counts.withLock { $0.keys += 1 }
        return try inner.keys(fromBlock: block)
    }
}
