public import Daybook
import DaybookLMDB

/// The progress of an upgrade.
public struct UpgradeProgress: Hashable, Sendable {
    /// Rows up to this position have checksums.
    public var through: Position
    /// The last position whose row had none.
    public var last: Position
}

extension EventLog {
    /// Gives the rows that a program of format version 1 wrote their checksums, in batches.
    ///
    /// The chain and its head stay as they are. An upgrade that was stopped is resumed by the next.
    /// Run `verify` first: a checksum says what a row is now, and not what it was.
    ///
    /// Personal texts, which version 1 kept in clear, are encrypted under keys of the people that
    /// they are about. In the end everything in the file that no state needs is set to zero, since
    /// LMDB leaves what it deletes until the space is used again.
    ///
    /// - Parameter progress: called after each batch.
    /// - Throws: `.spaceHeld` where a reader of an older state keeps space from being cleared.
    public func upgrade(
        progress: (UpgradeProgress) -> Void = { _ in }
    ) throws(LogError) {
        while true {
            do throws(LogError) {
                var batch = try upgradeBatch()
                while case .done(let reached) = batch {
                    progress(reached)
                    batch = try upgradeBatch()
                }
                guard case .introduce(let names) = batch else { break }
                try register(names)
            } catch .storage(.mapFull) {
                try growMap()
            }
        }
        try scrubClearTexts()
    }

    /// Positions that one transaction takes.
    private static let upgradeBatch: UInt64 = 50_000

    private enum BatchResult {
        case done(UpgradeProgress)
        /// The log has to be told of these people first.
        case introduce(Set<String>)
        case nothingLeft
    }

    private func upgradeBatch() throws(LogError) -> BatchResult {
        var transaction = try beginWriting()
        let rows = transaction.rows
        guard rows.areMixed else { return .nothingLeft }
        let last = min(rows.uncheckedThrough, rows.uncheckedAfter + Self.upgradeBatch)
        var batch = UpgradeBatch(of: self, after: rows.uncheckedAfter, through: last)
        try batch.read(from: transaction)
        var people = SessionPeople(self)
        let names = Set(batch.clear.map(\.subject))
        guard try people.load(names, in: transaction) else { return .introduce(names) }
        try batch.write(to: &transaction, &people)
        try people.store(in: &transaction)
        let key = Meta.unchecked
        var left = rows
        left.uncheckedAfter = last
        if left.areMixed {
            try transaction.put(left.bytes, for: key.rawSpan, in: tables.meta)
        } else {
            try transaction.remove(key.rawSpan, from: tables.meta)
        }
        try transaction.commit()
        return .done(
            UpgradeProgress(
                through: Position(last), last: Position(rows.uncheckedThrough)))
    }

    /// Clears the space that clear texts took, where there were any.
    private func scrubClearTexts() throws(LogError) {
        let key = Meta.unscrubbed
        guard try hasMeta(key) else { return }
        guard try scrub() else { throw .spaceHeld }
        try writing { (transaction) throws(LogError) in
            try transaction.remove(key.rawSpan, from: tables.meta)
        }
    }

    /// Sets everything in the file that no state needs to zero: what was deleted or replaced since
    /// the space was last used.
    ///
    /// - Returns: `false` where a reader of an older state keeps some of it.
    public func scrub() throws(LogError) -> Bool {
        // A commit more, so that the one before has freed nothing that the file may fall back on.
        try writing { (transaction) throws(LogError) in
            let key = Meta.identifier
            try transaction.put(identifier, for: key.rawSpan, in: tables.meta)
        }
        return try beginWriting().scrub().isComplete
    }
}

/// Rows without checksums, on their way to be written with them.
private struct UpgradeBatch {
    private let log: EventLog
    private let after: UInt64
    private let through: UInt64
    private var tables: Tables { log.tables }
    var byPosition: [(table: LogTable, key: UInt64, value: [UInt8])] = []
    var byBytes: [(table: LogTable, key: [UInt8], value: [UInt8])] = []

