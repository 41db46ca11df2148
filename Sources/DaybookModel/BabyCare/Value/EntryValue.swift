package import Daybook

extension BabyCare {
    /// The amounts and other details of an entry; each amount has a fixed unit.
    package struct Value: PlainRecord {
        /// Fed or pumped volume in microlitres.
        package var amountUl: Int64?
        /// Recorded duration in seconds, such as that of a feed; it may differ from end − start.
        package var durationS: Int64?
        package var side: Side?
        /// Mass in milligrams: food eaten, or the weight of the baby.
        package var massMg: Int64?
        /// Height of the baby in micrometres.
        package var lengthUm: Int64?
        /// Head circumference in micrometres.
        package var headUm: Int64?
        /// Temperature in thousandths of a degree Celsius.
        package var milliC: Int64?
        /// Number of diapers or other things; a diaper entry without a number counts as one diaper.
        package var count: Int64?
        /// Contents of a bottle: `Formula`, `Milk`, `fortified breast milk`.
        package var contents: String?
        /// Kind of diaper, food or medication.
        package var type: String?
        /// Name of a medication, symptom or another thing.
        package var name: String?
        /// Dose of a medication as text, such as `80 mg`.
        package var dose: String?
        /// Method of feeding or measuring: `bottle`, `ear`.
        package var method: String?
        /// True for a nap, false for a night's sleep; `nil` leaves the decision to the time of day.
        package var isNap: Bool?
        /// Amount as the user wrote it, without its unit, such as `4.5`.
        package var original: String?
        /// Unit that the user wrote for the amount, such as `oz`.
        package var originalUnit: String?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("amountUl", &amountUl, .values(0...100_000_000))
            try field("durationS", &durationS, .spanS)
            try field("side", &side)
            try field("massMg", &massMg, .values(0...1_000_000_000))
            try field("lengthUm", &lengthUm, .values(0...10_000_000))
            try field("headUm", &headUm, .values(0...10_000_000))
            try field("milliC", &milliC, .values(-100_000...200_000))
            try field("count", &count, .values(0...1_000_000))
            try field("contents", &contents, "type", &type, "name", &name, "dose", &dose)
            try field("method", &method, "isNap", &isNap, "original", &original)
            try field("originalUnit", &originalUnit)
        }

        /// Overwrites the fields that `patch` sets, then deletes the fields named in `removed`.
        package mutating func merge(_ patch: Value, removing removed: [String] = []) {
            amountUl = patch.amountUl ?? amountUl
            durationS = patch.durationS ?? durationS
            side = patch.side ?? side
            massMg = patch.massMg ?? massMg
            lengthUm = patch.lengthUm ?? lengthUm
            headUm = patch.headUm ?? headUm
            milliC = patch.milliC ?? milliC
            count = patch.count ?? count
            contents = patch.contents ?? contents
            type = patch.type ?? type
            name = patch.name ?? name
            dose = patch.dose ?? dose
            method = patch.method ?? method
            isNap = patch.isNap ?? isNap
            original = patch.original ?? original
            originalUnit = patch.originalUnit ?? originalUnit
            for field in removed { remove(field) }
        }

        /// Deletes the field with a stored name, such as `amountUl`; ignores other names.
        private mutating func remove(_ field: String) {
            switch field {
            case "amountUl": (amountUl, original, originalUnit) = (nil, nil, nil)
            case "durationS": durationS = nil
            case "side": side = nil
            case "massMg": (massMg, original, originalUnit) = (nil, nil, nil)
            case "lengthUm": lengthUm = nil
            case "headUm": headUm = nil
            case "milliC": milliC = nil
            case "count": count = nil
            case "contents": contents = nil
            case "type": type = nil
            case "name": name = nil
            case "dose": dose = nil
            case "method": method = nil
            case "isNap": isNap = nil
            default: break
            }
        }
    }
}
