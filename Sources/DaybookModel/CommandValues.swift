import Daybook

extension Command {
    /// Throws a refusal if a value is outside its range; `field` is the name in the message.
    func check(
        _ value: Int64?, _ field: String, _ range: ClosedRange<Int64>
    ) throws(Refusal) {
        guard let value, !range.contains(value) else { return }
        throw Refusal(
            "outOfRange",
            "\(field) is \(value); expected \(range.lowerBound) to \(range.upperBound)")
    }

    /// Throws a refusal if a text is not the name of a time zone, such as `Asia/Seoul`.
    func checkZone(_ zone: String?) throws(Refusal) {
        guard let zone, Zone(fixedOffset: zone) == nil, !ZoneSource.isName(zone) else { return }
        throw Refusal(
            "noZone",
            "expected the name of a time zone like Asia/Seoul, found '\(zone.prefix(60))'")
    }

    /// Throws a refusal if a text is not a date such as `2026-02-01`; `nil` is accepted.
    func checkDate(_ text: String?) throws(Refusal) {
        guard let text, CivilDate(text: text) == nil else { return }
        throw Refusal("unreadableDate", "expected a date like 2026-02-01, found '\(text)'")
    }
}

extension Refusal {
    /// Refusal of a command that changes no field.
    static let nothingToUpdate = Refusal(
        "nothingToUpdate", "at least one field must be provided for update")
}
