import Daybook
import DaybookLibC
import DaybookLog

/// Printer of a log's events in order, which renders them on several threads.
struct EventListing: Sendable {
    /// Number of positions that a thread renders at a time.
    static let stride: UInt64 = 4_096

    /// Number of positions that a thread renders first if few events are wanted.
    private static let firstStride: UInt64 = 64

    let printer: EventPrinter
    /// Reader of the events to print, in any window.
    let reader: FilteredReader

    init(_ filter: EventFilter, _ printer: EventPrinter, _ catalogue: Catalogue) {
        self.printer = printer
        reader = FilteredReader(printer.log, filter, describedBy: catalogue)
    }

    /// The lines to print for the events in some windows.
    private struct RenderedEvents: Sendable {
        var lines = AnswerLines()
        /// Offset in the lines of the end of each event.
        var ends: [Int] = []
        /// The error that ended the reading after these events; `nil` if all events were read.
        var failure: LogError?
    }

    /// Prints the events of a window, at most `limit`, and returns their number.
    func print(_ window: ReadWindow, limit: Int?) throws(LogError) -> Int {
        guard let limit else {
            return try printGroups(window.divided(by: Self.stride).map { [$0] }, limit: .max)
        }
        // The first events come after a short look, and rare ones by long steps.
        let windows = window.divided(by: Self.firstStride, growingTo: Self.stride)
        return try printGroups(windows.map { [$0] }, limit: limit)
    }

    /// Prints the events of windows in order, which come in groups for one thread each, and returns
    /// the number of events.
    func printGroups(_ windows: [[ReadWindow]], limit: Int) throws(LogError) -> Int {
        var count = 0
        try forEachResult(windows, { rendered($0, limit: limit) }) { rendered throws(LogError) in
            let shown = rendered.ends.prefix(limit - count)
            Output.bytes(rendered.lines.bytes.prefix(shown.last ?? 0))
            count += shown.count
            if count < limit, let failure = rendered.failure { throw failure }
            return count < limit
        }
        return count
    }

    /// Returns the positions of the events of a window, and the times at which they happened.
    func times(
        in window: ReadWindow
    ) throws(LogError) -> [(moment: Instant, position: Position)] {
        var all: [(moment: Instant, position: Position)] = []
        let windows = window.divided(by: Self.stride).map { [$0] }
        try forEachResult(windows, times) { found throws(LogError) in
            all += found.times
            if let failure = found.failure { throw failure }
            return true
        }
        return all
    }

    /// The events in some windows, by position and time.
    private struct FoundTimes: Sendable {
        var times: [(moment: Instant, position: Position)] = []
        var failure: LogError?
    }

    /// Calls `use` in order with the results of groups of windows, each of which a thread finds,
    /// until it returns `false`.
    private func forEachResult<Result: Sendable>(
        _ windows: [[ReadWindow]], _ find: @escaping @Sendable ([ReadWindow]) -> Result,
        _ use: (Result) throws(LogError) -> Bool
    ) throws(LogError) {
        var rest = windows[...]
        while !rest.isEmpty {
            let next = Array(rest.prefix(min(Threads.coreCount, 8)))
            rest = rest.dropFirst(next.count)
            for result in Threads.map(next.count, { find(next[$0]) }) {
                guard try use(result) else { return }
            }
        }
    }

    private func times(in windows: [ReadWindow]) -> FoundTimes {
        var found = FoundTimes()
        do throws(LogError) {
            for window in windows {
                try reader.over(window).forEachTime { found.times.append(($1, $0)) }
            }
        } catch { found.failure = error }
        return found
    }

    /// Returns the lines of at most `limit` events of some windows.
    private func rendered(_ windows: [ReadWindow], limit: Int) -> RenderedEvents {
        var rendered = RenderedEvents()
        do throws(LogError) {
            for window in windows where rendered.ends.count < limit {
                try reader.over(window).forEachInFull {
                    (event, commit, personalText) throws(LogError) in
                    try printer.add(event, commit, to: &rendered.lines, personalText)
                    rendered.ends.append(rendered.lines.bytes.count)
                    return rendered.ends.count < limit
                }
            }
        } catch { rendered.failure = error }
        return rendered
    }
}
