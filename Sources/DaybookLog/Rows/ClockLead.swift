package import Daybook

/// The fact that the newest commit's recording time is more than a day ahead of the clock.
///
/// The recording time of a commit is never earlier than that of the previous commit. If the clock
/// was once far ahead, all later commits would therefore get that wrong time until the correct
/// clock has reached it.
package struct ClockLead: Hashable, Sendable, CustomStringConvertible {
    /// The recording time of the newest commit.
    public let recordedAt: Instant
    /// The current time of the log's clock.
    public let now: Instant

    /// The largest lead that is no error: one day. Wrong time zones, leap seconds and clocks set by
    /// hand cause smaller leads.
    private static let limitInMicroseconds: Int64 = 86_400_000_000

    /// Creates the lead; `nil` if `recordedAt` is at most a day after `now`.
    init?(recordedAt: Instant, now: Instant) {
        let (limit, isBeyondTime) = now.microseconds.addingReportingOverflow(
            Self.limitInMicroseconds)
        guard !isBeyondTime, recordedAt.microseconds > limit else { return nil }
        self.recordedAt = recordedAt
        self.now = now
    }

    public var description: String { Self.sentence(recordedAt, now) }

    /// Returns the lead as a sentence, as `description` and `LogError.clockBehind` give it.
    static func sentence(_ recordedAt: Instant, _ now: Instant) -> String {
        "the newest commit was recorded at \(Timestamp.text(recordedAt)), more than a day ahead of "
            + "this machine's clock (\(Timestamp.text(now)))"
    }
}
