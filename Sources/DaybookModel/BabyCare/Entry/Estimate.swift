public import Daybook

extension BabyCare {
    /// The likely length of an entry without a recorded end.
    ///
    /// The median of earlier entries of the same sort, if there are any; else a usual length.
    /// Never past the start of the entry that shows it had ended, and at least a minute.
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
        /// The time before an entry in which others matter.
        static let historyUs = 14 * Instant.dayUs
        /// The longest length that an entry without an end is taken to have.
        static let longestUs = Sort.night.bounds.upperBound * minuteUs

        /// Entries whose lengths are alike.
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

        /// - Parameters:
        ///   - before: the moment by which the entry must have ended.
        ///   - entries: the baby's entries, in any order; those of the two weeks before count.
        ///   - isNight: tells a sleep at night from a nap.
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

        /// The middle length, or half of the two middle ones, in minutes, rounded half up.
        private static func medianMin(_ sorted: [Int64]) -> Int64 {
            let middle = sorted.count / 2
            let twice = sorted[middle] + sorted[(sorted.count - 1) / 2]
            return Tenths.rounded(twice, 2 * minuteUs)
        }
    }
}

extension BabyCare.State {
    /// Tells a sleep at night from a nap, by the baby's night window in its zone; without a zone
    /// by the clock of the device that wrote the sleep down.
    func isNight(_ entry: BabyCare.Entry, in zone: Zone?) -> Bool {
        let profile = profile.countable
        if let zone { return entry.isNight(profile, zone) }
        if let isNap = entry.value.isNap { return !isNap }
        let local = entry.started.advanced(byMicroseconds: entry.offsetS * 1_000_000)
        return profile.isNight(minuteOfDay: Zone.utc.local(at: local).secondOfDay / 60)
    }

    /// The baby's zone, where a tz database is at hand.
    func zone(in context: CommandContext) -> Zone? {
        profile.zone.flatMap(context.knownZone)
    }
}
