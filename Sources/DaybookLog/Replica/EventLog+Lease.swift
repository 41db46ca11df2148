import Daybook
import DaybookLMDB

extension EventLog {
    /// Writes the note of the store's last answer.
    func write(_ note: ContactNote) throws(LogError) {
        try writing { (transaction) throws(LogError) in
            let key = Meta.contact
            try transaction.put(note.bytes, for: key.rawSpan, in: tables.meta)
        }
    }

    /// Begins the seven days anew, since the replica has all commits of its store.
    func renewLease() throws(LogError) {
        guard let lease, let link else { return }
        if let note = lease.renew(link.now()) { try write(note) }
    }

    /// Records an answer of the store to a replica that has all its commits.
    ///
    /// The note is written again later if that fails.
    func noteAnswer() {
        do throws(LogError) {
            if holdsKeys { try renewLease() }
        } catch {
            observe(.write, since: operationStart) { error.describe(in: &$0) }
        }
    }

    /// Records the values of the machine's clocks, so that setting one back makes no text readable
    /// again.
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

    /// Reports the erasures that the replica has carried out, if a report is due.
    ///
    /// A failed report is repeated later.
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
