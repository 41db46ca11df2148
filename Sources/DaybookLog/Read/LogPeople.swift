public import Daybook
import DaybookLMDB

/// Access to the personal texts of a log, which it stores separately from its events.
///
///     let note = try log.people.text(at: event.position, field: 0)
public struct LogPeople: Sendable {
    let log: EventLog
}

extension LogPeople {
    /// Returns a decrypted personal text of an event; `nil` if it is erased, was lost before the log
    /// was salvaged, or if the event has no such text.
    ///
    /// - Parameter field: the index of the text among the personal texts of the event, from 0.
    /// - Throws: `.damaged` for a text that is missing, or gone without a recorded erasure. The
    ///   log's catalogue tells how many texts an event has.
    public func text(at position: Position, field: UInt32) throws(LogError) -> String? {
        let transaction = try log.file.beginReading()
        do throws(LogError) {
            return try EventOpener(log).text(
                of: position.rawValue, field, lost: nil, in: transaction)
        } catch .damaged(log.file.tables.texts.name, let key?, .missing) {
            guard try hasText(position.rawValue, field, in: transaction) else { return nil }
            throw .damaged(table: log.file.tables.texts.name, row: key, .missing)
        }
    }

    /// Returns a decrypted personal text of an event that has one with this index; `nil` if it is
    /// erased, or was lost before the log was salvaged.
    ///
    /// - Throws: `.damaged` for a text that is missing, or gone without a recorded erasure.
    package func sealedText(at position: Position, field: UInt32) throws(LogError) -> String? {
        let transaction = try log.file.beginReading()
        return try EventOpener(log).text(of: position.rawValue, field, lost: nil, in: transaction)
    }

    /// True if an event has a personal text with an index, as far as the log's catalogue tells.
    private func hasText(
        _ position: UInt64, _ field: UInt32, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> Bool {
        guard let event = try transaction.row(position, in: log.file.tables.events) else {
            return false
        }
        var seals = StoredSeals(log.catalogue, try log.file.names(in: transaction))
        let found = try seals.read(event, at: position)
        return found.texts.map { Int(field) < $0.count } ?? false
    }
}
