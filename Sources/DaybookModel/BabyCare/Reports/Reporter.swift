public import Daybook

extension BabyCare {
    /// Makes a baby's reports from its folded entries.
    ///
    /// It reads no clock and no files: the zone, its release and the time of the last recorded event
    /// are given, so that the same history gives the same bytes everywhere.
    public struct Reporter: Sendable {
        public typealias Entry = BabyCare.Entry
        public typealias Figures = BabyCare.Figures
        public typealias Window = BabyCare.Window
        public var profile: Household.Profile
        /// Entries by start.
        public private(set) var entries: [Entry]
        public var zone: Zone
        public var basis: Basis
        public var rules: Rules
        /// True shows open sleeps with their lengths up to the last recorded event.
        public var includesOpen = false
        var layout = ReportLayout.current
        private let longestUs: Int64
        /// Entries without a recorded end, by start.
        let openEntries: [OpenStretch]

        /// - Parameters:
        ///   - tzdata: the release of the tz database that `zone` comes from.
        ///   - position: the last event that was read.
        ///   - knownAt: the recording time of that event.
        ///   - validAt: the end of what had happened, by the devices' clocks.
        public init(
            _ state: State, zone: Zone, tzdata: String, rules: Rules = .standard,
            position: Position, knownAt: Instant, validAt: Instant? = nil
        ) {
            profile = state.profile.countable
            entries = state.entries.values.filter { $0.isKnown && $0.isReportable }
                .sorted { ($0.started, $0.entryId) < ($1.started, $1.entryId) }
            longestUs = entries.lazy.map(\.lengthUs).max() ?? 0
            self.zone = zone
            self.rules = rules
            openEntries = OpenStretch.all(among: entries, profile, zone)
            basis = Basis(
                babyId: profile.babyId, zone: zone.name, tzdata: tzdata,
                rule: rules.version, dayStartMin: profile.dayStartMin,
                position: Int64(position.rawValue), knownAt: knownAt,
                validAt: validAt)
        }

        /// The stretch from the start of a civil day to the start of the next one.
        ///
        /// The source documents count 24 hours from a midnight at a fixed offset.
        public func window(of date: CivilDate) -> Window {
            let start = zone.start(of: date, startMin: Int(profile.dayStartMin))
            let next =
                rules.isOfSource
                ? start.advanced(byMicroseconds: Instant.dayUs)
                : zone.start(of: date.adding(days: 1), startMin: Int(profile.dayStartMin))
            return Window(start: start, end: next)
        }

        /// The stretch from the start of `first` to the end of the day before `next`.
        ///
        /// The source documents count days of 24 hours from its first midnight.
        public func window(from first: CivilDate, before next: CivilDate) -> Window {
            let start = window(of: first).start
            guard rules == .standard else {
                let days = Int64(next.daysSince1970 - first.daysSince1970)
                return Window(
                    start: start, end: start.advanced(byMicroseconds: days * Instant.dayUs))
            }
            return Window(start: start, end: window(of: next.adding(days: -1)).end)
        }

        /// Entries that may have a part in a window, by start; cancelled ones too.
        func candidates(_ window: Window) -> ArraySlice<Entry> {
            let lower = index(of: window.start.advanced(byMicroseconds: -longestUs))
            return entries[lower..<max(lower, index(of: window.end))]
        }

        /// The first entry that starts at or after a moment.
        private func index(of moment: Instant) -> Int {
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].started < moment {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }

        func isPartial(_ window: Window) -> Bool {
            (basis.validAt ?? basis.knownAt) < window.end
                || basis.knownAt < window.end
        }

        /// The hour of the day, from 0 to 23, in the zone.
        func hour(_ moment: Instant) -> Int { minuteOfDay(moment) / 60 }

        func minuteOfDay(_ moment: Instant) -> Int { zone.local(at: moment).secondOfDay / 60 }

        /// True for a sleep at night: as it says itself, else by its start.
        ///
        /// The source documents know one night for all babies, and no word of the entry itself.
        public func isNight(_ entry: Entry) -> Bool {
            guard rules == .standard else { return !(6..<18).contains(hour(entry.started)) }
            return entry.isNight(profile, zone)
        }

        func localText(_ moment: Instant) -> String { zone.local(at: moment).text }
    }
}
