public import Daybook
import DaybookLMDB

/// The personal texts of a log, which lie apart from its events.
///
///     let note = try log.people.text(at: event.position, field: 0)
public struct LogPeople: Sendable {
    let log: EventLog
}

extension EventLog {
    /// The personal texts of the log.
    public var people: LogPeople { LogPeople(log: self) }
}

extension LogPeople {
    /// The personal text that an event's field sealed; `nil` once it is erased.
    public func text(at position: Position, field: UInt32) throws(LogError) -> String? {
        let rowKey = PersonalRow.key(position.rawValue, field)
        return try log.readingPeople { (transaction) throws(LogError) -> String?? in
            guard let value = try transaction.row(rowKey.rawSpan, in: log.tables.texts) else {
                return .some(nil)
            }
            let row = try TextRow(value, at: rowKey.rawSpan, in: log.tables.texts)
            guard !row.isGone else { return .some(nil) }
            switch try log.findPerson(row.person, in: transaction) {
            case .erased: return .some(nil)
            case .keyGone: return nil
            case .known(_, let key):
                guard let text = row.open(at: rowKey, under: key)?.text else {
                    throw .damaged(table: log.tables.texts.name, row: rowKey, .cipher)
                }
                return text
            }
        }
    }
}
