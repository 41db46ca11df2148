/// The rule for the offsets of a zone after its last listed transition.
///
/// Example: `EST5EDT,M3.2.0,M11.1.0`. Source: RFC 8536, section 3.3; POSIX.1-2017, section 8.3.
struct ZoneRule: Hashable, Sendable {
    /// The offset of standard time, in seconds east of UTC.
    let standardS: Int64
    /// The daylight saving time; `nil` if the zone always has standard time.
    let saving: Saving?

    /// A daylight saving time, with the days on which it starts and ends.
    struct Saving: Hashable, Sendable {
        /// The offset in seconds east of UTC, in Irish winters less than that of standard time.
        let offsetS: Int64
        /// The start of daylight saving time, as a local time in standard time.
        let start: Day
        /// The end of daylight saving time, as a local time in daylight saving time.
        let end: Day
    }

    /// A day in every year, and the local time at which the offset changes on this day.
    struct Day: Hashable, Sendable {
        /// A day of the year, in one of the three forms in which a rule can name it.
        enum Form: Hashable, Sendable {
            /// The number of the day in the year, 1 to 365, not counting 29 February.
            case julian(Int)
            /// The number of the day in the year, 0 to 365, counting 29 February.
            case zeroBased(Int)
            /// The `week`-th occurrence of a weekday (0 for Sunday) in a month; 5 means the last.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        /// The day, in the form in which the rule names it.
        let form: Form
        /// The local time in seconds after midnight, at most a week before or after midnight.
        let timeS: Int64

        /// Returns the local time in a year, as seconds since 1970 if the clocks showed UTC.
        func wallSecond(in year: Int) -> Int64 { Int64(daysSince1970(in: year)) * 86_400 + timeS }

        /// Returns the day in a year, as days since 1970-01-01.
        private func daysSince1970(in year: Int) -> Int {
            switch form {
            case .julian(let number):
                let isLeap = CivilDate.length(ofMonth: 2, in: year) == 29
                return CivilDate.daysSince1970(year, 1, number + (isLeap && number > 59 ? 1 : 0))
            case .zeroBased(let number):
                return CivilDate.daysSince1970(year, 1, number + 1)
            case .weekday(let month, let week, let weekday):
                let first = CivilDate.daysSince1970(year, month, 1)
                // 1970-01-04 was a Sunday.
                let ahead = (weekday - (first - 3)) % 7
                let day = (ahead < 0 ? ahead + 7 : ahead) + (week - 1) * 7
                return first + (day < CivilDate.length(ofMonth: month, in: year) ? day : day - 7)
            }
        }
    }

    /// Returns a span of time that contains a second and has one offset from UTC.
    ///
    /// Daylight saving time lasts from each start to the first end after it. If that end is not
    /// before the next start, daylight saving time never ends.
    ///
    /// - Parameter second: seconds since 1970.
    func stretch(at second: Int64) -> Stretch {
        guard let saving else { return Stretch(offsetS: standardS, end: .max) }
        let year = CivilDate(daysSince1970: Int((second + standardS) / 86_400)).year
        let end = { (year: Int) in saving.end.wallSecond(in: year) - saving.offsetS }
        var isSaving = false
        var next = Int64.max
        // A time of up to a week, and the offset, may push a change into another year.
        var endThisYear = end(year - 2)
        for year in (year - 2)...(year + 2) {
            let start = saving.start.wallSecond(in: year) - standardS
            let endNextYear = end(year + 1)
            let stop = endThisYear > start ? endThisYear : endNextYear
            if start <= second && second < stop { isSaving = true }
            if start > second { next = min(next, start) }
            if stop > second { next = min(next, stop) }
            endThisYear = endNextYear
        }
        return Stretch(offsetS: isSaving ? saving.offsetS : standardS, end: next)
    }
}
