import Daybook
import DaybookLibC

/// The batches of events that audits still have to check, for several threads.
///
/// Each audit checks the batches in order, one at a time. After a failure no audit checks batches
/// after the failed one.
final class AuditSchedule: @unchecked Sendable {
    /// One batch, to be checked by one audit.
    struct Task {
        var auditIndex: Int
        /// Number of the batch, from 0.
        var batchNumber: Int
        var batch: AuditBatch
    }

    /// A condition at which a thread stops taking tasks.
    enum Goal {
        /// Fewer than `capacity` batches are unchecked, or an audit has failed.
        case roomForBatch
        /// The schedule is closed, and every audit has checked the batches up to the failed one.
        case allChecked
    }

    /// Number of unchecked batches at which reading pauses.
    private static let capacity = 4

    /// Guards all other fields.
    private let monitor = Monitor()
    /// Indices of the audits, in the order in which they get a free thread.
    private let order: [Int]
    /// Batches that some audit has not checked, oldest first.
    private var batches: [AuditBatch] = []
    /// Number of the first batch in `batches`.
    private var firstBatchNumber = 0
    /// Number of the batch that each audit checks next, by the audit's index.
    private var nextBatchNumbers: [Int]
    /// True for each audit that a thread runs now, by the audit's index.
    private var isRunning: [Bool]
    private var isClosed = false
    /// Number of the failed batch; `nil` without a failure.
    private var failedBatchNumber: Int?

    /// Creates a schedule without batches.
    ///
    /// - Parameter order: the indices of all audits, in the order in which they get a free thread. At
    ///   least one: every catalogue has the audit of facts, and without an audit no batch would ever
    ///   be checked.
    init(_ order: [Int]) {
        self.order = order
        nextBatchNumbers = Array(repeating: 0, count: order.count)
        isRunning = Array(repeating: false, count: order.count)
    }

    var hasFailed: Bool { locked { failedBatchNumber != nil } }

    /// Adds the next batch, which every audit has to check.
    func add(_ batch: AuditBatch) { locked { batches.append(batch) } }

    /// Tells all threads that no batch will follow.
    func close() { locked { isClosed = true } }

    /// Waits for a task, and marks its audit as running; `nil` once the goal is reached.
    func next(orUntil goal: Goal) -> Task? {
        monitor.lock()
        defer { monitor.unlock() }
        while !isReached(goal) {
            if let task = freeTask() {
                isRunning[task.auditIndex] = true
                return task
            }
            monitor.wait()
        }
        return nil
    }

    func end(_ task: Task, hasFailed: Bool) {
        locked {
            isRunning[task.auditIndex] = false
            nextBatchNumbers[task.auditIndex] = task.batchNumber + 1
            if hasFailed { failedBatchNumber = min(failedBatchNumber ?? .max, task.batchNumber) }
            let checked = (nextBatchNumbers.min() ?? firstBatchNumber) - firstBatchNumber
            batches.removeFirst(min(checked, batches.count))
            firstBatchNumber += checked
        }
    }

    /// Number of the first batch that no audit may check, because it follows a failed batch or has
    /// not been added yet.
    private var endBatchNumber: Int {
        min(firstBatchNumber + batches.count, (failedBatchNumber ?? .max - 1) + 1)
    }

    private func isReached(_ goal: Goal) -> Bool {
        switch goal {
        case .roomForBatch: failedBatchNumber != nil || batches.count < Self.capacity
        case .allChecked:
            isClosed && nextBatchNumbers.allSatisfy { $0 >= endBatchNumber }
                && !isRunning.contains(true)
        }
    }

    /// Returns the next task of the first audit that is not running and has an unchecked batch.
    private func freeTask() -> Task? {
        guard
            let audit = order.first(where: {
                !isRunning[$0] && nextBatchNumbers[$0] < endBatchNumber
            })
        else { return nil }
        let number = nextBatchNumbers[audit]
        return Task(
            auditIndex: audit, batchNumber: number, batch: batches[number - firstBatchNumber])
    }

    /// Calls `body` under the lock, then wakes every thread that waits.
    private func locked<Result>(_ body: () -> Result) -> Result {
        monitor.lock()
        defer {
            monitor.wakeAll()
            monitor.unlock()
        }
        return body()
    }
}
