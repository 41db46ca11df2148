public import Daybook

/// The times of the newest commit and of the clock, if the commit is more than a day ahead.
///
/// A commit is never recorded earlier than the previous commit. If the clock was once far ahead,
/// all later commits would get that wrong time until the correct clock has reached it.
public struct ClockLead: Hashable, Sendable, CustomStringConvertible {
    /// The time at which the newest commit was recorded.
    public let recordedAt: Instant
    /// The current time of the log's clock.
    public let now: Instant

    /// One day: more than errors by time zones, leap seconds or clocks set by hand.
    private static let limitInMicroseconds: Int64 = 86_400_000_000

    /// Creates the lead; `nil` if `recordedAt` is at most a day after `now`.
    init?(recordedAt: Instant, now: Instant) {
        let (limit, isBeyondTime) = now.microseconds.addingReportingOverflow(
            Self.limitInMicroseconds)
        guard !isBeyondTime, recordedAt.microseconds > limit else { return nil }
        self.recordedAt = recordedAt
        self.now = now
    }

    public var description: String {
        "the newest commit was recorded at \(Timestamp.text(recordedAt)), more than a day ahead of "
            + "this machine's clock (\(Timestamp.text(now)))"
    }
}

extension EventLog {
    /// Returns how far the newest commit is ahead of the log's clock; `nil` if at most a day.
    public func clockLead() throws(LogError) -> ClockLead? {
        let transaction = try beginReading()
        guard let last = try lastCommit(in: transaction) else { return nil }
        return ClockLead(recordedAt: last.recordedAt, now: clock())
    }
}
