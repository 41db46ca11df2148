public import Daybook
import Synchronization

// Opening a log.
extension EventLog {
    /// Opens the log at `path`.
    ///
    /// Opening for writing finishes interrupted erasures and removes unfinished copies of the log.
    ///
    /// - Parameters:
    ///   - catalogue: the areas whose events the log holds. Calls with a parameter `catalogue` use
    ///     it by default.
    ///   - clock: returns the current time, for `recordedAt`; the system clock by default.
    ///   - mapSize: the initial size of the memory map, in bytes; the map grows on demand. `nil`
    ///     for a few times the size of the file.
    ///   - writeWait: the longest time that a write waits for a writer in any process, before it
    ///     throws `.storage(.locked)`.
    ///   - ignoresClockLead: `true` to allow appends while the newest commit is more than a day
    ///     ahead of `clock`; each new commit then gets the recording time of the newest one.
    ///   - people: the nouns of tags that identify people, such as `reader` in `reader:ada`; by
    ///     default those of the catalogue. Personal texts of an event without such a tag belong to
    ///     the commit's actor.
    ///   - headFile: the file that records the position and chain value of the newest commit;
    ///     opening throws `.rolledBack` if the log lacks that commit. `nil` for no such check.
    ///   - observer: receives what the log does, beginning with its opening, for logs and metrics.
    public convenience init(
        path: String, access: Access, catalogue: Catalogue = .empty,
        clock: @escaping @Sendable () -> Instant = { .now },
        mapSize: Int? = nil, writeWait: Duration = .seconds(10), ignoresClockLead: Bool = false,
        people: PersonNouns? = nil, headFile: HeadFile? = nil, observer: (any LogObserver)? = nil
    ) throws(LogError) {
        let start = observer.map { _ in ContinuousClock.now }
        do throws(LogError) {
            let settings = LogSettings(
                catalogue: catalogue, clock: clock, mapSize: mapSize, writeWait: writeWait,
                ignoresClockLead: ignoresClockLead, people: people, headFile: headFile,
                observer: observer)
            try self.init(opening: path, access, settings)
        } catch {
            if let observer, let start {
                var operation = LogOperation(.open, logID: nil, duration: .now - start)
                error.describe(in: &operation)
                observer.observe(operation)
            }
            throw error
        }
        operations.observe(.open, since: start) { _ in }
    }

    /// Opens the log at `path`, and does what opening it for writing includes.
    convenience init(
        opening path: String, _ access: Access, _ settings: LogSettings
    ) throws(LogError) {
        // Read before the log: the log may grow meanwhile, and still contains this head.
        let known = try settings.headFile?.newestEntry()
        let file = try LogFile(path, access, known: known, settings)
        let own: any LogKind = file.replica == nil ? OwnLog() : PulledReplica()
        self.init(file, settings.kind ?? own, settings)
        if access != .read {
            keepTime()
            try LogErasures(log: self).finish()
            let removed = try RemnantSearch(file).removeRemnants(isThorough: false)
            file.removedRemnants.withLock { $0 = removed.filter { $0.fate == .removed } }
        }
        guard let headFile = file.headFile else { return }
        do throws(LogError) { try file.check(headFile, known: known, access) } catch {
            throw file.cause(of: error)
        }
    }

    /// Records the values of the machine's clocks, so that setting one back makes no text readable
    /// again.
    ///
    /// Does nothing if the file cannot be written, where the clocks alone count.
    private func keepTime() {
        guard let note = file.lease?.look() else { return }
        operations.absorbing(.open) { () throws(LogError) in try file.write(note) }
    }
}
