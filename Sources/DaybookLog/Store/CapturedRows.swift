import Daybook
import DaybookCryptography
import DaybookLMDB

/// The rows that a write transaction adds to a log, as a batch for a store.
///
/// Used by the thread of the transaction. Rows of derived tables are left out.
final class CapturedRows: RowReceiver {
    private let tables: Tables
    /// The batch with the rows so far.
    private(set) var batch: StoreBatch
    /// The number of the group to which the next commits belong.
    var group: Int32 = 0
    /// The checksums of the rows of people in the batch, by person number.
    private var personSums: [UInt64: [UInt8]] = [:]

    /// Begins a batch for an end of the log.
    init(_ tables: Tables, for end: StoreEnd) {
        self.tables = tables
        batch = StoreBatch(for: end)
    }

    /// True if a row replaces a stored row that is not in the batch; the store compares its
    /// checksum.
    func needsReplacedRow(_ key: UInt64, in table: LogTable) -> Bool {
        table.number == tables.people.number && personSums[key] == nil
    }

    /// Adds a row with its checksum.
    ///
    /// - Parameter replaced: the stored row of a person that this row replaces; `nil` for a new
    ///   person, and for one whose row the batch has.
    func add(_ row: [UInt8], for key: UInt64, in table: LogTable, replacing replaced: [UInt8]?) {
        switch table.number {
        case tables.events.number: batch.events.append(row)
        case tables.names.number: batch.names.append(row)
        case tables.commits.number: add(commit: row)
        case tables.people.number:
            let known = personSums[key] ?? Array((replaced ?? []).suffix(RowChecksum.byteCount))
            personSums[key] = Array(row.suffix(RowChecksum.byteCount))
            batch.people.append(
                StoreBatch.Person(
                    commit: batch.commits.count - 1, number: UInt32(truncatingIfNeeded: key),
                    replaced: known, row: row))
        default: break
        }
    }

    /// Adds a row with its checksum.
    func add(_ row: [UInt8], for key: RawSpan, in table: LogTable) {
        guard table.number == tables.texts.number, let position = PersonalRow.position(of: key)
        else { return }
        let field = key.integer(at: 8, as: UInt32.self).byteSwapped
        batch.texts.append(StoreBatch.Text(position: position, field: field, row: row))
    }

    /// Adds a block of keys of new people.
    func add(block: [UInt8], in table: LogTable) {
        if table.number == tables.vault.number { batch.blocks.append(block) }
    }

    private func add(commit row: [UInt8]) {
        let key = row[CommitRecord.shortKeyRange]
        let digest = key.contains { $0 != 0 } ? Array(key) : RandomBytes.fresh(key.count)
        batch.commits.append(
            StoreBatch.Commit(
                group: group, row: row,
                eventCount: Int(row.rawSpan.integer(at: 8, as: UInt32.self)), digest: digest))
    }

    /// Adds conditions of the group, if it has commits.
    ///
    /// The transaction has checked them up to the end for which the batch is made, so a store
    /// checks only later events.
    func add(_ conditions: some Sequence<AppendCondition>, _ names: Names) {
        guard batch.commits.last?.group == group else { return }
        let after = batch.end.head.position.rawValue
        for condition in conditions {
            for item in names.allVersions(of: condition.query).items ?? [Query.Item()] {
                let kinds = item.kinds.compactMap { names.row(of: $0) }
                // The log has no event of an unknown kind.
                guard kinds.isEmpty == item.kinds.isEmpty else { continue }
                batch.conditions.append(
                    StoreBatch.Condition(
                        group: group, after: after, kinds: kinds.sorted(),
                        tags: item.tags.map { Array($0.text.utf8) }))
            }
        }
    }
}
