package import Daybook
import DaybookCryptography
import DaybookLMDB

/// The move of a file's log into a store: `push` copies it, and after a check of the copy,
/// `finishPush` leaves the log to the store.
package struct StorePush {
    private let log: EventLog

    package init(_ log: EventLog) { self.log = log }

    /// Copies the log into a store that is being filled.
    ///
    /// The next push continues one that was interrupted.
    ///
    /// - Parameters:
    ///   - store: has a log with the id and secret of this one.
    ///   - progress: called with the last position that the store has.
    /// - Returns: the head of the copy; that of the file, unless the file got commits meanwhile.
    /// - Throws: `.store(.parted)` if the store has another history; `.store(.refused)` with the
    ///   code `open` if it accepts appends already and lacks commits of the file.
    package func push(
        into store: any FillableStore, progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> Head {
        guard store.logID == log.file.identifier else {
            throw .store(
                .refused(
                    name: store.name, code: "log",
                    reason:
                        "it has the log \(Hexadecimal.text(store.logID)), but \(log.path) is the "
                        + "log \(log.id)"))
        }
        let state = try store.state()
        let isFilling = state == .filling
        // Another log goes on beside a replica of it. Only a push that is finished leaves a replica.
        guard !log.isReplica || !isFilling else { throw .replica(path: log.path) }
        try checkCanMove()
        try LogErasures(log: log).finish()
        let end = try pushCommits(into: store, in: state, progress)
        if isFilling { try fillPeople(of: store, in: try log.file.beginReading()) }
        return end.head
    }

    /// Throws an error unless a store can hold the whole log.
    ///
    /// Call this before you create the log, which `push` could otherwise leave empty.
    package func checkCanMove() throws(LogError) {
        guard log.hasKeys else { throw .keysNotHere(path: log.path, need: "a push sends") }
        guard try !log.file.hasMetaRow(Meta.lostSlots) else {
            throw .store(
                .refused(
                    name: log.path, code: "salvaged",
                    reason: "the log was salvaged without the keys of some people, and a database "
                        + "holds only logs with all keys"))
        }
    }

    /// Opens the store's log for appends, and makes the file its replica, after a push.
    ///
    /// Newer commits of the file are copied first. Afterwards, programs that have the file open
    /// cannot append to it. A second call does nothing.
    ///
    /// - Returns: the head of the log.
    package func finishPush(
        into store: any FillableStore, progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> Head {
        let state = try store.state()
        while true {
            let end = try pushCommits(into: store, in: state, progress)
            if try leaveLog(to: store, at: end) { return end.head }
        }
    }

    /// Sends the commits that a store lacks; returns its new end.
    ///
    /// The store's state is not read again: a store that has changed it refuses the next batch.
    private func pushCommits(
        into store: any FillableStore, in state: StoreState, _ progress: (Position) -> Void
    ) throws(LogError) -> StoreEnd {
        var end = try store.end()
        try checkHas(end.head, of: store)
        while true {
            let batch = try fillingBatch(after: end)
            guard !batch.commits.isEmpty else { return end }
            guard state == .filling else {
                throw .store(
                    .refused(
                        name: store.name, code: state.rawValue,
                        reason: "the log there is \(state.rawValue) and ends at position "
                            + "\(end.head.position); only a log that is being filled takes the "
                            + "later commits of \(log.path)"))
            }
            let answer = try StoreAnswer.unlessLost { () throws(LogError) in
                try store.fill(batch)
            }
            if let answer {
                end = answer.end
                guard answer.result != .appended || answer.hasWritten(all: batch) else {
                    throw .store(
                        .refused(
                            name: store.name, code: "key",
                            reason: "it has another commit with the idempotency key of one after "
                                + "position \(batch.end.head.position)"))
                }
            } else {
                end = try store.end()
            }
            try checkHas(end.head, of: store)
            progress(end.head.position)
        }
    }

    /// Throws an error unless the log has a head of a store.
    private func checkHas(_ head: Head, of store: any FillableStore) throws(LogError) {
        guard try log.mismatch(with: head) != nil else { return }
        throw .store(.parted(name: store.name, at: head.position))
    }

    /// Returns the next commits after an end, with all their rows but those of people.
    private func fillingBatch(after end: StoreEnd) throws(LogError) -> StoreBatch {
        let transaction = try log.file.beginReading()
        var batch = StoreBatch(for: end)
        let first = end.head.position.rawValue + 1
        var last = end.head.position.rawValue
        try transaction.scanRows(log.file.tables.commits, from: first) {
            (position: UInt64, value) in
            let count = value.integer(at: 8, as: UInt32.self)
            guard batch.commits.count < 2_000, last < first + 10_000 || batch.commits.isEmpty
            else { return false }
            let row = value.copied().asRow(log.file.tables.commits, position)
            let key = Array(row[CommitRecord.shortKeyRange])
            let digest = key.contains { $0 != 0 } ? key : RandomBytes.fresh(key.count)
            batch.commits.append(
                StoreBatch.Commit(
                    group: 0, row: row, eventCount: Int(count), digest: digest))
            last = position + UInt64(count) - 1
            return true
        }
        guard !batch.commits.isEmpty else { return batch }
        try transaction.scanRows(log.file.tables.events, from: first) { (position: UInt64, value) in
            guard position <= last else { return false }
            batch.events.append(value.copied().asRow(log.file.tables.events, position))
            return true
        }
        let nextName = UInt64(end.nextName)
        try transaction.scanRows(log.file.tables.names, from: nextName) { (number: UInt64, value) in
            guard value.integer(at: 1, as: UInt64.self) <= last else { return false }
            batch.names.append(value.copied().asRow(log.file.tables.names, number))
            return true
        }
        let firstText = PersonalRow.key(first, 0)
        try transaction.scanRows(log.file.tables.texts, from: firstText.rawSpan) {
            (key: RawSpan, value) in
            guard let position = PersonalRow.position(of: key), position <= last else {
                return false
            }
            batch.texts.append(
                StoreBatch.Text(
                    position: position, field: key.integer(at: 8, as: UInt32.self).byteSwapped,
                    row: value.copied().asRow(log.file.tables.texts, key)))
            return true
        }
        return batch
    }

    /// Sends people and their keys, opens the store's log, and makes the file its replica, while
    /// nobody can append to the file.
    ///
    /// - Returns: false if the file got commits meanwhile, which the store lacks.
    private func leaveLog(
        to store: any FillableStore, at end: StoreEnd
    ) throws(LogError) -> Bool {
        var isFinished = false
        try log.file.writing { (transaction) throws(LogError) in
            let own = try log.file.storeEnd(in: transaction)
            isFinished = own.head == end.head
            guard isFinished else { return }
            if try store.state() == .filling {
                try fillPeople(of: store, in: transaction)
                try store.endFilling(
                    at: own.head, nextPerson: own.nextPerson, nextSlot: own.nextSlot)
            }
            var state = ReplicaState(hasKeys: true, target: own.head.position.rawValue)
            state.completeThrough = own.head.position.rawValue
            let key = Meta.replica
            try transaction.put(state.bytes, for: key.rawSpan, in: log.file.tables.meta)
        }
        return isFinished
    }

    /// Sends the rows of all people and all blocks of their keys, in parts.
    private func fillPeople(
        of store: any FillableStore, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) {
        var people: [(number: UInt32, row: [UInt8])] = []
        try transaction.scanRows(log.file.tables.people) {
            (number: UInt64, value) throws(LogError) in
            people.append(
                (UInt32(clamping: number), value.copied().asRow(log.file.tables.people, number)))
            guard people.count == 5_000 else { return true }
            try store.fill(people: people, blocks: [])
            people = []
            return true
        }
        try store.fill(people: people, blocks: [])
        var blocks: [(number: UInt64, row: [UInt8])] = []
        let broken = try transaction.scan(log.file.tables.vault.table) {
            (number: UInt64, bytes) throws(LogError) in
            blocks.append((number, bytes.copied()))
            guard blocks.count == 20 else { return true }
            try store.fill(people: [], blocks: blocks)
            blocks = []
            return true
        }
        if let broken { throw .storage(broken) }
        try store.fill(people: [], blocks: blocks)
    }
}
