public import Daybook

extension BabyCare {
    /// A period of time from `start` to `end`, which is excluded.
    public struct Window: Hashable, Sendable {
        public var start: Instant
        public var end: Instant

        public init(start: Instant, end: Instant) {
            self.start = start
            self.end = end
        }

        /// Length in seconds, with both ends rounded down to whole seconds.
        public var lengthS: Int64 { end.second - start.second }

        /// True if the moment is at or after the start and before the end.
        public func contains(_ moment: Instant) -> Bool { (start..<end).contains(moment) }

        /// True if an entry with these times overlaps the window; a moment must lie in the window.
        public func touches(_ started: Instant, _ ended: Instant?) -> Bool {
            guard let ended, ended > started else { return contains(started) }
            return started < end && ended > start
        }

        /// Returns the overlap of an entry with the window, in seconds since 1970; `nil` if empty.
        ///
        /// Both ends are rounded down to whole seconds before the subtraction, so that the parts in
        /// adjoining windows add up exactly to the whole entry.
        public func part(_ started: Instant, _ ended: Instant) -> Range<Int64>? {
            let from = max(started.second, start.second)
            let to = min(ended.second, end.second)
            return from < to ? from..<to : nil
        }

        /// Returns the seconds between two moments, each rounded down to a whole second.
        static func wholeS(_ started: Instant, _ ended: Instant) -> Int64 {
            ended.second - started.second
        }

        /// Returns the time from start to end in seconds since 1970; `nil` if it is empty.
        static func wholeRange(_ started: Instant, _ ended: Instant) -> Range<Int64>? {
            started.second < ended.second ? started.second..<ended.second : nil
        }

        /// Returns the total length of the ranges in seconds, counting overlaps once.
        static func unitedS(_ parts: [Range<Int64>]) -> Int64 {
            united(parts).reduce(0) { $0 + Int64($1.count) }
        }

        /// Returns the ranges in order, with overlapping and adjoining ranges joined.
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
