public import Daybook

extension BabyCare {
    /// A stretch of absolute time that excludes its end.
    public struct Window: Hashable, Sendable {
        public var start: Instant
        public var end: Instant

        public init(start: Instant, end: Instant) {
            self.start = start
            self.end = end
        }

        public var lengthS: Int64 { end.second - start.second }

        public func contains(_ moment: Instant) -> Bool { (start..<end).contains(moment) }

        /// True if part of an entry lies in the window; a moment counts as a part.
        public func touches(_ started: Instant, _ ended: Instant?) -> Bool {
            guard let ended, ended > started else { return contains(started) }
            return started < end && ended > start
        }

        /// Returns the part of an entry in the window, in seconds since 1970; `nil` if empty.
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

        /// Returns the whole entry in seconds since 1970; `nil` if shorter than a second step.
        static func whole(_ started: Instant, _ ended: Instant) -> Range<Int64>? {
            started.second < ended.second ? started.second..<ended.second : nil
        }

        /// Returns the total seconds of the parts, counting overlaps once.
        static func unitedS(_ parts: [Range<Int64>]) -> Int64 {
            united(parts).reduce(0) { $0 + Int64($1.count) }
        }

        /// Returns the parts in order, with overlapping and adjoining parts joined.
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
