public import Daybook

extension BabyCare {
    /// A stretch of absolute time, its end not included.
    public struct Window: Hashable, Sendable {
        public var start: Instant
        public var end: Instant

        public init(start: Instant, end: Instant) {
            self.start = start
            self.end = end
        }

        public var lengthS: Int64 { end.second - start.second }

        public func contains(_ moment: Instant) -> Bool { (start..<end).contains(moment) }

        /// True where an entry from one moment to another has any part here; a moment is a part.
        public func touches(_ started: Instant, _ ended: Instant?) -> Bool {
            guard let ended, ended > started else { return contains(started) }
            return started < end && ended > start
        }

        /// The part of an entry that lies here, in whole seconds since 1970; `nil` for none.
        ///
        /// Both ends are cut down to whole seconds before anything is subtracted, so that the
        /// parts over adjoining stretches add up to the whole exactly.
        public func part(_ started: Instant, _ ended: Instant) -> Range<Int64>? {
            let from = max(started.second, start.second)
            let to = min(ended.second, end.second)
            return from < to ? from..<to : nil
        }

        /// Whole seconds between two moments that are each cut down to a second.
        static func wholeS(_ started: Instant, _ ended: Instant) -> Int64 {
            ended.second - started.second
        }

        /// A whole entry in seconds since 1970; `nil` for none.
        static func whole(_ started: Instant, _ ended: Instant) -> Range<Int64>? {
            started.second < ended.second ? started.second..<ended.second : nil
        }

        /// Seconds of stretches, overlaps counted once.
        static func unitedS(_ parts: [Range<Int64>]) -> Int64 {
            united(parts).reduce(0) { $0 + Int64($1.count) }
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
