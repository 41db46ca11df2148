import Daybook
import DaybookLMDB
import Synchronization

/// The period in which a replica with keys may show texts, personal names and places.
final class ReplicaLease: Sendable {
    private let current: Mutex<ContactNote>
    /// The end of the period, in microseconds since the machine's start.
    private let endUs: Atomic<Int64>
    /// The time of the note's last write, in microseconds since the machine's start.
    private let writtenUs = Atomic<Int64>(.min)

    /// The interval between writes of the note while the store answers, in microseconds.
    private static let writeIntervalUs: Int64 = 60_000_000
    /// The interval between reports to the store, in microseconds.
    private static let reportIntervalUs: Int64 = 3_600_000_000

    init(_ note: ContactNote, at now: MachineTime = .now) {
        current = Mutex(note)
        endUs = Atomic(note.restUs(at: now).map { now.sinceBoot + $0 } ?? .min)
    }

    var note: ContactNote { current.withLock(\.self) }

    /// True if the period has ended without an answer of the store.
    var isOver: Bool { MachineTime.sinceBootUs() >= endUs.load(ordering: .relaxed) }

    /// Begins the period anew after an answer of the store, whose erasures are carried out here.
    ///
    /// - Returns: the note to write; `nil` if one was written a short time ago.
    func renew(_ storeClock: Instant, at now: MachineTime = .now) -> ContactNote? {
        let wasOver = isOver
        let note = current.withLock { note in
            note.renew(storeClock, at: now)
            return note
        }
        endUs.store(now.sinceBoot + ContactNote.longestSilenceUs, ordering: .relaxed)
        let isDue =
            wasOver
            || now.sinceBoot - Self.writeIntervalUs >= writtenUs.load(ordering: .relaxed)
        guard isDue else { return nil }
        writtenUs.store(now.sinceBoot, ordering: .relaxed)
        return note
    }

    /// Records the clocks' values; returns the note to write, or `nil`.
    func look(at now: MachineTime = .now) -> ContactNote? {
        current.withLock { note in note.look(at: now) ? note : nil }
    }

    /// True if a report to the store is due.
    func needsReport(through position: Position, at now: MachineTime = .now) -> Bool {
        let note = note
        return position.rawValue > note.reportedThrough
            || now.wall < note.reportedAt
            || now.wall.microseconds - Self.reportIntervalUs > note.reportedAt.microseconds
    }

    /// Records a report to the store; returns the note to write.
    func report(through position: Position, at now: MachineTime = .now) -> ContactNote {
        current.withLock { note in
            (note.reportedThrough, note.reportedAt) = (position.rawValue, now.wall)
            return note
        }
    }
}

extension Meta {
    /// Reads the note of a replica with keys; `nil` for any other log.
    static func contact(
        in transaction: borrowing some Transaction & ~Copyable, _ table: LogTable
    ) throws(LogError) -> ContactNote? {
        let key = contact
        guard let value = try transaction.row(key.rawSpan, in: table) else { return nil }
        return try ContactNote(value, at: key.rawSpan)
    }
}
