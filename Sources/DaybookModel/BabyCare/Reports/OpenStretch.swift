import Daybook

extension BabyCare {
    /// The time that an entry without a recorded end may have taken.
    ///
    /// A timer that is never stopped says nothing of the days after it: it lasts until the next
    /// entry of its kind at most, and no longer than an estimate would have it.
    struct OpenStretch: Sendable {
        let entry: Entry
        /// The start of the next entry of its kind.
        let next: Instant?
        /// Not included.
        let end: Instant

        /// - Parameter entries: of one baby, by start; those that are open give a stretch each.
        static func all(
            among entries: [Entry], _ profile: Household.Profile, _ zone: Zone
        ) -> [OpenStretch] {
            var nexts: [Kind: Instant] = [:]
            var stretches: [OpenStretch] = []
            for entry in entries.reversed() where entry.state != .cancelled {
                if entry.state == .open {
                    let sort = Estimate.Sort(entry.kind, isNight: entry.isNight(profile, zone))
                    let longest = entry.started.advanced(
                        byMicroseconds: sort.bounds.upperBound * Estimate.minuteUs)
                    let next = nexts[entry.kind]
                    stretches.append(
                        OpenStretch(
                            entry: entry, next: next, end: min(next ?? longest, longest)))
                }
                nexts[entry.kind] = entry.started
            }
            return stretches.reversed()
        }

        /// True where the entry may have a part in a window; it always has on the day it started.
        func touches(_ window: Window) -> Bool { window.touches(entry.started, end) }
    }
}

extension BabyCare.Entry {
    /// True for a sleep at night: as it says itself, else by its start in the baby's own night.
    func isNight(_ profile: Household.Profile, _ zone: Zone) -> Bool {
        if let isNap = value.isNap { return !isNap }
        return profile.isNight(minuteOfDay: zone.local(at: started).secondOfDay / 60)
    }

    /// Minutes from start to end, cut to whole ones, as the source documents count each entry; 0
    /// for a moment.
    var wholeMinutes: Int64 { max(0, lengthUs) / BabyCare.Estimate.minuteUs }
}
