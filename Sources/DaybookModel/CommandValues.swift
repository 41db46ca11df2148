import Daybook

extension Command {
    /// Throws a refusal, which names `field`, if `value` is outside `range`; `nil` is accepted.
    func check(_ value: Int64?, _ field: String, _ range: ClosedRange<Int64>) throws(Refusal) {
        guard let value, !range.contains(value) else { return }
        throw Refusal(
            "outOfRange",
            "the field '\(field)' is \(value); expected \(range.lowerBound) to \(range.upperBound)")
    }

    /// Throws a refusal unless `zone` is `nil`, a time zone name or a fixed offset from UTC.
    func checkZone(_ zone: String?) throws(Refusal) {
        guard let zone, Zone(fixedOffset: zone) == nil, !ZoneSource.isName(zone) else { return }
        throw Refusal(
            "noZone",
            "'\(zone.prefix(60))' is not the name of a time zone; expected a name like Asia/Seoul")
    }

    /// Throws a refusal unless `text` is `nil` or a date such as `2026-02-01`.
    func checkDate(_ text: String?) throws(Refusal) {
        guard let text, CivilDate(text: text) == nil else { return }
        throw Refusal("unreadableDate", "'\(text)' is not a date; expected one like 2026-02-01")
    }
}

extension Refusal {
    static let nothingToUpdate = Refusal(
        "nothingToUpdate", "at least one field must be provided for update")
}
