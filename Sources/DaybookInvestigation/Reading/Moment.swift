public import Daybook
public import DaybookLog

/// The moment as of which a question about a log is answered.
///
/// It limits the events by the log's clock (recorded) and by the devices' clocks (happened).
public struct Moment: Hashable, Sendable {
    /// The last event that is read, by position or by the log's clock.
    public enum Known: Hashable, Sendable {
        /// Everything in the log.
        case newest
        /// Everything up to a position.
        case position(UInt64)
        /// Everything recorded up to a time by the log's clock.
        case time(Instant)
    }

    /// The last event that is read, by position or by the log's clock.
    public var known: Known
    /// Latest time of the events that are used, by the devices' clocks; `nil` for no limit.
    public var validThrough: Instant?

    public init(_ known: Known = .newest, validThrough: Instant? = nil) {
        self.known = known
        self.validThrough = validThrough
    }

    /// Returns the last position to read.
    ///
    /// - Throws: `QuestionError` if the position is after the end of the log; `LogError`.
    public func through(_ log: EventLog) throws -> Position {
        switch known {
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

    /// Returns the time up to which the log is read, by the log's clock.
    ///
    /// Without a given time, this is the time at which the last commit was recorded.
    public func knownAt(_ log: EventLog) throws -> Instant {
        if case .time(let time) = known { return time }
        return try log.commits.at(try through(log))?.recordedAt ?? Instant(microseconds: 0)
    }
}
