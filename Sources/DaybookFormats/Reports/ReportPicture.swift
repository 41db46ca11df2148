public import Daybook
public import DaybookModel

/// The entries that a report's picture shows beside its figures, by civil day.
///
/// Places are whole seconds from the start of the day, which is as long as its zone makes it.
public struct ReportPicture: Sendable {
    public let days: [Day]
    /// A sentence where a figure counts more of a sleep than its day shows; `nil` for none.
    public let note: String?

    public struct Day: Sendable {
        public var date: CivilDate
        public var lengthS: Int64
        public var sleeps: [Sleep] = []
        public var marks: [Mark] = []
        /// Full hours as the clocks show them, with their places.
        public var hours: [(hour: Int, atS: Int64)] = []
        /// Stretches without a change of the clocks: the first second, and how far the clocks are
        /// past the time at which days start.
        public var clocks: [(atS: Int64, pastS: Int64)] = [(0, 0)]

        /// Places at which the clocks show a part of the day, none where they skipped it.
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

    /// A part of a sleep.
    public struct Sleep: Sendable {
        public enum Sort: Sendable {
            case night
            case nap
            case estimated
            /// Still going on; drawn to the end of what is known.
            case open
            /// The rest of a sleep that the rules count on the day it began.
            case countedBefore
        }

        public var range: Range<Int64>
        public var sort: Sort
    }

    /// Something that happened at a moment.
    public struct Mark: Sendable {
        public var atS: Int64
        public var kind: BabyCare.Kind
    }

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
                            sort: sort(entry, window, reporter)))
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

    /// True for an entry that the figures of a window count; by the source's later code it counts on
    /// each day it touches.
    private static func counts(
        _ entry: BabyCare.Entry, _ window: BabyCare.Window, _ reporter: BabyCare.Reporter
    ) -> Bool {
        reporter.rules == .laterSource
            ? window.touches(entry.started, entry.ended) : window.contains(entry.started)
    }

    private static func part(
        of entry: BabyCare.Entry, _ window: BabyCare.Window, _ reporter: BabyCare.Reporter
    ) -> Range<Int64>? {
        switch entry.state {
        case .closed: window.part(entry.started, entry.ended ?? entry.started)
        // The source's figures say nothing of what is open.
        case .open where reporter.rules != .standard: nil
        case .open where entry.isImported:
            // Its end will never be known: a mark where it began.
            window.contains(entry.started)
                ? window.part(entry.started, entry.started.advanced(byMicroseconds: 1_200_000_000))
                : nil
        case .open:
            reporter.possibleEnd(of: entry).flatMap { end in
                window.part(entry.started, min(end, reporter.basis.knownAt))
            }
        default: nil
        }
    }

    private static func sort(
        _ entry: BabyCare.Entry, _ window: BabyCare.Window, _ reporter: BabyCare.Reporter
    ) -> Sleep.Sort {
        if !counts(entry, window, reporter), reporter.rules == .source { return .countedBefore }
        if entry.state == .open { return .open }
        if entry.isEstimated { return .estimated }
        return reporter.isNight(entry) ? .night : .nap
    }

    /// The changes of the clocks within the day, found minute by minute.
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

    /// Every full hour of the day, found minute by minute: some zones are half an hour off.
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
