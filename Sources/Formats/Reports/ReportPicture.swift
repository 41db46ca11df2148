public import CivilTime
public import Domain
import EventSourcing

/// The entries that a report's picture shows beside its figures, by civil day.
///
/// Places are whole seconds from the start of the day, which is as long as its zone makes it.
public struct ReportPicture: Sendable {
    public let days: [Day]

    public struct Day: Sendable {
        public var date: CivilDate
        public var lengthS: Int64
        public var sleeps: [Sleep] = []
        public var marks: [Mark] = []
        /// Full hours as the clocks show them, with their places.
        public var hours: [(hour: Int, atS: Int64)] = []
    }

    /// A part of a sleep.
    public struct Sleep: Sendable {
        public enum Sort: Sendable {
            case night
            case nap
            case estimated
            /// Still going on; drawn to the end of what is known.
            case open
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
        self.days = days.map { Self.day($0, reporter) }
    }

    private static func day(_ date: CivilDate, _ reporter: BabyCare.Reporter) -> Day {
        let window = reporter.window(of: date)
        let start = window.start.second
        var day = Day(date: date, lengthS: window.lengthS)
        for entry in reporter.entries {
            guard entry.started < window.end else { break }
            if entry.kind == .sleep {
                if let part = part(of: entry, window, reporter) {
                    day.sleeps.append(
                        Sleep(
                            range: part.lowerBound - start..<part.upperBound - start,
                            sort: sort(entry, reporter)))
                }
            } else if entry.counts, window.contains(entry.started) {
                day.marks.append(Mark(atS: entry.started.second - start, kind: entry.kind))
            }
        }
        day.hours = hours(window, reporter.zone)
        return day
    }

    private static func part(
        of entry: BabyCare.Entry, _ window: BabyCare.Window, _ reporter: BabyCare.Reporter
    ) -> Range<Int64>? {
        switch entry.state {
        case .closed: window.part(entry.started, entry.ended ?? entry.started)
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
        _ entry: BabyCare.Entry, _ reporter: BabyCare.Reporter
    ) -> Sleep.Sort {
        if entry.state == .open { return .open }
        if entry.isEstimated { return .estimated }
        return reporter.isNight(entry) ? .night : .nap
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
