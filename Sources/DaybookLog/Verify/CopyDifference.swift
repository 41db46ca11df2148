import Daybook
import DaybookLMDB

/// A reason why a log is no copy of another log.
package enum CopyDifference: Hashable, Sendable, CustomStringConvertible {
    /// The logs have different ids; `id` is that of the original.
    case otherLog(id: String)
    /// The original does not contain the head of the copy.
    case head(Head, HeadMismatch)
    /// The logs store a person differently, by the number of the person.
    case person(number: UInt32)
    /// The logs store a personal text of the event at a position differently.
    case text(position: UInt64)

    package var description: String {
        switch self {
        case .otherLog(let id): "the original is another log, whose id is \(id)"
        case .head(let head, let mismatch):
            "the original does not contain the copy's head, \(head): \(mismatch)"
        case .person(let number):
            "the original stores person \(number) differently, as after an erasure"
        case .text(let position):
            "the original stores a personal text of the event at position \(position) differently, "
                + "as after an erasure"
        }
    }
}

extension CopyDifference {
    /// Returns the first reason why a log is no copy of `original`; `nil` for a copy.
    ///
    /// `original` may have later events. Events, commits and names are not compared row by row,
    /// because the chain covers their bytes: after `verify` has found the copy sound, equal heads
    /// mean equal rows. The rows of people and personal texts are compared, because an erasure
    /// changes them and the chain does not cover that.
    package static func of(
        _ copy: EventLog, fromOriginal original: EventLog
    ) throws(LogError) -> Self? {
        guard copy.id == original.id else { return .otherLog(id: original.id) }
        let head = try copy.chainHead()
        if let mismatch = try original.mismatch(with: head) { return .head(head, mismatch) }
        let transaction = try copy.file.beginReading()
        let originalTransaction = try original.file.beginReading()
        if let person = try differentPerson(
            copy.file.tables, in: transaction, original.file.tables, originalTransaction)
        {
            return person
        }
        return try differentText(
            copy.file.tables, in: transaction, original.file.tables, originalTransaction)
    }

    /// Returns the first person whose row differs in the original log.
    ///
    /// A reserved person is left out: no event names the person yet, and a later one may.
    private static func differentPerson(
        _ tables: Tables, in transaction: borrowing ReadTransaction, _ original: Tables,
        _ originalTransaction: borrowing ReadTransaction
    ) throws(LogError) -> Self? {
        var difference: Self?
        try transaction.scanRows(tables.people) { (key: UInt64, value) throws(LogError) in
            guard let number = UInt32(exactly: key) else {
                throw .corrupt(table: tables.people.name, key: key, .missing)
            }
            let row = try PersonRow(value, at: key)
            guard row.state != .reserved else { return true }
            var other = try original.person(number, in: originalTransaction)
            // Later texts of the person may have been counted.
            other.textCount = row.textCount
            if other != row { difference = .person(number: number) }
            return difference == nil
        }
        return difference
    }

    /// Returns the first personal text whose row differs in the original log.
    private static func differentText(
        _ tables: Tables, in transaction: borrowing ReadTransaction, _ original: Tables,
        _ originalTransaction: borrowing ReadTransaction
    ) throws(LogError) -> Self? {
        var difference: Self?
        try transaction.scanRows(tables.texts) { (key: RawSpan, value) throws(LogError) in
            if let other = try originalTransaction.row(key, in: original.texts),
                other.isEqual(to: value)
            {
                return true
            }
            let position = PersonalRow.position(of: key) ?? 0
            difference = .text(position: position)
            return false
        }
        return difference
    }
}
