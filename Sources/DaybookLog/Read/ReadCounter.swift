/// A counter of the events of one read.
///
/// Adds them to the log's activity in steps of 256, and gives the read to the log's observer when
/// it ends.
@usableFromInline
struct ReadCounter: ~Copyable {
    private let log: EventLog
    /// The time at which the read began; `nil` without an observer.
    private let start: ContinuousClock.Instant?
    /// The number of counted events.
    private var count = 0
    /// The number of counted events that are not yet added to the log's activity.
    private var unreported = 0
    /// The error that ended the read; `nil` for a read that ended well.
    private var error: LogError?

    /// The number of events that the read was expected to count; 0 for a short read.
    private let expected: Int

    /// Begins a read of at most so many events.
    @usableFromInline
    init(_ log: EventLog, of limit: Int) {
        self.log = log
        start = log.operations.start
        expected = limit > ReadChunks.length ? limit : 0
        if expected > 0 { log.file.activity.expectReads(expected) }
    }

    @usableFromInline
    deinit {
        log.file.activity.add(unreported, .eventsRead)
        if expected > 0 { log.file.activity.expectReads(count + unreported - expected) }
        guard let start else { return }
        log.operations.observe(.read, since: start) { operation in
            operation.eventCount = count + unreported
            error?.describe(in: &operation)
        }
    }

    /// Counts one event.
    mutating func add() {
        unreported += 1
        guard unreported == 256 else { return }
        report()
    }

    /// Counts events.
    @usableFromInline
    mutating func add(_ events: UInt64) {
        unreported += Int(events)
        report()
    }

    /// Notes the error that ends the read.
    @usableFromInline
    mutating func fail(_ error: LogError) { self.error = error }

    /// Adds the events so far to the log's activity.
    private mutating func report() {
        log.file.activity.add(unreported, .eventsRead)
        count += unreported
        unreported = 0
    }
}
