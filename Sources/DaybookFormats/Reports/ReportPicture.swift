import Daybook
import DaybookModel

/// The sleeps and other entries that a report draws for each civil day.
///
/// Positions are whole seconds from the start of the day. A day with a change of the clocks is
/// shorter or longer than 24 hours.
struct ReportPicture: Sendable {
    /// The days, in order.
    let days: [Day]
    /// Sentence that tells which days' figures include a sleep across midnight; `nil` if no such
    /// sleep is drawn, and under the standard rules, which divide it at midnight.
    let countingNote: String?

    /// The sleeps and other entries that are drawn for one day.
    struct Day: Sendable {
        var date: CivilDate
        /// Length of the day in seconds; not 86,400 on a day with a change of the clocks.
        var lengthS: Int64
        /// Parts of sleeps within the day, in order of their start; sleeps may overlap.
        var sleeps: [SleepPart] = []
        /// Marks of feeds, diapers and other entries, in order of their start.
        var marks: [Mark] = []
        /// Full hours by the local clock, such as 15 for 15:00. `atS` is the position of the hour
        /// in seconds from the start of the day.
        var hours: [(hour: Int, atS: Int64)] = []
        /// Sections of the day between changes of the clocks. `atS` is the position at which the
        /// section starts, in seconds from the start of the day. `pastS` is the time that clocks
        /// then show, in seconds after the time at which days start.
        var clockSections: [(atS: Int64, pastS: Int64)] = [(0, 0)]

        /// Returns the positions in the day at which clocks show a time in a range.
        ///
        /// Returns two ranges if the clocks repeat the times, and none if the clocks skip them.
        ///
        /// - Parameter clock: the clock times, in seconds after the time at which days start.
        func positions(of clock: Range<Int64>) -> [Range<Int64>] {
            clockSections.indices.compactMap { index in
                let (atS, pastS) = clockSections[index]
                let endS = index + 1 < clockSections.count ? clockSections[index + 1].atS : lengthS
                let place = (clock.lowerBound - pastS + atS)..<(clock.upperBound - pastS + atS)
                let part = place.clamped(to: atS..<max(atS, endS))
                return part.isEmpty ? nil : part
            }
        }

        /// Returns the time that clocks show at a position in the day, in seconds after the time
        /// at which days start.
        func clockTime(of atS: Int64) -> Int64 {
            guard let section = clockSections.last(where: { $0.atS <= atS }) else { return atS }
            return section.pastS + atS - section.atS
        }

        /// Returns the times that clocks show during a part of the day, in seconds after the time
        /// at which days start. The ranges are in order and apart from each other: a time that the
        /// clocks skipped is in none, and one that they repeated is in one.
        func clockTimes(of part: Range<Int64>) -> [Range<Int64>] {
            var merged: [Range<Int64>] = []
            for clock in sectionTimes(of: part).sorted(by: { $0.lowerBound < $1.lowerBound }) {
                guard let last = merged.last, clock.lowerBound <= last.upperBound else {
                    merged.append(clock)
                    continue
                }
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, clock.upperBound)
            }
            return merged
        }

        /// The times that clocks show twice on this day, in seconds after the time at which days
        /// start.
        var repeatedClockTimes: [Range<Int64>] {
            let sections = sectionTimes(of: 0..<lengthS)
            return sections.indices.flatMap { index in
                sections[..<index].compactMap { earlier in
                    let both = earlier.clamped(to: sections[index])
                    return both.isEmpty ? nil : both
                }
            }
        }

