import Daybook
import DaybookInvestigation
import DaybookLibC
import DaybookLog
import Synchronization

/// A line on the terminal of standard error about work that takes longer than a second: the seconds,
/// how much of it is done, and how much each second.
///
/// Logs count what they do, so that every command over a log has such a line; a command that knows
/// more says so with `count`. The line is there only while nothing else is written: answers and
/// messages clear it first.
enum Progress {
    private struct State: Sendable {
        var command = ""
        var stage = ""
        var count = WorkRate()
        /// True where the command counted since the last look, and not a log.
        var isOwn = false
        var activities: [LogActivity] = []
        var seen: [LogActivity.Work: Int] = [:]
        var isShown = false
        var isEnded = false
    }

    private static let state = Mutex(State())
    private static let pauseUs: UInt32 = 500_000

    /// Shows the seconds that a command has taken from its second one on.
    static func begin(_ command: String) {
        guard StandardError.isTerminal else { return }
        state.withLock { $0.command = command }
        Threads.detach { watch() }
    }

    /// Follows what a log counts.
    static func follow(_ activity: LogActivity) {
        state.withLock { $0.activities.append(activity) }
    }

    /// Names what is being done, where several things are done in turn.
    static func stage(_ text: String) { state.withLock { $0.stage = text } }

    /// Says how much is done.
    ///
    /// - Parameters:
    ///   - total: how much there is to do, where it is known.
    ///   - noun: `events`, `rows`: what is counted.
    static func count(_ done: Int, of total: Int? = nil, _ noun: String) {
        state.withLock { state in
            state.count.set(done, of: total, noun, at: ContinuousClock.now)
            state.isOwn = true
        }
    }

    /// Takes the line away, for something else to be written.
    static func clear() {
        state.withLock { state in
            guard state.isShown else { return }
            state.isShown = false
            StandardError.endProgress()
        }
    }

    /// Ends showing it.
    static func end() {
        clear()
        state.withLock { $0.isEnded = true }
    }

    private static func watch() {
        let start = ContinuousClock.now
        while true {
            usleep(pauseUs)
            let now = ContinuousClock.now
            let goesOn = state.withLock { state in
                guard !state.isEnded else { return false }
                look(&state, now)
                guard now - start >= .seconds(1) else { return true }
                let parts = [
                    "\((now - start).components.seconds) s", state.stage, state.count.text(at: now),
                ]
                StandardError.progress(
                    "\(state.command): " + parts.filter { !$0.isEmpty }.joined(separator: ", "))
                state.isShown = true
                return true
            }
            guard goesOn else { return }
        }
    }

    /// Takes over what the logs have counted since the last look.
    private static func look(_ state: inout State, _ now: ContinuousClock.Instant) {
        var moved: (work: LogActivity.Work, before: Int, count: Int)?
        for work in LogActivity.Work.allCases {
            let count = state.activities.reduce(0) { $0 + $1.count(of: work) }
            let before = state.seen.updateValue(count, forKey: work) ?? 0
            // Later ones are made of earlier ones: rows are decided, for which events are read.
            if count > before { moved = (work, before, count) }
        }
        defer { state.isOwn = false }
        guard !state.isOwn, let moved else { return }
        state.count.set(
            moved.count, of: nil, noun(of: moved.work), at: now, from: moved.before,
            since: now - .microseconds(Int64(pauseUs)))
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

/// A count of one thing and its rate.
struct WorkRate: Sendable {
    private var noun = ""
    private var done = 0
    private var total: Int?
    private var first = 0
    private var start = ContinuousClock.now

    /// - Parameters:
    ///   - from: the count with which it begins, for another noun than before.
    ///   - since: the moment at which it had that count.
    mutating func set(
        _ done: Int, of total: Int?, _ noun: String, at now: ContinuousClock.Instant,
        from: Int? = nil, since: ContinuousClock.Instant? = nil
    ) {
        if noun != self.noun || done < self.done {
            self.noun = noun
            first = from ?? done
            start = since ?? now
        }
        self.done = done
        self.total = total
    }

    /// `30000 of 100000 events, 2500/s`; empty where nothing was counted.
    func text(at now: ContinuousClock.Instant) -> String {
        guard !noun.isEmpty else { return "" }
        let count = total.map { "\(done) of \($0) \(noun)" } ?? "\(done) \(noun)"
        let (seconds, attoseconds) = (now - start).components
        let milliseconds = Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
        guard milliseconds >= 400, done > first else { return count }
        let tenths = (done - first) * 10_000 / milliseconds
        let rate = tenths >= 100 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return "\(count), \(rate)/s"
    }
}
