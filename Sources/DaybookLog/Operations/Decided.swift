public import Daybook

/// The outcome of deciding a command and appending its events.
public enum Decided: Hashable, Sendable {
    /// The command's events were appended now, or earlier under the same idempotency key.
    case appended(Receipt)
    /// The command produced no events.
    case nothing
    /// A rule refused the command, so nothing was appended.
    case refused(Daybook.Refusal)
}
