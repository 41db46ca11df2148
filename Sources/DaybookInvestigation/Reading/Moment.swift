public import Daybook
public import DaybookLog

/// The moment as of which a question is answered, on either clock.
public struct Moment: Hashable, Sendable {
    /// The end of what is known.
    public enum Known: Hashable, Sendable {
        /// Everything in the log.
        case newest
        case position(UInt64)
        /// A time by the log's clock.
        case time(Instant)
    }

    public var known: Known
    /// The end of valid time, by the devices' clocks; `nil` for none.
    public var validThrough: Instant?

    public init(_ known: Known = .newest, validThrough: Instant? = nil) {
        self.known = known
        self.validThrough = validThrough
    }

    /// The last position to read.
    ///
    /// - Throws: `QuestionError` for a position after the log's end, `LogError`.
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

    /// The moment up to which the log is read, by its own clock.
    public func knownAt(_ log: EventLog) throws -> Instant {
        if case .time(let time) = known { return time }
        return try log.commits.at(try through(log))?.recordedAt ?? Instant(microseconds: 0)
    }
}
