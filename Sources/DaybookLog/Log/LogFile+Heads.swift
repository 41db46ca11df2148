import Daybook
import DaybookLMDB

extension LogFile {
    /// Returns the position of the last event that the index covers; `.origin` without an index.
    func indexedThrough() throws(LogError) -> Position {
        Position(try tables.indexedThrough(in: try beginReading()))
    }

    /// Writes the note of the last answer of a replica's store.
    func write(_ note: ContactNote) throws(LogError) {
        try writing { (transaction) throws(LogError) in
            let key = Meta.contact
            try transaction.put(note.bytes, for: key.rawSpan, in: tables.meta)
        }
    }

    /// Returns the head of the newest commit; `.origin` for an empty log.
    func chainHead() throws(LogError) -> Head {
        try tables.chainHead(in: try beginReading()).head
    }

    /// Returns the position of the newest event; `.origin` for an empty log.
    func head() throws(LogError) -> Position {
        Position(try tables.lastPosition(in: try beginReading()))
    }

    /// Returns the bounds and the chain value of the commit that holds an event, without its
    /// people; `nil` if there is no such event.
    func commitHead(
        at position: Position
    ) throws(LogError) -> (first: Position, head: Head)? {
        let transaction = try beginReading()
        guard position > .origin, position.rawValue <= (try tables.lastPosition(in: transaction))
        else { return nil }
        let first = try tables.firstPosition(ofCommitAt: position.rawValue, in: transaction)
        let commit = try tables.commit(startingAt: first, in: transaction)
        guard let last = commit.lastPosition(startingAt: first) else {
            throw .corrupt(table: tables.commits.name, key: first, commit.invalidEventCount)
        }
        return (Position(first), Head(unchecked: Position(last), commit.chain))
    }

    /// Returns the reason why the log does not contain a head; see `EventLog.mismatch(with:)`.
    func mismatch(with head: Head) throws(LogError) -> HeadMismatch? {
        guard head.position > .origin else { return nil }
        guard let (first, found) = try commitHead(at: head.position) else {
            return .shorter(lastPosition: try self.head())
        }
        guard found.position == head.position else {
            return .insideCommit(first: first, last: found.position)
        }
        return found.chain == head.chain ? nil : .otherChain(found: found.chain)
    }

    /// Returns the end of the log as of a transaction, as the rows of further commits depend on it.
    func storeEnd(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> StoreEnd {
        let (head, recordedAt) = try tables.chainHead(in: transaction)
        let lastPerson = try transaction.lastKey(of: tables.people) ?? 0
        return StoreEnd(
            head: head, recordedAt: recordedAt,
            nextName: UInt32(try names(in: transaction).rows.count) + 1,
            nextPerson: lastPerson + 1,
            nextSlot: UInt64(try tables.allocatedSlotCount(in: transaction)) + 1, epoch: 1,
            clock: clock())
    }
}

extension LogFile {
    /// Checks that the log contains the head that the head file recorded before the log was opened.
    ///
    /// Creates a missing head file if the access is `.create`.
    ///
    /// - Parameter known: the entry of the head file before the opening; `nil` for a missing file.
    /// - Throws: `.rolledBack` if the log does not contain the head.
    func check(
        _ headFile: HeadFile, known: HeadFile.Entry?, _ access: EventLog.Access
    ) throws(LogError) {
        var known = known
        var tries = 0
        while known == nil {
            tries += 1
            guard access == .create else { throw .headFile(.noHeadFile(path: headFile.path)) }
            guard tries < 10_000 else { throw .headFile(.busy(path: headFile.path)) }
            let entry = HeadFile.Entry(logID: id, head: try chainHead())
            if try headFile.create(entry) { return }
            known = try headFile.newestEntry()
        }
        guard let known else { return }
        let mismatch: HeadMismatch? =
            known.logID == id ? try mismatch(with: known.head) : .otherLog(id: known.logID)
        if let mismatch {
            throw .rolledBack(headFile: headFile.path, known: known.head, mismatch)
        }
    }

    /// Writes the head of the newest commit to the head file, if the log has a head file.
    func recordHead() {
        guard let headFile else { return }
        do throws(LogError) {
            let entry = HeadFile.Entry(logID: id, head: try chainHead())
            try headFile.advance(to: entry)
        } catch {
            headFile.whenItLags(error)
        }
    }
}