        /// Returns the times that clocks show during a part of the day, for each section of the day
        /// that the part touches.
        private func sectionTimes(of part: Range<Int64>) -> [Range<Int64>] {
            clockSections.indices.compactMap { index in
                let (atS, pastS) = clockSections[index]
                let endS = index + 1 < clockSections.count ? clockSections[index + 1].atS : lengthS
                let own = part.clamped(to: atS..<max(atS, endS))
                guard !own.isEmpty else { return nil }
                return own.lowerBound - atS + pastS..<own.upperBound - atS + pastS
            }
        }
    }

    /// The part of a sleep within one day.
    struct SleepPart: Sendable {
        /// A way to draw a sleep.
        enum Style: Sendable {
            case night
            /// A sleep during the day.
            case nap
            case estimated
            /// A sleep without an end, drawn up to the recording time of the last event.
            case open
            /// The part of a sleep that the figures of the earlier day of its start include.
            case countedOnEarlierDay
        }

        /// Start and end of the part, in seconds from the start of the day.
        var range: Range<Int64>
        var style: Style
    }

    /// An entry drawn as a mark at its start.
    struct Mark: Sendable {
        /// Position in seconds from the start of the day.
        var atS: Int64
        /// Kind of the entry, which determines the shape of the mark.
        var kind: BabyCare.Kind
    }

    /// Collects the sleeps and other entries on the given days.
    init(_ reporter: BabyCare.Reporter, days: [CivilDate]) {
        let windows = days.map { reporter.window(of: $0) }
        self.days = zip(days, windows).map { Self.day($0, $1, reporter) }
        let crosses = reporter.entries.contains { entry in
            guard entry.kind == .sleep, entry.isCounted, let ended = entry.ended else {
                return false
            }
            return windows.contains { window in
                window.touches(entry.started, ended)
                    && (entry.started < window.start || window.end < ended)
            }
        }
        switch reporter.rules {
        case .source where crosses: countingNote = "A sleep counts whole on the day it began."
        case .laterSource where crosses:
            countingNote = "A sleep counts whole on each day it touches."
        default: countingNote = nil
        }
    }

    /// Collects the sleeps and other entries of one day.
    private static func day(
        _ date: CivilDate, _ window: BabyCare.Window, _ reporter: BabyCare.Reporter
    ) -> Day {
        let start = window.start.second
        var day = Day(date: date, lengthS: window.lengthS)
        for entry in reporter.entries {
            guard entry.started < window.end else { break }
            if entry.kind == .sleep {
                if let part = drawnPart(of: entry, window, reporter) {
                    day.sleeps.append(
                        SleepPart(
                            range: part.lowerBound - start..<part.upperBound - start,
                            style: style(entry, window, reporter)))
                }
            } else if entry.isCounted, isCounted(entry, window, reporter) {
                day.marks.append(Mark(atS: max(0, entry.started.second - start), kind: entry.kind))
            }
        }
        day.hours = hours(window, reporter.zone)
        day.clockSections = clockSections(window, reporter.zone, reporter.basis.dayStartMin * 60)
        return day
    }

    /// True if the figures of the day include the entry; `window` is the time of the day. Under the
    /// rule set `laterSource` the figures of each day that an entry touches include it, under the
    /// others only those of the day on which it starts.
    private static func isCounted(
        _ entry: BabyCare.SharedEntry, _ window: BabyCare.Window, _ reporter: BabyCare.Reporter
    ) -> Bool {
        reporter.rules == .laterSource
            ? window.touches(entry.started, entry.ended) : window.contains(entry.started)
    }

    /// Returns the part of a sleep that is drawn on a day, in seconds since 1970; `nil` if the
    /// sleep is not drawn on the day.
    private static func drawnPart(
        of entry: BabyCare.SharedEntry, _ window: BabyCare.Window, _ reporter: BabyCare.Reporter
    ) -> Range<Int64>? {
        switch entry.state {
        case .closed: window.overlap(entry.started, entry.ended ?? entry.started)
        // Figures under the source rules exclude open entries.
        case .open where reporter.rules != .standard: nil
        case .open where entry.file.isImported:
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

    /// Returns the style in which a sleep is drawn on a day.
    private static func style(
        _ entry: BabyCare.SharedEntry, _ window: BabyCare.Window, _ reporter: BabyCare.Reporter
    ) -> SleepPart.Style {
        if !isCounted(entry, window, reporter), reporter.rules == .source {
            return .countedOnEarlierDay
        }
        if entry.state == .open { return .open }
        if entry.isEstimated { return .estimated }
        return reporter.isNight(entry) ? .night : .nap
    }

    /// Returns the sections of a day between changes of the clocks.
    ///
    /// The changes are found by comparing each minute with the minute before.
    ///
    /// - Parameter dayStartS: the time at which days start, in seconds after midnight.
    private static func clockSections(
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

    /// Returns the full hours of the day by the local clock, with their positions in seconds. Each
    /// minute is tried, because the clocks of some zones change by half an hour.
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
