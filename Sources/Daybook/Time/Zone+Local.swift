extension Zone {
    /// Returns the local time that clocks in the zone show at a point in time, without fractions.
    public func local(at instant: Instant) -> LocalTime {
        let second = instant.second
        return LocalTime(asUTC: second + stretch(at: second).offsetS)
    }

    /// Returns the point in time that a local time usually means in the zone.
    ///
    /// If the clocks were set back and showed the local time twice, it is the earlier time. If they
    /// were set forward and skipped it, it is the local time moved forward by the gap.
    public func instant(of local: LocalTime) -> Instant { resolve(local).standard }

    /// Returns the points in time at which clocks in the zone showed a local time.
    ///
    /// There are two if the clocks were set back, and none if they were set forward and skipped the
    /// local time. If the clocks showed it more than twice, the result has the first and last time.
    public func instants(of local: LocalTime) -> [Instant] {
        switch resolve(local) {
        case .unique(let instant): [instant]
        case .ambiguous(let earlier, let later): [earlier, later]
        case .nonexistent: []
        }
    }

    /// Returns the points in time that a local time can mean in the zone.
    ///
    /// If the clocks showed the local time more than twice, the result has the first and last time.
    package func resolve(_ local: LocalTime) -> LocalResolution {
        let wall = local.secondsAsUTC
        var second = wall - Stretch.offsets.upperBound
        let last = wall - Stretch.offsets.lowerBound
        var stretch = stretch(at: second)
        var readings: (first: Int64, last: Int64)?
        var gap: (after: Int64, before: Int64)?
        while true {
            let reading = wall - stretch.offsetS
            if second <= reading, reading < stretch.end {
                readings = (readings?.first ?? reading, reading)
            }
            guard stretch.end <= last else { break }
            second = stretch.end
            let next = self.stretch(at: second)
            if gap == nil, second <= reading, wall < second + next.offsetS {
                gap = (reading, wall - next.offsetS)
            }
            stretch = next
        }
        if let (first, last) = readings {
            let earlier = Instant(second: first)
            return first == last
                ? .unique(earlier) : .ambiguous(earlier: earlier, later: Instant(second: last))
        }
        // The clocks were first before and then after the local time, so they skipped it once.
        guard let gap else {
            preconditionFailure("internal error: \(name) has no instant for \(local.text)")
        }
        return .nonexistent(after: Instant(second: gap.after), before: Instant(second: gap.before))
    }

    /// Returns the start of a civil day, which begins `startMin` minutes after midnight.
    ///
    /// If the clocks showed this local time twice, the day starts at the earlier time. If they
    /// skipped it, the day starts right after the gap. A day never starts before the previous day
    /// does: a day that the clocks skipped as a whole has no length.
    ///
    /// - Parameter startMin: clamped to 0 to 1,439; it must be the same for all days.
    public func start(of date: CivilDate, startMin: Int = 0) -> Instant {
        let startMin = startMin.clamped(to: Self.minutesOfDay)
        return Instant(second: firstSecond(ofDay: date.daysSince1970, startMin))
    }

    /// Returns the civil day on which a point in time falls.
    ///
    /// It is the only day that starts at or before this time while the next day starts after it.
    ///
    /// - Parameter startMin: the start of each day in minutes after midnight; clamped to 0–1,439.
    public func day(at instant: Instant, startMin: Int = 0) -> CivilDate {
        let second = instant.second
        let startMin = startMin.clamped(to: Self.minutesOfDay)
        let wall = second + stretch(at: second).offsetS
        var day = Int((wall - Int64(startMin) * 60).floorDivided(by: 86_400).quotient)
        // Clocks that were set back may show the day before again.
        while firstSecond(ofDay: day + 1, startMin) <= second { day += 1 }
        return CivilDate(daysSince1970: day)
    }

    /// The allowed values of `startMin`.
    private static let minutesOfDay = 0...1_439

    /// Returns the first second at which the clocks show the start of a day or a later local time.
    ///
    /// - Parameter day: the number of days from 1970-01-01 to the day.
    private func firstSecond(ofDay day: Int, _ startMin: Int) -> Int64 {
        let wall = Int64(day) * 86_400 + Int64(startMin) * 60
        var second = wall - Stretch.offsets.upperBound
        while true {
            let stretch = stretch(at: second)
            let reading = max(second, wall - stretch.offsetS)
            if reading < stretch.end { return reading }
            second = stretch.end
        }
    }
}
