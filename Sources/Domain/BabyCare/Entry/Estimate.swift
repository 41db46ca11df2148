public import CivilTime
import EventSourcing

extension BabyCare {
    /// The likely length of an entry without a recorded end.
    ///
    /// The median of earlier entries of the same sort, if there are enough; else a usual length.
    /// Never past the start of the entry that shows it had ended, and at least a minute.
    ///
    /// Source: S4's server. How many entries are enough is not said there: seven in 14 days, else
    /// three in 7 days.
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

        /// True for a start at night, by the clock of the device: from 18 to 6 o'clock.
        private static func isNight(_ entry: Entry) -> Bool {
            let local = entry.started.advanced(byMicroseconds: entry.offsetS * 1_000_000)
            let hour = Zone.utc.local(at: local).secondOfDay / 3_600
            return hour >= 18 || hour < 6
        }

        /// The usual length and the bounds of entries of its sort, in minutes.
        private static func sort(
            _ entry: Entry
        ) -> (usualMin: Int64, confidence: Int64, bounds: ClosedRange<Int64>) {
            switch entry.kind {
            case .sleep where entry.value.isNap.map({ !$0 }) ?? isNight(entry):
                (480, 50, 120...840)
            case .sleep: (45, 50, 10...180)
            case .formula, .breastfeed, .weaning: (15, 45, 3...60)
            default: (120, 45, 15...480)
            }
        }

        /// - Parameters:
        ///   - before: the moment by which the entry must have ended.
        ///   - entries: the baby's entries, in any order; those of the two weeks before count.
        public static func end(
            of entry: Entry, before: Instant, among entries: some Sequence<Entry>
        ) -> End {
            let sort = sort(entry)
            let alike = entries.filter {
                $0.kind == entry.kind && $0.state == .closed && !$0.isEstimated && $0.lengthUs > 0
                    && $0.started < entry.started && self.sort($0).bounds == sort.bounds
            }
            let lengths = { (days: Int64) -> [Int64] in
                alike.filter {
                    entry.started.microseconds(since: $0.started) <= days * Instant.dayUs
                }
                .map { $0.lengthUs / minuteUs }.sorted()
            }
            var minutes = sort.usualMin
            var confidence = sort.confidence
            var basis = EstimateBasis.standardLength
            let (twoWeeks, week) = (lengths(14), lengths(7))
            if twoWeeks.count >= 7 {
                (minutes, confidence, basis) = (median(twoWeeks), 80, .median14d)
            } else if week.count >= 3 {
                (minutes, confidence, basis) = (median(week), 70, .median7d)
            }
            minutes = min(max(minutes, sort.bounds.lowerBound), sort.bounds.upperBound)
            let likely = entry.started.advanced(byMicroseconds: minutes * minuteUs)
            let least = entry.started.advanced(byMicroseconds: minuteUs)
            let capped = max(min(likely, before), least)
            return End(
                ended: capped, confidence: confidence, basis: basis, isCapped: likely > before)
        }

        /// The middle one, or half of the two middle ones, rounded down.
        private static func median(_ sorted: [Int64]) -> Int64 {
            let middle = sorted.count / 2
            guard sorted.count % 2 == 0 else { return sorted[middle] }
            return (sorted[middle - 1] + sorted[middle]) / 2
        }
    }
}
