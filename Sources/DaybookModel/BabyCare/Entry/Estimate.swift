import Daybook

extension BabyCare {
    /// Estimates of the ends of entries without a recorded end.
    ///
    /// An estimated length is the median length of the entries of the same kind and group, such as
    /// naps, in the two weeks before; one entry is enough. Without any, it is the usual length of
    /// the group. The entry ends at the latest possible end if that is earlier, but lasts at least
    /// a minute.
    ///
    /// Source: S4's server.
    enum Estimate {
        /// An estimated end.
        struct End: Equatable, Sendable {
            var ended: Instant
            var confidence: Int64
            /// Source of the estimated length: a median of earlier entries, or the usual length.
            var basis: EstimateBasis
            /// True if the likely end was too late and was replaced by the latest possible end.
            var isCapped: Bool
        }

        static let minuteUs: Int64 = 60_000_000
        /// Period before an entry from which the median takes entries: two weeks in microseconds.
        static let historyUs = 14 * Instant.dayUs
        /// Greatest length that any estimate can give, in microseconds.
        static let longestUs = LengthGroup.night.bounds.upperBound * minuteUs

        /// A group of entries that usually have similar lengths.
        enum LengthGroup: Equatable, Sendable {
            /// Sleep at night, sleep by day, feeds and meals, and all other kinds.
            case night, nap, feed, other

            /// Creates the group of a kind of entry; `isNight` tells a night sleep from a nap.
            init(_ kind: Kind, isNight: Bool) {
                switch kind {
                case .sleep: self = isNight ? .night : .nap
                case .formula, .breastfeed, .weaning: self = .feed
                default: self = .other
                }
            }

            /// The usual length in minutes, used if there are no earlier entries.
            var usualMinutes: Int64 {
                switch self {
                case .night: 480
                case .nap: 45
                case .feed: 15
                case .other: 120
                }
            }

            /// The shortest and the longest estimated length, in minutes.
            var bounds: ClosedRange<Int64> {
                switch self {
                case .night: 120...840
                case .nap: 10...180
                case .feed: 3...60
                case .other: 15...480
                }
            }

            /// The confidence in an end estimated from the usual length, 0 to 100.
            var confidence: Int64 { self == .other ? 45 : 50 }
        }

        /// Returns the likely end of an entry.
        ///
        /// - Parameters:
        ///   - before: the latest possible end of the entry.
        ///   - entries: the baby's entries, in any order; the two weeks before are used.
        ///   - isNight: returns true for a sleep at night, false for a nap.
        static func end(
            of entry: Entry, before: Instant, among entries: some Sequence<SharedEntry>,
            isNight: (Entry) -> Bool
        ) -> End {
            let group = LengthGroup(entry.kind, isNight: isNight(entry))
            let lengths = entries.filter {
                $0.kind == entry.kind && $0.state == .closed && !$0.isEstimated && $0.lengthUs > 0
                    && $0.started < entry.started
                    && entry.started.microseconds(since: $0.started) <= historyUs
                    && LengthGroup($0.kind, isNight: isNight($0.entry)) == group
            }.map(\.lengthUs).sorted()
            var minutes = group.usualMinutes
            var (confidence, basis) = (group.confidence, EstimateBasis.standardLength)
            if !lengths.isEmpty {
                (minutes, confidence, basis) = (medianMinutes(lengths), 80, .median14d)
            }
            minutes = min(max(minutes, group.bounds.lowerBound), group.bounds.upperBound)
            let likely = entry.started.advanced(byMicroseconds: minutes * minuteUs)
            let least = entry.started.advanced(byMicroseconds: minuteUs)
            let capped = max(min(likely, before), least)
            return End(
                ended: capped, confidence: confidence, basis: basis, isCapped: likely > before)
        }

        /// Returns the median, in minutes rounded half up, of ascending lengths in microseconds.
        private static func medianMinutes(_ sorted: [Int64]) -> Int64 {
            let middle = sorted.count / 2
            let twice = sorted[middle] + sorted[(sorted.count - 1) / 2]
            return Tenths.rounded(twice, 2 * minuteUs)
        }
    }
}

extension BabyCare.State {
    /// True if the sleep is a night sleep rather than a nap. The nap flag decides. Without one, the
    /// local start must lie in the baby's night; the local time is that of `zone`, or of the device
    /// that recorded the sleep if `zone` is `nil`.
    func isNight(_ entry: BabyCare.Entry, in zone: Zone?) -> Bool {
        let profile = profile.withValidMinutes
        if let zone { return entry.isNight(profile, zone) }
        if let isNap = entry.value.isNap { return !isNap }
        let local = entry.started.advanced(byMicroseconds: entry.history.offsetS * 1_000_000)
        return profile.isNight(minuteOfDay: Zone.utc.local(at: local).secondOfDay / 60)
    }

    /// Returns the time zone of the baby; `nil` if it is not set or no tz database is available.
    func zone(in context: CommandContext) -> Zone? { profile.zone.flatMap(context.knownZone) }
}