    /// Texts in clear, with whom they are about.
    private(set) var clear: [(key: [UInt8], text: PersonalRow, subject: String)] = []

    init(of log: EventLog, after: UInt64, through: UInt64) {
        self.log = log
        self.after = after
        self.through = through
    }

    /// Reads the events and commits of the batch, and the rows that they lead to.
    mutating func read(from transaction: borrowing LogWriting) throws(LogError) {
        var kinds: Set<UInt64> = []
        var tags: Set<[UInt8]> = []
        try transaction.scanRows(tables.events, from: after + 1) {
            (position: UInt64, value) throws(LogError) in
            guard position <= through else { return false }
            byPosition.append((tables.events, position, value.copied()))
            do throws(CorruptRecord) {
                let header = try EventHeader(decoding: value)
                kinds.insert(UInt64(header.kind))
                try header.forEachTag(in: value) { tags.insert($0.copied()) }
            } catch {
                throw .corrupt(table: tables.events.name, key: position, error)
            }
            return true
        }
        var keys: Set<[UInt8]> = []
        try transaction.scanRows(tables.commits, from: after + 1) {
            (position: UInt64, value) throws(LogError) in
            guard position <= through else { return false }
            byPosition.append((tables.commits, position, value.copied()))
            do throws(CorruptRecord) {
                let key = try CommitRecord(decoding: value).key
                if !key.isEmpty { keys.insert(Array(key.utf8)) }
            } catch {
                throw .corrupt(table: tables.commits.name, key: position, error)
            }
            return true
        }
        for kind in kinds.sorted() {
            guard let value = try transaction.row(kind, in: tables.kinds) else {
                throw .corrupt(table: tables.kinds.name, key: kind, .missing)
            }
            byPosition.append((tables.kinds, kind, value.copied()))
        }
        for (table, found) in [(tables.tags, tags), (tables.keys, keys)] {
            for key in found.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                guard let value = try transaction.row(key.rawSpan, in: table) else {
                    throw .damaged(table: table.name, row: key, .missing)
                }
                byBytes.append((table, key, value.copied()))
            }
        }
        try readPersonal(from: transaction)
    }

    private mutating func readPersonal(
        from transaction: borrowing LogWriting
    ) throws(LogError) {
        let names = try log.names(in: transaction)
        let (start, end) = (PersonalRow.key(after + 1, 0), PersonalRow.key(through + 1, 0))
        var subject: (position: UInt64, name: String) = (0, "")
        try transaction.scanRows(tables.personal, from: start.rawSpan) {
            (rowKey, value) throws(LogError) in
            let key = rowKey.copied()
            guard key.lexicographicallyPrecedes(end) else { return false }
            let position = PersonalRow.position(of: rowKey) ?? 0
            if position != subject.position {
                let tags = try log.event(at: position, names, in: transaction).tags
                let first = try log.firstPosition(ofCommitAt: position, in: transaction)
                let actor = try log.commit(startingAt: first, in: transaction).metadata.actor
                subject = (position, log.subject(of: tags, actor: actor))
            }
            clear.append((key, PersonalRow(value.copied()), subject.name))
            return true
        }
    }

    func write(
        to transaction: inout LogWriting, _ people: inout SessionPeople
    ) throws(LogError) {
        for row in byPosition { try transaction.put(row.value, for: row.key, in: row.table) }
        for row in byBytes {
            try transaction.put(row.value, for: row.key.rawSpan, in: row.table)
        }
        for (key, text, subject) in clear {
            let row = try people.encryptOlder(text, of: subject, at: key)
            try transaction.put(row.bytes, for: key.rawSpan, in: tables.texts)
            try transaction.remove(key.rawSpan, from: tables.personal)
        }
        guard !clear.isEmpty else { return }
        let key = Meta.unscrubbed
        try transaction.put([], for: key.rawSpan, in: tables.meta)
    }
}
