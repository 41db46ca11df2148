public import Daybook
public import DaybookModel

/// Sleeps and marks to draw for a report, by civil day.
///
/// Positions are whole seconds from the start of the day. A day with a change of the clocks is
/// shorter or longer than 24 hours.
public struct ReportPicture: Sendable {
    /// The days, in order.
    public let days: [Day]
    /// Sentence on how the rule set counts a sleep that crosses midnight; `nil` if none does.
    public let note: String?

    /// Marks and sleeps to draw for one day.
    public struct Day: Sendable {
        public var date: CivilDate
        /// Length of the day in seconds.
        public var lengthS: Int64
        /// Sleeps in order of their start; they may overlap.
        public var sleeps: [Sleep] = []
        /// Marks for feeds, diapers and other entries, in order of their start.
        public var marks: [Mark] = []
        /// Full hours by the local clock, with their positions in seconds from the start of the
        /// day.
        public var hours: [(hour: Int, atS: Int64)] = []
        /// Parts of the day without a change of the clocks.
        ///
        /// `atS` is the position of the start, `pastS` the local clock time there, in seconds after
        /// the time at which days start.
        public var clocks: [(atS: Int64, pastS: Int64)] = [(0, 0)]

        /// Returns the positions of a range of clock times; empty if the clocks skip the range.
        func places(of clock: Range<Int64>) -> [Range<Int64>] {
            clocks.indices.compactMap { index in
                let (atS, pastS) = clocks[index]
                let endS = index + 1 < clocks.count ? clocks[index + 1].atS : lengthS
                let place = (clock.lowerBound - pastS + atS)..<(clock.upperBound - pastS + atS)
                let part = place.clamped(to: atS..<max(atS, endS))
                return part.isEmpty ? nil : part
            }
        }
    }

    /// The part of a sleep within one day.
    public struct Sleep: Sendable {
        /// How a sleep is drawn.
        public enum Style: Sendable {
            /// A sleep that counts as night sleep.
            case night
            /// A sleep during the day.
            case nap
            /// A sleep with an estimated end.
            case estimated
            /// An open sleep, drawn to the last known moment.
            case open
            /// The rest of a sleep that the rules count on the day of its start.
            case countedBefore
        }

        /// Start and end, in seconds from the start of the day.
        public var range: Range<Int64>
        /// How the sleep is drawn.
        public var style: Style
    }

    /// An entry drawn as a mark at its start.
    public struct Mark: Sendable {
        /// Position in seconds from the start of the day.
        public var atS: Int64
        /// Kind of the entry, which determines the sign.
        public var kind: BabyCare.Kind
    }

    /// Collects what to draw on the given days.
    public init(_ reporter: BabyCare.Reporter, days: [CivilDate]) {
        let windows = days.map { reporter.window(of: $0) }
        self.days = zip(days, windows).map { Self.day($0, $1, reporter) }
        let crosses = reporter.entries.contains { entry in
            guard entry.kind == .sleep, entry.counts, let ended = entry.ended else { return false }
            return windows.contains { window in
                window.touches(entry.started, ended)
                    && (entry.started < window.start || window.end < ended)
            }
        }
        switch reporter.rules {
        case .source where crosses: note = "A sleep counts whole on the day it began."
        case .laterSource where crosses: note = "A sleep counts whole on each day it touches."
        default: note = nil
        }
    }

    /// Returns the picture of one day.
    ///
    /// - Parameter window: the time from the start to the end of the day.
    private static func day(
        _ date: CivilDate, _ window: BabyCare.Window, _ reporter: BabyCare.Reporter
    ) -> Day {
        let start = window.start.second
        var day = Day(date: date, lengthS: window.lengthS)
        for entry in reporter.entries {
            guard entry.started < window.end else { break }
            if entry.kind == .sleep {
                if let part = part(of: entry, window, reporter) {
                    day.sleeps.append(
                        Sleep(
                            range: part.lowerBound - start..<part.upperBound - start,
                            style: style(entry, window, reporter)))
                }
            } else if entry.counts, counts(entry, window, reporter) {
                day.marks.append(
                    Mark(atS: max(0, entry.started.second - start), kind: entry.kind))
            }
        }
        day.hours = hours(window, reporter.zone)
        day.clocks = clocks(window, reporter.zone, reporter.basis.dayStartMin * 60)
        return day
    }

    /// True if the figures of a window count the entry.
    ///
    /// Under the later rules of the source documents an entry counts on each day that it touches.
    private static func counts(
        _ entry: BabyCare.ReportedEntry, _ window: BabyCare.Window, _ reporter: BabyCare.Reporter
    ) -> Bool {
        reporter.rules == .laterSource
            ? window.touches(entry.started, entry.ended) : window.contains(entry.started)
    }

    /// Returns the part of a sleep within a day, in seconds since 1970; `nil` for none.
    private static func part(
        of entry: BabyCare.ReportedEntry, _ window: BabyCare.Window, _ reporter: BabyCare.Reporter
    ) -> Range<Int64>? {
        switch entry.state {
        case .closed: window.overlap(entry.started, entry.ended ?? entry.started)
        // Figures under the source rules exclude open entries.
        case .open where reporter.rules != .standard: nil
        case .open where entry.isImported:
            // An imported open entry never gets an end; it is drawn as 20 minutes from its start.
            window.contains(entry.started)
                ? window.overlap(
                    entry.started, entry.started.advanced(byMicroseconds: 1_200_000_000))
                : nil
        case .open:
            reporter.latestEnd(of: entry).flatMap { end in
                window.overlap(entry.started, min(end, reporter.basis.knownAt))
            }
        default: nil
        }
    }

    /// Returns how a sleep is drawn on a day.
    private static func style(
        _ entry: BabyCare.ReportedEntry, _ window: BabyCare.Window, _ reporter: BabyCare.Reporter
    ) -> Sleep.Style {
        if !counts(entry, window, reporter), reporter.rules == .source { return .countedBefore }
        if entry.state == .open { return .open }
        if entry.isEstimated { return .estimated }
        return reporter.isNight(entry) ? .night : .nap
    }

    /// Returns the parts of a day between changes of the clocks, found minute by minute.
    private static func clocks(
        _ window: BabyCare.Window, _ zone: Zone, _ dayStartS: Int64
    ) -> [(atS: Int64, pastS: Int64)] {
        var clocks: [(atS: Int64, pastS: Int64)] = []
        for atS in stride(from: Int64(0), to: window.lengthS, by: 60) {
            let instant = window.start.advanced(byMicroseconds: atS * 1_000_000)
            let pastS = (Int64(zone.local(at: instant).secondOfDay) - dayStartS + 86_400) % 86_400
            if let last = clocks.last, last.pastS + atS - last.atS == pastS { continue }
            clocks.append((atS, pastS))
        }
        return clocks
    }

    /// Returns the full hours of the day, found minute by minute: some zones differ by half an
    /// hour.
    private static func hours(
        _ window: BabyCare.Window, _ zone: Zone
    ) -> [(hour: Int, atS: Int64)] {
        var hours: [(hour: Int, atS: Int64)] = []
        for minute in 0..<max(0, window.lengthS / 60) {
            let instant = window.start.advanced(byMicroseconds: minute * 60_000_000)
            let local = zone.local(at: instant).secondOfDay
            if local % 3_600 < 60 { hours.append((local / 3_600, minute * 60)) }
        }
        return hours
    }
}
