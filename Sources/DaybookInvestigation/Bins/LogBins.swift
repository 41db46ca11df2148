import Daybook
import DaybookLibC
package import DaybookLog
import Synchronization

/// The numbers of events of a log in equal parts of any range of time, on lanes.
///
/// Reads the log once, on a thread of its own, into columns of about 14 bytes an event, and then
/// follows it. Questions are answered from the columns alone, from any thread. Counts are exact to
/// the microsecond at every scale. Until all events are read, an answer covers those read so far.
///
/// The name of a person who is erased meanwhile is no longer shown once the event that records the
/// erasure is read. The thread keeps the object alive until `stop()`.
package final class LogBins: Sendable {
    private let log: EventLog
    private let values: ShownValues
    private let state = Mutex(State())

    /// The state that the thread and the askers share.
    private struct State {
        var content = BinsContent()
        /// The reason why the thread ended; `nil` if it runs or was stopped.
        var failure: QuestionError?
        var isStarted = false
        var isStopped = false
    }

    /// Largest number of events, so that positions fit in 32 bits; they take 60 GB.
    private static let longestLog = UInt64(UInt32.max)
    /// The longest time that the thread waits for new events before it sees that it is stopped.
    private static let longestWait = Duration.milliseconds(100)

    package init(_ log: EventLog, values: ShownValues) {
        self.log = log
        self.values = values
    }

    /// Starts the thread that reads the log; only once.
    package func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst, !Threads.detach({ self.run() }) else { return }
        fail("the system has no thread to read the log")
    }

    /// Ends the thread within a fraction of a second. Questions are still answered.
    package func stop() { state.withLock { $0.isStopped = true } }

    /// Returns the numbers of events of a range as JSON, at most 64 KiB.
    ///
    /// Events on bounds of bins count for the later bin. A range whose length is not a multiple of
    /// its bins' grows at its end; the answer says its bounds. The names of lanes are texts to
    /// show; lanes with equal names are one.
    package func json(_ request: BinsRequest) throws(QuestionError) -> [UInt8] {
        BinsAnswer(request, try content()).json()
    }

    /// Returns the position of the last event at or before a coordinate; of equal ones by the
    /// clock, the newest. `nil` if there is none.
    package func near(_ request: NearRequest) throws(QuestionError) -> UInt64? {
        try content().position(near: request)
    }

    private func content() throws(QuestionError) -> BinsContent {
        let (content, failure) = state.withLock { ($0.content, $0.failure) }
        if let failure { throw failure }
        return content
    }

    private func fail(_ reason: String) { state.withLock { $0.failure = .unanswered(reason) } }

    /// Reads the log, and follows it until the thread is stopped or the log is replaced.
    private func run() {
        do throws(LogError) {
            try follow()
        } catch {
            fail("\(error)")
        }
    }

    private func follow() throws(LogError) {
        let end = try LogEnd(of: log)
        var head = try end.position(waitingAtMost: .zero).rawValue
        var reader = BinsReader(log, values, head: head)
        publish(&reader, head)
        while true {
            guard head <= Self.longestLog else {
                return fail("a log of more than \(Self.longestLog) events has no overview")
            }
            while reader.read < head {
                guard !state.withLock(\.isStopped) else { return }
                try reader.readChunk(through: head)
                publish(&reader, head)
            }
            guard !state.withLock(\.isStopped) else { return }
            let newest = try end.position(waitingAtMost: Self.longestWait).rawValue
            guard newest >= head else { throw .follow(.replaced(path: log.path)) }
            head = newest
        }
    }

    /// Lets questions be answered from what is read so far.
    private func publish(_ reader: inout BinsReader, _ head: UInt64) {
        let content = BinsContent(&reader, head)
        state.withLock { $0.content = content }
    }
}

/// The part of a log that is read so far.
struct BinsContent: Sendable {
    /// The events in order, in blocks of which only the last may be shorter than the others.
    var blocks: [BinBlock] = []
    var read: UInt64 = 0
    var events: UInt64 = 0
    var bounds = BinsBounds()

    private var kinds = LaneNames(none: "")
    private var actors = LaneNames(none: "")
    private var devices = LaneNames(none: "")
    private var nouns = LaneNames(none: "")

    init() {}

    init(_ reader: inout BinsReader, _ head: UInt64) {
        blocks = reader.blocks
        bounds = reader.bounds
        if let tail = reader.tail() {
            blocks.append(tail)
            bounds.add(tail)
        }
        read = reader.read
        events = head
        kinds = reader.kinds
        actors = reader.actors
        devices = reader.devices
        nouns = reader.nouns
    }

    func names(of lanes: BinsLanes) -> LaneNames {
        switch lanes {
        case .kind: kinds
        case .actor: actors
        case .device: devices
        case .entity: nouns
        }
    }
}

/// The lowest and the highest coordinates of events by each clock.
struct BinsBounds: Sendable {
    private var ranges: [BinsClock: (low: UInt64, high: UInt64)] = [:]

    mutating func add(_ block: BinBlock) {
        for clock in BinsClock.allCases {
            let (low, high) = block.bounds(by: clock)
            let known = ranges[clock] ?? (low, high)
            ranges[clock] = (min(known.low, low), max(known.high, high))
        }
    }

    /// The lowest and the highest coordinate, as ordered numbers; `nil` without events.
    subscript(_ clock: BinsClock) -> (low: UInt64, high: UInt64)? { ranges[clock] }
}
