import Daybook
import DaybookLMDB

/// The position up to which a follower has read a log; reads on, and waits at the end.
///
/// Each read is short, runs on one of the log's threads, and ends its transactions.
final class FollowCursor {
    /// The maximum number of positions in one read.
    static let longestRead: UInt64 = 4_096
    /// The size of the payloads in bytes after which a read ends.
    static let largestRead = 1 << 20

    private let log: EventLog
    private let start: FollowStart
    /// The last position that was read.
    private var position: Position
    /// The end of the log; `nil` before the first read.
    private var end: LogEnd?
    /// True after an error or a cancellation.
    private var hasEnded = false

    /// The result of a read.
    struct Read<Answer: Sendable>: Sendable {
        /// The answer for the reader of the sequence; `nil` to read on.
        var answer: Answer?
        /// The last position that was read, matching or not.
        var through: Position
        /// The number of events in the answer.
        var eventCount = 0
    }

    init(_ log: EventLog, _ start: FollowStart) {
        self.log = log
        self.start = start
        position = start.position
    }

    /// Returns the next answer, as soon as there is one; `nil` once the task is cancelled.
    ///
    /// - Parameter read: reads on from a position, which may be beyond the newest one; gets both.
    func next<Answer: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ read:
            @escaping @Sendable (EventLog, _ after: Position, _ newest: Position)
            throws(LogError) -> Read<Answer>
    ) async throws(LogError) -> Answer? {
        guard !hasEnded else { return nil }
        var start = log.operations.start
        do throws(LogError) {
            while !Task.isCancelled {
                let end = try await openEnd()
                start = log.operations.start
                let (state, found) = try await log.threads.run {
                    [log, position] () throws(LogError) in
                    try Self.retryingOvertaken(of: log.file) { () throws(LogError) in
                        let state = try log.file.newestState()
                        return (state, try read(log, position, state.head))
                    }
                }
                log.operations.observe(.follow, since: start) { operation in
                    operation.eventCount = found.eventCount
                    operation.position = found.through
                    operation.lag = state.head.rawValue - min(position, state.head).rawValue
                }
                position = found.through
                if let answer = found.answer { return answer }
                guard position >= state.head else { continue }
                guard try await end.wait(after: state.number) else { break }
            }
        } catch {
            hasEnded = true
            log.operations.observe(.follow, since: start) { error.describe(in: &$0) }
            throw error
        }
        hasEnded = true
        return nil
    }

    /// Returns the end of the log, once the log is known to contain the head after which to follow.
    private func openEnd(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(LogError) -> LogEnd {
        if let end { return end }
        let opened = try await log.threads.run { [log, start] () throws(LogError) in
            try start.check(in: log)
            return try LogEnd(of: log)
        }
        end = opened
        return opened
    }

    /// Calls `read`, and calls it again if a writer may have changed what it read.
    ///
    /// Only a log that is read without a lock is read again.
    private static func retryingOvertaken<Result>(
        of file: LogFile, _ read: () throws(LogError) -> Result
    ) throws(LogError) -> Result {
        for _ in 0..<64 {
            guard file.environment.hasNoLock else { break }
            let number = try file.environment.stateNumber()
            do throws(LogError) {
                return try read()
            } catch {
                let now = try file.environment.stateNumber()
                guard now != number else { throw error }
            }
        }
        return try read()
    }
}

extension FollowCursor.Read {
    /// Reads the next events that match a query, as many as one read may return.
    ///
    /// - Parameter element: gets an event and a function that returns a personal text by its index
    ///   in the event, from 0, or `nil` for a text that is erased or lost; returns what the answer
    ///   has of the event, `nil` for nothing.
    static func events<Element>(
        matching query: Query, of log: EventLog, after: Position, newest: Position,
        _ element: (RecordedEvent, (UInt32) throws(LogError) -> String?) throws(LogError) ->
            Element?
    ) throws(LogError) -> Self where Answer == [Element] {
        guard after < newest else { return .init(through: after) }
        var last = min(newest.rawValue, after.rawValue + FollowCursor.longestRead)
        var elements: [Element] = []
        var byteCount = 0
        let opener = EventOpener(log)
        try LogScan(log).visit(
            query, after: after, through: Position(last), .ascending, opener: opener
        ) { (position, header, bytes, names, transaction) throws(LogError) in
            let event = try RecordedEvent(position, header, bytes, names.value)
            do throws(LogError) {
                let found = try element(event) { (field) throws(LogError) in
                    try opener.text(of: position, field, lost: nil, in: transaction)
                }
                guard let found else { return true }
                elements.append(found)
            } catch {
                // The events before it come first; the next read begins with this one.
                guard !elements.isEmpty else { throw error }
                last = position - 1
                return false
            }
            byteCount += event.payload.count
            guard byteCount >= FollowCursor.largestRead else { return true }
            last = position
            return false
        }
        return .init(
            answer: elements.isEmpty ? nil : elements, through: Position(last),
            eventCount: elements.count)
    }
}
