import Daybook
import DaybookLibC
import DaybookLog

/// Printer of a log's events in order, which renders them on several threads.
struct EventListing: Sendable {
    /// Number of positions that a thread renders at a time.
    static let stride: UInt64 = 4_096

    let printer: EventPrinter
    let query: Query
    /// Returns true if an event with this time and event kind is to be printed.
    let isSelected: @Sendable (Instant, EventKind) -> Bool

    /// The lines to print for the events in some ranges of positions.
    private struct RenderedEvents: Sendable {
        var lines = AnswerLines()
        var eventCount = 0
        /// The error that ended the reading after these events; `nil` if all events were read.
        var failure: LogError?
    }

    /// Prints the events of windows in order, which come in groups for one thread each, and returns
    /// the number of events.
    func print(_ windows: [[ReadWindow]]) throws(LogError) -> Int {
        var count = 0
        var rest = windows[...]
        while !rest.isEmpty {
            let next = Array(rest.prefix(min(Threads.coreCount, 8)))
            rest = rest.dropFirst(next.count)
            for rendered in Threads.map(next.count, { rendered(next[$0]) }) {
                Output.bytes(rendered.lines.bytes)
                count += rendered.eventCount
                if let failure = rendered.failure { throw failure }
            }
        }
        return count
    }

    /// Prints the events of a window one by one, at most `limit`, and returns their number.
    func print(_ window: ReadWindow, limit: Int) throws(LogError) -> Int {
        var count = 0
        var lines = AnswerLines()
        try forEachEvent(of: window, addingTo: &lines) { lines in
            Output.bytes(lines.bytes)
            lines.clear()
            count += 1
            return count < limit
        }
        return count
    }

    /// Returns the lines of the events of some windows; called on several threads.
    private func rendered(_ windows: [ReadWindow]) -> RenderedEvents {
        var rendered = RenderedEvents()
        var count = 0
        do throws(LogError) {
            for window in windows {
                try forEachEvent(of: window, addingTo: &rendered.lines) { _ in
                    count += 1
                    return true
                }
            }
        } catch { rendered.failure = error }
        rendered.eventCount = count
        return rendered
    }

    /// Adds the lines of each selected event of a window, and calls `body` with the lines so far,
    /// until `body` returns `false`.
    private func forEachEvent(
        of window: ReadWindow, addingTo lines: inout AnswerLines,
        _ body: (inout AnswerLines) -> Bool
    ) throws(LogError) {
        try printer.log.reader(query, window).forEachInFull {
            (event, commit, personalText) throws(LogError) in
            guard isSelected(event.envelope.occurredAt, event.kind) else { return true }
            try printer.add(event, commit, to: &lines, personalText)
            return body(&lines)
        }
    }
}
