import CivilTime

extension CivilDate {
    /// The day of a moment in UTC.
    init(utcDayOf microseconds: Int64) {
        let day = microseconds / 86_400_000_000
        let rest = microseconds % 86_400_000_000
        self.init(daysSince1970: Int(rest < 0 ? day - 1 : day))
    }
}
