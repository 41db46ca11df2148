package import Daybook
import DaybookLMDB

@testable package import DaybookLog

// A file has no epochs: an erasure overwrites the keys in place, and is then complete.
extension FileStore: ErasingStore {
    /// Always `nil`: a file has no standbys.
    package var standbys: [String]? {
        get { nil }
        set { _ = newValue }
    }

    package func exportKeys(to path: String) throws(LogError) -> [Int32] {
        throw .store(.refused(name: name, code: "file", reason: "a file has its keys itself"))
    }

    package func reserveSlots(_ count: Int) throws(LogError) -> [UInt32] {
        guard desk.begin() else { throw refusal("lock", "another writer holds the log's lock") }
        defer { desk.end() }
        return try mapping { () throws(LogError) in
            try PeopleRegistration(file: log.file).reserveSlots(count)
        }
    }

    package func prepareErasure(
        of slots: Set<UInt32>, using reserved: Set<UInt32>
    ) throws(LogError) -> PreparedErasure? {
        let epoch = try end().epoch
        return PreparedErasure(epoch: epoch, newEpoch: epoch, slots: slots)
    }

    package func beginErasure(_ prepared: PreparedErasure) throws(LogError) -> Bool {
        desk.setTexts([])
        return true
    }

    package func replace(
        _ texts: [StoreBatch.Text], _ prepared: PreparedErasure
    ) throws(LogError) {
        desk.setTexts(desk.takeTexts() + texts)
    }

    package func lockErasure(
        after head: Head
    ) throws(LogError) -> (end: StoreEnd, segment: [UInt8]?) {
        try lock(after: head)
    }

    package func abandonErasure() {
        _ = desk.takeTexts()
        unlock()
    }

    package func erase(
        _ batch: StoreBatch, changing changed: [StoreBatch.Text], _ prepared: PreparedErasure
    ) throws(LogError) -> StoreAnswer {
        let changed = desk.takeTexts() + changed
        let answer = try appending(batch, erases: true) { (transaction) throws(AppendFault) in
            try AppendFault.mapping { () throws(LogError) in
                try self.erase(batch, changed, prepared, in: &transaction)
            }
        }
        if answer.result == .appended { _ = try finishErasures() }
        return answer
    }

    /// Changes earlier texts, and lists the slots of erased keys, which are then overwritten.
    private func erase(
        _ batch: StoreBatch, _ changed: [StoreBatch.Text], _ prepared: PreparedErasure,
        in transaction: inout LogWriteTransaction
    ) throws(LogError) {
        let tables = log.file.tables
        for text in changed {
            let key = PersonalRow.key(text.position, text.field)
            let value = Array(text.row.dropLast(RowChecksum.byteCount))
            try transaction.put(value, for: key.rawSpan, in: tables.texts)
        }
        for person in batch.people {
            let row = try PersonRow(
                person.row.rawSpan.extracting(droppingLast: 8), at: UInt64(person.number))
            guard row.state == .erased, !person.replaced.isEmpty,
                case .known(let known, let key) = try log.people.findPerson(
                    person.number, in: transaction),
                let name = known.decryptName(person.number, under: key)
            else { continue }
            try transaction.remove(
                log.file.digests.person(name).rawSpan, from: tables.peopleByDigest)
        }
        let key = Meta.erasing
        let pending =
            try log.file.tables.slots(listedIn: key, in: transaction) + prepared.slots.sorted()
        try transaction.put(pending.flatMap(\.bytes), for: key.rawSpan, in: tables.meta)
    }

    package func finishErasures() throws(LogError) -> [ErasureReach.Epoch] {
        try mapping { () throws(LogError) in try LogErasures(log: log).finish() }
        return []
    }

    package func note(_ replica: StoreReplica) throws(LogError) {
        desk.note(replica, at: log.file.clock())
    }

    package func reach(of erasure: Position) throws(LogError) -> ErasureReach {
        var reach = ErasureReach(askedAt: log.file.clock())
        for (replica, heardAt) in desk.replicas where replica.erasedThrough < erasure {
            reach.replicas.append(
                ErasureReach.Replica(
                    id: Hexadecimal.text(replica.id), label: replica.label, heardAt: heardAt))
        }
        reach.replicas.sort { ($0.heardAt, $0.id) < ($1.heardAt, $1.id) }
        return reach
    }
}
