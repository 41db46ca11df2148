import Daybook

extension Running {
    /// The points in time that a command accepts.
    enum AcceptedTimes {
        /// Greatest accepted difference between the clocks of two devices: one minute, in
        /// microseconds.
        private static let toleranceUs: Int64 = 60_000_000

        /// Returns the latest accepted time in a command given at `now`: one minute after `now`.
        static func latest(_ now: Instant) -> Instant { now.advanced(byMicroseconds: toleranceUs) }

        /// Returns the earliest accepted time if `seen` is the newest recorded time: a minute
        /// before `seen`.
        static func earliest(_ seen: Instant) -> Instant {
            seen.advanced(byMicroseconds: -toleranceUs)
        }

        /// Returns the time; throws if it is outside the years 1900 to 2199.
        static func checked(_ time: Instant) throws(Refusal) -> Instant {
            guard time.isPossible else {
                throw Refusal(
                    "impossibleTime", "the time \(time.written) is not in the years 1900 to 2199")
            }
            return time
        }

        /// Returns the time; throws if it is not in the years 1900 to 2199 or over a minute after
        /// `now`.
        static func checked(
            _ time: Instant, _ field: String, by now: Instant
        ) throws(Refusal) -> Instant {
            let time = try checked(time)
            guard time <= latest(now) else {
                throw Refusal(
                    "futureTime",
                    "\(field) is \(Timestamp.text(time)), over a minute after the command's time, "
                        + Timestamp.text(now))
            }
            return time
        }
    }
}

extension Running.Run {
    /// Returns the time to record for a command: the given time, or `now` if no time is given.
    ///
    /// Throws if the given time is more than a minute after `now`, or before the newest time
    /// recorded for the run. If the newest recorded time is itself up to a minute after `now`, a
    /// given time up to a minute before it is accepted and replaced by it. Times of places more
    /// than a minute after `now` are ignored.
    ///
    /// If no time is given, the result is never before the newest time recorded for the run.
    func commandTime(
        _ given: Instant?, _ field: String, _ now: Instant
    ) throws(Refusal) -> Instant {
        let latest = Running.AcceptedTimes.latest(now)
        let steps = [tracking.stretchStart, tracking.paused].compactMap { $0 }.max()
        // S1's app uses its own clock and ignores the times of places.
        let newest = rules == .source ? steps : tracking.newestTime
        let seen = newest.flatMap { $0 <= latest ? $0 : steps } ?? now
        guard let given else { return max(try Running.AcceptedTimes.checked(now), seen) }
        let time = try Running.AcceptedTimes.checked(given, field, by: now)
        let ahead = seen > now
        let known = ahead ? Running.AcceptedTimes.earliest(seen) : seen
        guard time >= known else {
            throw Refusal(
                "timeGoesBack",
                "\(field) is \(Timestamp.text(time)), before times that the run has recorded; "
                    + "expected \(Timestamp.text(known)) or later")
        }
        return ahead ? max(time, seen) : time
    }
}
