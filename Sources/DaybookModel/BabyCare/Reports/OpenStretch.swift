import Daybook

extension BabyCare {
    /// An open entry with the latest time at which it may have ended.
    ///
    /// An open entry ends at the latest when the next entry of its kind starts, and lasts at most
    /// the greatest estimated length. A timer that was never stopped thus does not fill the
    /// following days.
    struct OpenStretch: Sendable {
        let entry: SharedEntry
        /// Start of the next entry of the same kind; `nil` if there is no later entry.
        let nextStart: Instant?
        /// Latest possible end of the entry, exclusive.
        let latestEnd: Instant

        /// Returns the open entries with their latest ends, in order of start.
        ///
        /// - Parameter entries: all entries of one baby, in order of start.
        static func all(
            among entries: [SharedEntry], _ profile: Household.Profile, _ zone: Zone
        ) -> [OpenStretch] {
            var nexts: [Kind: Instant] = [:]
            var stretches: [OpenStretch] = []
            for entry in entries.reversed() where entry.state != .cancelled {
                if entry.state == .open {
                    let group = Estimate.LengthGroup(
                        entry.kind, isNight: entry.entry.isNight(profile, zone))
                    let longest = entry.started.advanced(
                        byMicroseconds: group.bounds.upperBound * Estimate.minuteUs)
                    let next = nexts[entry.kind]
                    stretches.append(
                        OpenStretch(
                            entry: entry, nextStart: next, latestEnd: min(next ?? longest, longest))
                    )
                }
                nexts[entry.kind] = entry.started
            }
            return stretches.reversed()
        }

        /// True if part of the entry may lie in the window; always true if it starts there.
        func touches(_ window: Window) -> Bool { window.touches(entry.started, latestEnd) }
    }
}

extension BabyCare.Entry {
    /// True if the sleep is a night sleep rather than a nap. The nap flag decides. Without one, the
    /// sleep must start in the baby's night, local time.
    func isNight(_ profile: Household.Profile, _ zone: Zone) -> Bool {
        if let isNap = value.isNap { return !isNap }
        return profile.isNight(minuteOfDay: zone.local(at: started).secondOfDay / 60)
    }

    /// Minutes from start to end, rounded down as in the original app; 0 without an end.
    var wholeMinutes: Int64 { max(0, lengthUs) / BabyCare.Estimate.minuteUs }
}
