public import Daybook

/// The time by which the log's newest commit is ahead of this machine's clock.
///
/// A commit is never recorded before the one before it. So a clock that was wrong once would give
/// its time to all later commits, until the right clock has come so far.
public struct ClockLead: Hashable, Sendable, CustomStringConvertible {
    public let recordedAt: Instant
    public let now: Instant

    /// A lead that time zones, leap seconds and clocks set by hand do not explain.
    private static let limitInMicroseconds: Int64 = 86_400_000_000

    /// `nil` where the lead is at most a day.
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
    /// The lead of the log over this machine's clock where it is more than a day.
    public func clockLead() throws(LogError) -> ClockLead? {
        let transaction = try beginReading()
        guard let last = try lastCommit(in: transaction) else { return nil }
        return ClockLead(recordedAt: last.recordedAt, now: clock())
    }
}
