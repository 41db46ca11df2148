package import Daybook

extension BabyCare {
    /// A calculator of the reports on a baby, from the state of its entries.
    ///
    /// The reporter reads no clock and no files. Its caller supplies the time zone, the release of
    /// the tz database and the time of the last recorded event, so that the same events give the
    /// same report on every machine.
    package struct Reporter: Sendable {
        package typealias Entry = SharedEntry
        package typealias Figures = BabyCare.Figures
        package typealias Window = BabyCare.Window
        package var profile: Household.Profile
        /// Entries with possible times and amounts, in order of start.
        package private(set) var entries: [Entry]
        /// Time zone of the days and local times.
        package var zone: Zone
        /// Inputs that each report repeats in its answer, such as the time zone and the rules.
        package var basis: Basis
        /// Rule set that the reports follow.
        package var rules: Rules
        /// True to show the lengths of open sleeps up to the last recorded event.
        var showsOpenLengths = false
        /// Fields that reports have; an audit sets those of the release that published a report.
        var layout: ReportLayout {
            get { basis.layout }
            set { basis.layout = newValue }
        }
        /// Length of the longest entry in microseconds.
        private let longestUs: Int64
        /// Open entries with the latest times at which they may have ended, in order of start.
        let openEntries: [OpenStretch]

        /// Creates a reporter on the entries of a state that have possible times and amounts.
        ///
        /// - Parameters:
        ///   - tzdata: the release of the tz database that `zone` comes from.
        ///   - zoneDigest: the digest of the zone's transitions; `nil` if no database is available.
        ///   - position: the position of the last event that was read.
        ///   - knownAt: the recording time of the last event that was read.
        ///   - validAt: the time after which events are ignored, by the devices' clocks; `nil`
        ///     without a limit.
        package init(
            _ state: State, zone: Zone, tzdata: String, zoneDigest: Digest? = nil,
            rules: Rules = .standard, position: Position, knownAt: Instant, validAt: Instant? = nil
        ) {
            self.init(
                state.profile, Array(state.entries.values), zone: zone,
                tzdata: tzdata, zoneDigest: zoneDigest, rules: rules, position: position,
                knownAt: knownAt, validAt: validAt)
        }

        /// Creates a reporter on the given entries that have possible times and amounts.
        init(
            _ profile: Household.Profile, _ entries: [Entry], zone: Zone,
            tzdata: String, zoneDigest: Digest? = nil, rules: Rules, position: Position,
            knownAt: Instant, validAt: Instant?
        ) {
            let profile = profile.settings(under: rules)
            let entries = entries.filter { $0.isKnown && $0.isReportable }
                .sorted { $0.entry.precedes($1.entry) }
            self.profile = profile
            self.entries = entries
            longestUs = entries.lazy.map { $0.lengthUs }.max() ?? 0
            self.zone = zone
            self.rules = rules
            openEntries = OpenStretch.all(among: entries, profile, zone)
            basis = Basis(
                babyId: profile.babyId, zone: zone.name, tzdata: tzdata, zoneDigest: zoneDigest,
                rule: rules.version, dayStartMin: profile.dayStartMin,
                position: Int64(position.rawValue), knownAt: knownAt, validAt: validAt)
        }

        /// Returns the period from the start of a day to the start of the next day. A day starts
        /// `dayStartMin` minutes after midnight, by the baby's profile and time zone. Under the
        /// rules of the original app the day ends 24 hours after its start.
        package func window(of date: CivilDate) -> Window {
            let start = zone.start(of: date, startMin: Int(profile.dayStartMin))
            let next =
                rules.isOfSource
                ? start.advanced(byMicroseconds: Instant.dayUs)
                : zone.start(of: date.adding(days: 1), startMin: Int(profile.dayStartMin))
            return Window(start: start, end: next)
        }

        /// Returns the period from the start of `first` to the end of the day before `next`. Under
        /// the rules of the original app all days have 24 hours.
        package func window(from first: CivilDate, before next: CivilDate) -> Window {
            let start = window(of: first).start
            guard rules == .standard else {
                let days = Int64(next.daysSince1970 - first.daysSince1970)
                return Window(
                    start: start, end: start.advanced(byMicroseconds: days * Instant.dayUs))
            }
            return Window(start: start, end: window(of: next.adding(days: -1)).end)
        }

        /// Returns the entries, even cancelled ones, that may overlap a window, in order of start.
        func candidates(_ window: Window) -> ArraySlice<Entry> {
            let lower = firstIndex(
                startingAtOrAfter: window.start.advanced(byMicroseconds: -longestUs))
            return entries[lower..<max(lower, firstIndex(startingAtOrAfter: window.end))]
        }

        private func firstIndex(startingAtOrAfter time: Instant) -> Int {
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].started < time {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }

        /// True if the window was not over at the last recorded event, or at `validAt`.
        func isPartial(_ window: Window) -> Bool {
            (basis.validAt ?? basis.knownAt) < window.end || basis.knownAt < window.end
        }

        /// Returns the local hour of the day, 0 to 23.
        private func hour(_ time: Instant) -> Int { zone.local(at: time).secondOfDay / 3_600 }

        /// True if the sleep is a night sleep rather than a nap.
        ///
        /// The nap flag decides. Without one, the sleep must start in the baby's night, local time.
        ///
        /// The rules of the original app ignore the nap flag and use the night from 18:00 to 6:00.
        package func isNight(_ entry: Entry) -> Bool {
            guard rules == .standard else { return !(6..<18).contains(hour(entry.started)) }
            return entry.entry.isNight(profile, zone)
        }

        /// Returns a point in time as local text, such as `2020-03-08T02:30:00`.
        func localText(_ time: Instant) -> String { zone.local(at: time).text }
    }
}
