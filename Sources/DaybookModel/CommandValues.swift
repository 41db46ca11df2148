import Daybook

extension Command {
    /// Refuses a value outside a range; `field` names the value in the refusal.
    func check(
        _ value: Int64?, _ field: String, _ range: ClosedRange<Int64>
    ) throws(Refusal) {
        guard let value, !range.contains(value) else { return }
        throw Refusal(
            "outOfRange",
            "\(field) is \(value); expected \(range.lowerBound) to \(range.upperBound)")
    }

    /// Refuses a text that is not the name of a time zone, such as `Asia/Seoul`.
    func checkZone(_ zone: String?) throws(Refusal) {
        guard let zone, Zone(fixedOffset: zone) == nil, !ZoneSource.isName(zone) else { return }
        throw Refusal(
            "noZone",
            "expected the name of a zone like Asia/Seoul, found '\(zone.prefix(60))'")
    }

    /// Refuses a text that is not a date, such as `2026-02-01`.
    func checkDate(_ text: String?) throws(Refusal) {
        guard let text, CivilDate(text: text) == nil else { return }
        throw Refusal("unreadableDate", "expected a date like 2026-02-01, found '\(text)'")
    }
}

extension Refusal {
    static let nothingToUpdate = Refusal(
        "nothingToUpdate", "at least one field must be provided for update")
}
