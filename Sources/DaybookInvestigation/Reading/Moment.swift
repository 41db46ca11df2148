public import Daybook
public import DaybookLog

/// The point in time as of which a question about a log is answered.
///
/// Two limits select the events that are read: the last event that the log recorded, and the latest
/// time at which an event happened on a device.
public struct Moment: Equatable, Sendable {
    /// The last event that is read, by its position or by the time when the log recorded it.
    public enum LastEvent: Equatable, Sendable {
        case newest
        case position(UInt64)
        /// The last event that the log recorded up to a time.
        case time(Instant)
    }

    public var lastEvent: LastEvent
    /// Events after this time by the devices' clocks are not used; `nil` for no limit.
    public var validThrough: Instant?

    public init(_ lastEvent: LastEvent = .newest, validThrough: Instant? = nil) {
        self.lastEvent = lastEvent
        self.validThrough = validThrough
    }

    /// Returns the position of the last event to read.
    ///
    /// - Throws: `QuestionError` if the position is after the end of the log; `LogError`.
    public func through(_ log: EventLog) throws -> Position {
        switch lastEvent {
        case .newest: return try log.head()
        case .time(let time): return try log.commits.position(asOf: time)
        case .position(let position):
            let head = try log.head()
            guard position <= head.rawValue else {
                throw QuestionError.noSuchPosition(position, through: head)
            }
            return Position(position)
        }
    }

    /// Returns the time as of which the log is read, by the log's clock.
    ///
    /// If `lastEvent` gives no time, this is when the last commit that is read was recorded.
    public func knownAt(_ log: EventLog) throws -> Instant {
        if case .time(let time) = lastEvent { return time }
        return try log.commits.at(try through(log))?.recordedAt ?? Instant(microseconds: 0)
    }
}
