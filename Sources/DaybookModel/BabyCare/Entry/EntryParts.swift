package import Daybook

extension BabyCare {
    /// The times at which an entry was recorded and changed, and the numbers of its changes.
    package struct EntryHistory: Equatable, Sendable {
        /// Time of the first event of the entry, by the device's clock.
        package var created = Instant.epoch
        /// Recording time of the first event of the entry.
        package var recorded = Instant.epoch
        /// Recording time of the last event of the entry.
        package var changed = Instant.epoch
        /// Offset from UTC, in seconds east, of the device that recorded the entry.
        package var offsetS: Int64 = 0
        /// Number of events that changed the entry, including its first event.
        var revisionCount: Int64 = 0
        var editCount: Int64 = 0
        /// Number of times that the entry was cancelled.
        var cancellationCount: Int64 = 0
        /// Number of times that the entry was restored after a cancellation.
        var restorationCount: Int64 = 0

        /// Sets the times from the first event of the entry, and counts the event.
        mutating func begin(_ envelope: Envelope) {
            created = envelope.occurredAt
            recorded = envelope.recordedAt
            offsetS = Int64(envelope.offsetS)
            countRevision(envelope)
        }

        /// Counts one more event of the entry and stores its recording time in `changed`.
        mutating func countRevision(_ envelope: Envelope) {
            changed = envelope.recordedAt
            revisionCount += 1
        }
    }

    /// The cancellation of an entry, or the merge into another entry that cancelled it.
    struct EntryCancellation: Equatable, Sendable {
        /// State before the entry was cancelled; `nil` unless it is cancelled.
        var previousState: EntryState?
        /// Position in the log of the cancellation, or of the merge into another entry; else `nil`.
        var position: Int64?
        /// Time of the cancellation, or of the merge into another entry, by the device's clock.
        var time: Instant?
        /// Id of the entry that this entry was merged into; `nil` if it was not merged.
        var mergedInto: String?
        /// True if the end was set by the cancellation, as in the original app, and never recorded.
        var hasInventedEnd = false

        /// Sets the former state, and the position and the time of the cancelling event.
        mutating func begin(from state: EntryState, _ envelope: Envelope) {
            previousState = state
            position = Int64(envelope.position.rawValue)
            time = envelope.occurredAt
        }

        /// Deletes the former state, the position and the time when the entry is restored.
        mutating func end() { (previousState, position, time) = (nil, nil, nil) }
    }

    /// The facts of an imported entry that are known from its file alone.
    package struct FileFacts: Equatable, Sendable {
        /// True if the entry comes from a file; it then never prevents the start of another entry.
        package var isImported = false
        /// Row of the file from which the entry was last imported; `nil` without an import.
        package var origin: Origin?
        /// Line of the file from which the entry was last imported; `nil` without an import.
        package var line: FileLine?
        /// Length that an imported file declares, in seconds; `nil` if none is declared.
        package var declaredDurationS: Int64?
        package var startFlag: TimeFlag?
        package var endFlag: TimeFlag?
    }
}
