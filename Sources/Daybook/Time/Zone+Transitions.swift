extension Zone {
    /// The seconds since 1970 of 1800-01-01 and 2100-01-01, between which transitions are listed.
    ///
    /// The earliest zone of the tz database changes its offset in 1835, and the tables of its files
    /// end before 2100; later changes follow the same rule as those before.
    private static let listed: Range<Int64> = -5_364_662_400..<4_102_444_800

    /// The changes of the offset as text, by which the data of two releases can be compared.
    ///
    /// The first line is the offset in 1800 in seconds east of UTC. Each following line is a change
    /// before 2100: its time in seconds since 1970, a blank, and the new offset. A file that lists
    /// transitions and a file that has a rule for them give the same text, and so do zones that
    /// differ only in their name, in abbreviations, or in transitions that keep the offset.
    public var transitionText: String {
        var span = stretch(at: Self.listed.lowerBound)
        var text = "\(span.offsetS)\n"
        while span.end < Self.listed.upperBound {
            let next = stretch(at: span.end)
            if next.offsetS != span.offsetS { text += "\(span.end) \(next.offsetS)\n" }
            span = next
        }
        return text
    }

    /// True if the zone and another one have the same offsets from `start` until before `end`.
    package func agrees(with other: Zone, from start: Instant, to end: Instant) -> Bool {
        var second = start.second
        while second < end.second {
            let (ours, others) = (stretch(at: second), other.stretch(at: second))
            guard ours.offsetS == others.offsetS else { return false }
            second = min(ours.end, others.end)
        }
        return true
    }
}
