import Daybook
import DaybookLMDB
import DaybookLibC

/// A verification that is repeated while a writer changes pages.
struct VerificationRun {
    let log: EventLog

    /// Checks the whole log while no writer changes pages that are read.
    func verifyUnchanged(
        _ catalogue: Catalogue, _ progress: (Position) -> Void
    ) throws(LogError) -> Verification {
        // Without a lock, a writer may change pages during the check: retry until the file is
        // unchanged.
        for _ in 0..<(log.isReadWithoutLock ? 5 : 0) {
            let number = try log.file.environment.stateNumber()
            let result = try verifyOnce(catalogue, progress)
            let isUnchanged = try log.file.environment.stateNumber() == number
            if result.isSound || isUnchanged { return result }
        }
        guard !log.isReadWithoutLock else { throw .storage(.changedWhileReading) }
        return try verifyOnce(catalogue, progress)
    }

    /// Checks the whole log once, as of one transaction.
    ///
    /// - Parameters:
    ///   - threadCount: the number of threads that check parts of the log at once.
    ///   - progress: called occasionally with the number of events checked so far, as a position.
    func verifyOnce(
        _ catalogue: Catalogue, onThreads threadCount: Int = min(Threads.coreCount, 8),
        _ progress: (Position) -> Void
    ) throws(LogError) -> Verification {
        let transaction = try log.file.beginReading()
        var result = Verification()
        var walk: VerificationWalk
        do throws(LogError) {
            walk = try VerificationWalk(log, catalogue, in: transaction)
        } catch {
            result.reportFaults(of: transaction.pages)
            result.report(error)
            return result
        }
        walk.check { (walk) throws(LogError) in try walk.checkTables(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkMeta(transaction) }
        walk.check { (walk) throws(LogError) in
            try walk.people.readErasures(transaction, &walk.result)
        }
        walk.check { (walk) throws(LogError) in
            try walk.people.checkPeople(transaction, &walk.result)
        }
        walk.check { (walk) throws(LogError) in
            try walk.people.checkVault(transaction, &walk.result)
        }
        walk.check { (walk) throws(LogError) in
            result = try walk.checkParts(transaction, onThreads: threadCount, progress)
        }
        walk.check { (walk) throws(LogError) in try walk.checkLastPositions(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkPersonalRows(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkSnapshotRows(transaction) }
        walk.check { (walk) throws(LogError) in
            try SnapshotCheck(log: log).checkSnapshots(against: catalogue, &walk.result)
        }
        result.add(walk.result)
        result.head = walk.result.head
        return result
    }
}
