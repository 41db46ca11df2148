public import Daybook

extension BabyCare {
    /// The details of an entry beside its times: amounts in one unit each, whatever was written.
    public struct Value: Record {
        /// Microlitres that were fed, or pumped.
        public var amountUl: Int64?
        /// Seconds that a feed took by its own account, where that is not end − start.
        public var durationS: Int64?
        public var side: Side?
        /// Milligrams: what was eaten, or the baby's weight.
        public var massMg: Int64?
        /// Micrometres: the baby's height.
        public var lengthUm: Int64?
        /// Micrometres: the circumference of the head.
        public var headUm: Int64?
        /// Thousandths of a degree Celsius.
        public var milliC: Int64?
        /// A number of things; a diaper without it counts as one.
        public var count: Int64?
        /// The contents of the bottle: `Formula`, `Milk`, `fortified breast milk`.
        public var contents: String?
        /// The kind of diaper, food or medication.
        public var type: String?
        /// The name of a medication.
        public var name: String?
        public var dose: String?
        /// The way it was given or measured: `bottle`, `ear`.
        public var method: String?
        /// Said to be a nap, or not to be one; `nil` where only the hour tells.
        public var isNap: Bool?
        /// The amount as it was written: `4.5`.
        public var original: String?
        /// The unit of `original`: `oz`.
        public var originalUnit: String?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
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

        /// Takes over what `patch` has; `removed` names the fields that it deletes.
        public mutating func merge(_ patch: Value, removing removed: [String] = []) {
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
