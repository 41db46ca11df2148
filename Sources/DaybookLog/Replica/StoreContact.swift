import Daybook
import DaybookLMDB

/// Messages between a replica and its store besides commits: that the store has answered, and
/// that erasures are carried out.
struct StoreContact {
    private let log: EventLog
    private let link: StoreLink

    init(_ log: EventLog, _ link: StoreLink) {
        self.log = log
        self.link = link
    }

    /// Begins the seven days anew, since the replica has all commits of its store.
    func renewLease() throws(LogError) {
        if let note = log.file.lease?.renew(link.now()) { try log.file.write(note) }
    }

    /// Records an answer of the store to a replica that has all its commits.
    ///
    /// The note is written again later if that fails.
    func noteAnswer() {
        log.operations.absorbing(.write) { () throws(LogError) in
            if log.file.holdsKeys { try renewLease() }
        }
    }

    /// Reports the erasures that the replica has carried out, if a report is due.
    ///
    /// A failed report is repeated later.
    func report() {
        guard log.file.holdsKeys, let lease = log.file.lease,
            let store = link.store as? any ErasingStore
        else { return }
        log.operations.absorbing(.erase) { () throws(LogError) in
            let through = try LogErasures(log: log).lastPosition()
            let pending = try log.file.hasMetaRow(Meta.erasing)
            guard !pending, lease.needsReport(through: through) else { return }
            let replica = StoreReplica(
                id: lease.note.replica, label: link.label, position: try log.head(),
                erasedThrough: through)
            try store.note(replica)
            try log.file.write(lease.report(through: through))
        }
    }

    /// Finishes the erasures in a store, and returns the reach of the one at a position.
    ///
    /// The erasure is recorded, so a failure is part of the result and not an error.
    func finishErasures(
        of store: any ErasingStore, since position: Position
    ) throws(LogError) -> ErasureReach {
        var failures: [ErasureReach.Epoch] = []
        func answer<Answer>(_ ask: () throws(LogError) -> Answer) -> Answer? {
            do throws(LogError) {
                return try ask()
            } catch {
                failures.append(ErasureReach.Epoch(0, .failed("\(error)")))
                return nil
            }
        }
        let left = answer { () throws(LogError) in try store.finishErasures() } ?? []
        report()
        let found = answer { () throws(LogError) in try store.reach(of: position) }
        var reach = found ?? ErasureReach(askedAt: log.file.clock())
        reach.epochs = left + failures
        return reach
    }

    /// Finishes interrupted erasures, as far as the keys and rights of this program allow.
    ///
    /// The log is usable without it, so failures are left to the next erasure.
    func finishInterruptedErasures(of store: any ErasingStore) {
        log.operations.absorbing(.erase) { () throws(LogError) in
            _ = try store.finishErasures()
        }
    }
}
