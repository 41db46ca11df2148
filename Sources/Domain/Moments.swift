import CivilTime

extension CivilDate {
    /// The day of a moment in UTC.
    init(utcDayOf moment: Instant) {
        let day = moment.microseconds / 86_400_000_000
        let rest = moment.microseconds % 86_400_000_000
        self.init(daysSince1970: Int(rest < 0 ? day - 1 : day))
    }
}

extension Instant {
    /// True in the years 1900 to 2199; other moments were mistyped.
    var isPossible: Bool { Self.possibleUs.contains(microseconds) }
}
