import Daybook
import DaybookInvestigation
import DaybookLibC
import DaybookLog
import Synchronization

/// Progress line on the terminal for work that takes longer than a second.
///
/// The line shows the seconds, the amount of work done and the rate per second. Logs count their
/// work, so every command on a log has such a line; a command with better numbers calls `setCount`.
/// The line is shown only while no other output is written: answers and messages clear it.
enum Progress {
    /// Contents of the line, shared by the command and the thread that prints it.
    private struct State: Sendable {
        var command = ""
        /// Name of the current stage; empty for a command with one stage.
        var stage = ""
        var work = WorkRate()
        /// True if the command itself has counted since the last update.
        var isCountedByCommand = false
        var workCounters: [LogActivity] = []
        /// Work of all logs at the last update of the line.
        var lastCounts: [LogActivity.Work: Int] = [:]
        var isShown = false
        var isEnded = false
    }

    private static let state = Mutex(State())
    private static let updateIntervalUs: UInt32 = 500_000

    /// Starts the progress line of a command, which appears after one second.
    static func begin(_ command: String) {
        guard StandardError.isTerminal else { return }
        state.withLock { $0.command = command }
        Threads.detach { updateAtIntervals() }
    }

    /// Includes the work that a log counts in the progress line.
    static func addActivity(_ activity: LogActivity) {
        state.withLock { $0.workCounters.append(activity) }
    }

    static func setStage(_ text: String) { state.withLock { $0.stage = text } }

    /// Sets the amount of work done, and the whole amount if it is known, in units such as `rows`.
    static func setCount(_ done: Int, of total: Int? = nil, _ noun: String) {
        state.withLock { state in
            state.work.set(done, of: total, noun, at: ContinuousClock.now)
            state.isCountedByCommand = true
        }
    }

    /// Clears the line, so that other output can be written.
    static func clear() {
        state.withLock { state in
            guard state.isShown else { return }
            state.isShown = false
            StandardError.endProgress()
        }
    }

    static func end() {
        clear()
        state.withLock { $0.isEnded = true }
    }

    /// Updates the line at intervals until `end` is called; runs on its own thread.
    private static func updateAtIntervals() {
        let start = ContinuousClock.now
        while true {
            usleep(updateIntervalUs)
            let now = ContinuousClock.now
            let goesOn = state.withLock { state in
                guard !state.isEnded else { return false }
                updateWork(&state, now)
                guard now - start >= .seconds(1) else { return true }
                let parts = [
                    "\((now - start).components.seconds) s", state.stage, state.work.text(at: now),
                ]
                StandardError.showProgress(
                    "\(state.command): " + parts.filter { !$0.isEmpty }.joined(separator: ", "))
                state.isShown = true
                return true
            }
            guard goesOn else { return }
        }
    }

    /// Updates `work` with the work of the logs, unless the command itself has counted.
    private static func updateWork(_ state: inout State, _ now: ContinuousClock.Instant) {
        var moved: (work: LogActivity.Work, before: Int, count: Int)?
        for work in LogActivity.Work.allCases {
            let count = state.workCounters.reduce(0) { $0 + $1.count(of: work) }
            let before = state.lastCounts.updateValue(count, forKey: work) ?? 0
            // Later kinds of work include earlier ones: deciding rows also reads events.
            if count > before { moved = (work, before, count) }
        }
        defer { state.isCountedByCommand = false }
        guard !state.isCountedByCommand, let moved else { return }
        // Short reads are not expected, so that only a total that is still ahead is one.
        let expected = state.workCounters.reduce(0) { $0 + $1.expectedReadCount }
        let total = moved.work == .eventsRead && expected >= moved.count ? expected : nil
        state.work.set(
            moved.count, of: total, noun(of: moved.work), at: now, from: moved.before,
            since: now - .microseconds(Int64(updateIntervalUs)))
    }

    private static func noun(of work: LogActivity.Work) -> String {
        switch work {
        case .eventsRead: "events read"
        case .commandsDecided: "commands decided"
        case .rowsDecided: "rows decided"
        case .eventsIndexed: "events indexed"
        case .eventsWritten: "events written"
        }
    }
}

/// Amount of work done, in units such as `events read`, and its rate per second.
struct WorkRate: Sendable {
    /// Name of the units, such as `events read`.
    private var noun = ""
    private var done = 0
    private var total: Int?
    /// Amount of work that was finished when the measurement began.
    private var initialDone = 0
    /// Time at which the measurement began.
    private var start = ContinuousClock.now

    /// Sets the amount of finished work and of all work; restarts the measurement if the noun
    /// changes or the amount decreases.
    ///
    /// - Parameters:
    ///   - from: amount at which a restarted measurement begins; by default `done`.
    ///   - since: time at which a restarted measurement begins; by default `now`.
    mutating func set(
        _ done: Int, of total: Int?, _ noun: String, at now: ContinuousClock.Instant,
        from: Int? = nil, since: ContinuousClock.Instant? = nil
    ) {
        if noun != self.noun || done < self.done {
            self.noun = noun
            initialDone = from ?? done
            start = since ?? now
        }
        self.done = done
        self.total = total
    }

    /// Returns the count and its rate: `30000 of 100000 events, 2500/s`; empty without a count.
    func text(at now: ContinuousClock.Instant) -> String {
        guard !noun.isEmpty else { return "" }
        let count = total.map { "\(done) of \($0) \(noun)" } ?? "\(done) \(noun)"
        let (seconds, attoseconds) = (now - start).components
        let milliseconds = Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
        guard milliseconds >= 400, done > initialDone else { return count }
        let tenths = (done - initialDone) * 10_000 / milliseconds
        let rate = tenths >= 100 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return "\(count), \(rate)/s"
    }
}
