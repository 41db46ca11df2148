public import Daybook

extension BabyCare {
    /// The likely length of an entry without a recorded end.
    ///
    /// The length is the median of earlier entries of the same sort, else a usual length. The entry
    /// never ends after the start of the next entry, and lasts at least a minute.
    ///
    /// Source: S4's server. One entry of the two weeks before is enough for a median.
    public enum Estimate {
        public struct End: Hashable, Sendable {
            public var ended: Instant
            public var confidence: Int64
            public var basis: EstimateBasis
            public var isCapped: Bool
        }

        static let minuteUs: Int64 = 60_000_000
        /// Length of the period before an entry whose entries the median uses.
        static let historyUs = 14 * Instant.dayUs
        /// Greatest length that an estimate gives any entry.
        static let longestUs = Sort.night.bounds.upperBound * minuteUs

        /// A group of entries with similar lengths.
        enum Sort: Hashable, Sendable {
            case night, nap, feed, other

            init(_ kind: Kind, isNight: Bool) {
                switch kind {
                case .sleep: self = isNight ? .night : .nap
                case .formula, .breastfeed, .weaning: self = .feed
                default: self = .other
                }
            }

            /// The usual length, in minutes.
            var usualMin: Int64 {
                switch self {
                case .night: 480
                case .nap: 45
                case .feed: 15
                case .other: 120
                }
            }

            /// The shortest and the longest length, in minutes.
            var bounds: ClosedRange<Int64> {
                switch self {
                case .night: 120...840
                case .nap: 10...180
                case .feed: 3...60
                case .other: 15...480
                }
            }

            /// The confidence in the usual length.
            var confidence: Int64 { self == .other ? 45 : 50 }
        }

        /// Returns the likely end of an entry.
        ///
        /// - Parameters:
        ///   - before: the moment by which the entry must have ended.
        ///   - entries: the baby's entries, in any order; only entries of the two weeks before
        ///     count.
        ///   - isNight: returns true for a sleep at night, false for a nap.
        public static func end(
            of entry: Entry, before: Instant, among entries: some Sequence<Entry>,
            isNight: (Entry) -> Bool
        ) -> End {
            let sort = Sort(entry.kind, isNight: isNight(entry))
            let lengths = entries.filter {
                $0.kind == entry.kind && $0.state == .closed && !$0.isEstimated && $0.lengthUs > 0
                    && $0.started < entry.started
                    && entry.started.microseconds(since: $0.started) <= historyUs
                    && Sort($0.kind, isNight: isNight($0)) == sort
            }.map(\.lengthUs).sorted()
            var minutes = sort.usualMin
            var (confidence, basis) = (sort.confidence, EstimateBasis.standardLength)
            if !lengths.isEmpty {
                (minutes, confidence, basis) = (medianMin(lengths), 80, .median14d)
            }
            minutes = min(max(minutes, sort.bounds.lowerBound), sort.bounds.upperBound)
            let likely = entry.started.advanced(byMicroseconds: minutes * minuteUs)
            let least = entry.started.advanced(byMicroseconds: minuteUs)
            let capped = max(min(likely, before), least)
            return End(
                ended: capped, confidence: confidence, basis: basis, isCapped: likely > before)
        }

        /// Returns the median in minutes, rounded half up; of two middle lengths, their mean.
        private static func medianMin(_ sorted: [Int64]) -> Int64 {
            let middle = sorted.count / 2
            let twice = sorted[middle] + sorted[(sorted.count - 1) / 2]
            return Tenths.rounded(twice, 2 * minuteUs)
        }
    }
}

extension BabyCare.State {
    /// True if the sleep is a night sleep by its nap flag, else by the baby's night window.
    ///
    /// The window applies to local time in `zone`; without a zone, to the clock of the device that
    /// recorded the sleep.
    func isNight(_ entry: BabyCare.Entry, in zone: Zone?) -> Bool {
        let profile = profile.countable
        if let zone { return entry.isNight(profile, zone) }
        if let isNap = entry.value.isNap { return !isNap }
        let local = entry.started.advanced(byMicroseconds: entry.offsetS * 1_000_000)
        return profile.isNight(minuteOfDay: Zone.utc.local(at: local).secondOfDay / 60)
    }

    /// Returns the zone of the baby; `nil` if no zone is set or no tz database is available.
    func zone(in context: CommandContext) -> Zone? {
        profile.zone.flatMap(context.knownZone)
    }
}
