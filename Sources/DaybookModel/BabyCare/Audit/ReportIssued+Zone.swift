import Daybook

extension BabyCare.ReportIssued {
    /// Returns the zone of the report from a database; `nil` if the database lacks it.
    func zone(in zones: ZoneSource) -> Zone? {
        do throws(UnknownZone) {
            return try zones.zone(zone)
        } catch {
            return nil
        }
    }

    /// Returns the first database in which the zone has the transitions that the report used.
    func sourceOfZone(in databases: [ZoneSource]) -> (zones: ZoneSource, zone: Zone)? {
        guard let zoneDigest else { return nil }
        for zones in databases {
            if let zone = zone(in: zones), zones.digest(of: zone) == zoneDigest {
                return (zones, zone)
            }
        }
        return nil
    }

    /// The reported days; `nil` if the period that the event names cannot be read. An ISO week has
    /// eight days, because the event does not tell whether the week starts on its Monday or on the
    /// Sunday before.
    private var days: Range<CivilDate>? {
        switch kind {
        case .daily: CivilDate(text: period).map { $0..<$0.adding(days: 1) }
        case .weekly:
            CivilDate.week(text: period).map { $0.adding(days: -1)..<$0.adding(days: 7) }
                ?? CivilDate(text: period).map { $0..<$0.adding(days: 7) }
        case .monthly: CivilDate.month(text: period).map { $0..<$0.firstOfNextMonth }
        }
    }

    /// Returns the reported days in which two zones have other offsets at some moment, such as
    /// `2026-11-02 to 2026-11-08`; consecutive days are joined. Empty if no day moves.
    ///
    /// A day is compared from its midnight in one zone or the other, whichever is earlier, to the
    /// later midnight after it.
    func days(thatMoveFrom old: Zone, to new: Zone) -> String {
        guard let days else { return "" }
        var stretches: [ClosedRange<CivilDate>] = []
        var day = days.lowerBound
        while day < days.upperBound {
            let next = day.adding(days: 1)
            let start = min(old.start(of: day), new.start(of: day))
            if !old.agrees(
                with: new, from: start, to: max(old.start(of: next), new.start(of: next)))
            {
                if let last = stretches.last, last.upperBound.adding(days: 1) == day {
                    stretches[stretches.count - 1] = last.lowerBound...day
                } else {
                    stretches.append(day...day)
                }
            }
            day = next
        }
        return stretches.map { stretch in
            stretch.lowerBound == stretch.upperBound
                ? stretch.lowerBound.text
                : "\(stretch.lowerBound.text) to \(stretch.upperBound.text)"
        }.joined(separator: ", ")
    }
}
