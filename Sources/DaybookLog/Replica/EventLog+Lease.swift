import Daybook
import DaybookLMDB

extension EventLog {
    /// Writes when the store answered last.
    func write(_ note: ContactNote) throws(LogError) {
        try writing { (transaction) throws(LogError) in
            let key = Meta.contact
            try transaction.put(note.bytes, for: key.rawSpan, in: tables.meta)
        }
    }

    /// Notes that the replica has all that its store has, as of the store's clock.
    func renewLease() throws(LogError) {
        guard let lease, let link else { return }
        if let note = lease.renew(link.now()) { try write(note) }
    }

    /// Notes that the store has answered a replica that has all that the store has.
    ///
    /// The note is written again later if that fails.
    func noteAnswer() {
        do throws(LogError) {
            if holdsKeys { try renewLease() }
        } catch {
            observe(.write, since: operationStart) { error.describe(in: &$0) }
        }
    }

    /// Keeps what the machine's clocks show, so that setting one back shows no texts again.
    ///
    /// Does nothing if the file cannot be written, where the clocks alone count.
    func keepTime() {
        guard let note = lease?.look() else { return }
        do throws(LogError) {
            try write(note)
        } catch {
            observe(.open, since: operationStart) { error.describe(in: &$0) }
        }
    }

    /// Tells the store what the replica has carried out, if it does not know yet.
    ///
    /// The store is told again later if that fails.
    func reportToStore() {
        guard holdsKeys, let lease, let store = link?.store as? any ErasingStore else { return }
        do throws(LogError) {
            let through = try lastErasure()
            let pending = try hasMetaRow(Meta.erasing)
            guard !pending, lease.needsReport(through: through) else { return }
            let replica = StoreReplica(
                id: lease.note.replica, label: link?.label ?? "", position: try head(),
                erasedThrough: through)
            try StoreLink.mappingErrors(try store.note(replica))
            try write(lease.report(through: through))
        } catch {
            observe(.erase, since: operationStart) { error.describe(in: &$0) }
        }
    }
}
