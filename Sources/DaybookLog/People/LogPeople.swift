public import Daybook
import DaybookLMDB

/// Access to the personal texts of a log, which it stores separately from its events.
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
    /// Returns a decrypted personal text of an event; `nil` if erased or absent.
    ///
    /// - Parameter field: the index of the text among the personal texts of the event, from 0.
    public func text(at position: Position, field: UInt32) throws(LogError) -> String? {
        let transaction = try log.beginReading()
        return try EventOpener(log).text(of: position.rawValue, field, in: transaction)
    }
}
