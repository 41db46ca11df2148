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

    /// Notes that the replica has all that its store has, as of the store's clock.
    func renewLease() throws(LogError) {
        if let note = log.file.lease?.renew(link.now()) { try log.file.write(note) }
    }

    /// Notes that the store has answered a replica that has all that the store has.
    ///
    /// The note is written again later if that fails.
    func noteAnswer() {
        do throws(LogError) {
            if log.file.holdsKeys { try renewLease() }
        } catch {
            log.operations.observe(.write, since: log.operations.start) { error.describe(in: &$0) }
        }
    }

    /// Tells the store what the replica has carried out, if it does not know yet.
    ///
    /// The store is told again later if that fails.
    func report() {
        guard log.file.holdsKeys, let lease = log.file.lease,
            let store = link.store as? any ErasingStore
        else { return }
        do throws(LogError) {
            let through = try LogErasures(log: log).lastPosition()
            let pending = try log.file.hasMetaRow(Meta.erasing)
            guard !pending, lease.needsReport(through: through) else { return }
            let replica = StoreReplica(
                id: lease.note.replica, label: link.label, position: try log.head(),
                erasedThrough: through)
            try StoreLink.mappingErrors(try store.note(replica))
            try log.file.write(lease.report(through: through))
        } catch {
            log.operations.observe(.erase, since: log.operations.start) { error.describe(in: &$0) }
        }
    }

    /// Does what is left of erasures in a store, and says how far the one at a position reaches.
    ///
    /// The erasure is recorded, so a failure is a part of the answer and no error.
    func finishErasures(
        of store: any ErasingStore, since position: Position
    ) throws(LogError) -> ErasureReach {
        var left: [ErasureReach.Epoch] = []
        do throws(StoreError) {
            left = try store.finishErasures()
        } catch {
            left = [ErasureReach.Epoch(0, .failed("\(error)"))]
        }
        report()
        var reach = ErasureReach(askedAt: log.file.clock())
        do throws(StoreError) {
            reach = try store.reach(of: position)
        } catch {
            left.append(ErasureReach.Epoch(0, .failed("\(error)")))
        }
        reach.epochs = left
        return reach
    }

    /// Finishes erasures that were interrupted, as far as this program may and can.
    ///
    /// The log can be used whatever comes of it, so the next erasure says what is left.
    func finishInterruptedErasures(of store: any ErasingStore) {
        do throws(StoreError) {
            _ = try store.finishErasures()
        } catch {
            log.operations.observe(.erase, since: log.operations.start) {
                LogError.store(error).describe(in: &$0)
            }
        }
    }
}
