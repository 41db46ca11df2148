public import CivilTime

extension BabyCare {
    /// A stretch of absolute time, its end not included.
    public struct Window: Hashable, Sendable {
        public var start: Instant
        public var end: Instant

        public init(start: Instant, end: Instant) {
            self.start = start
            self.end = end
        }

        public var lengthS: Int64 { Self.second(end) - Self.second(start) }

        public func contains(_ microseconds: Int64) -> Bool {
            (start.microseconds..<end.microseconds).contains(microseconds)
        }

        /// True where an entry from one moment to another has any part here; a moment is a part.
        public func touches(_ startedUs: Int64, _ endedUs: Int64?) -> Bool {
            guard let endedUs, endedUs > startedUs else { return contains(startedUs) }
            return startedUs < end.microseconds && endedUs > start.microseconds
        }

        /// The part of an entry that lies here, in whole seconds since 1970; `nil` for none.
        ///
        /// Both ends are cut down to whole seconds before anything is subtracted, so that the
        /// parts over adjoining stretches add up to the whole exactly.
        public func part(_ startedUs: Int64, _ endedUs: Int64) -> Range<Int64>? {
            let from = max(Self.second(Instant(microseconds: startedUs)), Self.second(start))
            let to = min(Self.second(Instant(microseconds: endedUs)), Self.second(end))
            return from < to ? from..<to : nil
        }

        /// Whole seconds between two moments that are each cut down to a second.
        static func wholeS(_ startedUs: Int64, _ endedUs: Int64) -> Int64 {
            second(Instant(microseconds: endedUs)) - second(Instant(microseconds: startedUs))
        }

        /// A whole entry in seconds since 1970; `nil` for none.
        static func whole(_ startedUs: Int64, _ endedUs: Int64) -> Range<Int64>? {
            let from = second(Instant(microseconds: startedUs))
            let to = second(Instant(microseconds: endedUs))
            return from < to ? from..<to : nil
        }

        /// Whole seconds since 1970, cut down.
        static func second(_ instant: Instant) -> Int64 {
            let (seconds, rest) = instant.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
            return rest < 0 ? seconds - 1 : seconds
        }

        /// Stretches that overlap or touch made one, in order.
        static func united(_ parts: [Range<Int64>]) -> [Range<Int64>] {
            var united: [Range<Int64>] = []
            for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                if let last = united.last, part.lowerBound <= last.upperBound {
                    united[united.count - 1] =
                        last.lowerBound..<max(last.upperBound, part.upperBound)
                } else {
                    united.append(part)
                }
            }
            return united
        }
    }
}
