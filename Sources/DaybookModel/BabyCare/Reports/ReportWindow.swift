package import Daybook

extension BabyCare {
    /// A period of time from `start`, inclusive, to `end`, exclusive.
    package struct Window: Equatable, Sendable {
        package var start: Instant
        package var end: Instant

        package init(start: Instant, end: Instant) {
            self.start = start
            self.end = end
        }

        /// Length in seconds; start and end are first rounded down to whole seconds.
        package var lengthS: Int64 { end.second - start.second }

        /// True if the point in time is at or after the start and before the end.
        package func contains(_ time: Instant) -> Bool { (start..<end).contains(time) }

        /// True if an entry with these times overlaps the window. An entry without duration must
        /// start in the window.
        package func touches(_ started: Instant, _ ended: Instant?) -> Bool {
            guard let ended, ended > started else { return contains(started) }
            return started < end && ended > start
        }

        /// Returns the overlap of an entry with the window, in seconds since 1970; `nil` if empty.
        /// Start and end are first rounded down to whole seconds, so that the overlaps with
        /// adjoining windows add up exactly to the length of the entry.
        package func overlap(_ started: Instant, _ ended: Instant) -> Range<Int64>? {
            let from = max(started.second, start.second)
            let to = min(ended.second, end.second)
            return from < to ? from..<to : nil
        }

        /// Returns the seconds from start to end, each first rounded down to a whole second.
        static func wholeSeconds(_ started: Instant, _ ended: Instant) -> Int64 {
            ended.second - started.second
        }

        /// Returns the range from start to end in seconds since 1970; `nil` if it is empty.
        static func secondsRange(_ started: Instant, _ ended: Instant) -> Range<Int64>? {
            started.second < ended.second ? started.second..<ended.second : nil
        }

        /// Returns the total length of the ranges in seconds, counting overlaps once.
        static func unitedSeconds(_ parts: [Range<Int64>]) -> Int64 {
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
