package import Daybook

extension BabyCare {
    /// The details of an entry, converted from an app's field names and units to Daybook's own.
    package struct Details: Equatable, Sendable {
        package var kind: Kind
        package var value = Value()
        /// Further details without a field in `Value`, by key, as the app sent them.
        package var meta: [String: String] = [:]
        /// Note about the entry; several texts are joined by line breaks.
        package var text: String?
        /// Name of the field from which the first text was read; `nil` means `memo`.
        package var textName: TextName?
        /// Members of `value` that are no field, by name; `meta` has their texts.
        package private(set) var unknownFields: [String] = []

        /// The note as a personal text, which is stored encrypted.
        var note: PersonalText? { text.map { PersonalText($0) } }

        /// Reads the kind, value and metadata that an app sends.
        ///
        /// - Parameters:
        ///   - kind: the kind of entry in any letter case, with optional spaces around it. A `memo`
        ///     becomes weaning or a dry diaper if the field `category` or `entry_kind`, in `value`
        ///     or `meta`, is `weaning` or `dry_diaper`.
        ///   - value: amounts and other details by field name, in any of the apps' spellings.
        /// - Throws: an error for the first field that is unreadable, or that is given twice with
        ///   different amounts.
        package init(
            kind: String, value: [String: Scalar], meta: [String: Scalar] = [:]
        ) throws(UnreadableDetail) {
            let ownKind = [value, meta].lazy.flatMap(\.self)
                .compactMap { Self.kindOfMemo($0.key, $0.value.text) }.first
            guard let known = Kind(name: kind.trimmed.lowercased()) else {
                throw UnreadableDetail(
                    field: "kind", text: kind,
                    expected: "one of \(Kind.names.joined(separator: ", "))")
            }
            self.kind = known == .memo ? ownKind ?? known : known
            for (key, scalar) in value.sorted(by: { $0.key < $1.key }) {
                try read(key, scalar.text.trimmed)
            }
            for (key, scalar) in meta where !isImpliedByKind(key, scalar.text) {
                self.meta[key] = scalar.text
            }
            if self.kind == .symptom, self.value.milliC != nil, self.value.method == nil {
                self.value.method = "ear"
            }
        }

        /// Returns the kind that a memo's category names; `nil` if the field names no such kind.
        private static func kindOfMemo(_ key: String, _ text: String) -> Kind? {
            guard key == "category" || key == "entry_kind" else { return nil }
            let category = text.uppercased().trimmed
            return Kind.allCases.first { $0.memoCategory == category }
        }

        /// True if the field is a category that only repeats the kind, so that it need not be kept.
        fileprivate func isImpliedByKind(_ key: String, _ text: String) -> Bool {
            Self.kindOfMemo(key, text) == kind
        }
    }

    /// The names, other than `memo`, that apps use for the field with the note of an entry.
    package enum TextName: UInt8, StoredEnum { case note, text, content, message }

    /// An error about a field of an entry that cannot be read.
    package struct UnreadableDetail: Error, Equatable, Sendable {
        /// Name of the field, as the app sent it.
        package var field: String
        /// Value of the field, which cannot be read.
        package var text: String
        /// Description of the accepted values, such as `left, right or both`.
        package var expected: String
    }

    /// Names of the details in `meta` that say what a memo is about.
    static let topicNames = ["activity", "category", "entry_kind"]
    /// Names of the details in `meta` that describe what a diaper holds.
    static let stoolNames = ["consistency", "texture", "extraData", "stool", "category"]
    /// Names of the details in `meta` that mark diarrhoea by a word for true.
    static let diarrhoeaNames = ["diarrhea", "diarrhoea", "is_diarrhea", "isDiarrhea"]
    /// Names of the details that reports read from `meta`; apps send them in `value` too.
    static let detailNames = Set(topicNames + stoolNames + diarrhoeaNames)

    /// Names of the fields that `Details` reads from a `value`.
    private static let fieldNames: Set<String> = [
        "ml", "amount_ml", "volume_ml", "amountMl", "formula_ml", "amountML", "oz", "amount_oz",
        "amountOz", "amountUl", "g", "grams", "amount_g", "amountG", "weight_g", "weight_kg", "kg",
        "weight_lb", "lb", "lbs", "massMg", "height_cm", "length_cm", "height_in", "length_in",
        "lengthUm", "head_cm", "head_circumference_cm", "head_in", "headUm", "duration_min",
        "durationMin", "duration_minutes", "minutes", "durationS", "duration_s", "temp_c",
        "temperature_c", "temp", "temp_f", "temperature_f", "milliC", "count", "side", "nap",
        "is_nap", "isNap", "diaper_type", "diaperType", "weaning_type", "weaningType",
        "medication_type", "type", "name", "medication_name", "medicationName", "dose", "dose_mg",
        "doseMg", "method", "contents", "original", "originalUnit", "memo", "note", "text",
        "content", "message",
    ]
    /// Names of all members of a `value` that are known.
    fileprivate static let memberNames = fieldNames.union(detailNames)
}

extension BabyCare.UnreadableDetail {
    /// Creates the error about a member of `value` that is no field.
    package init(unknown name: String) {
        self.init(
            field: "value.\(name)", text: name,
            expected: "the name of a field\(Self.hint(for: name))")
    }

    /// A question that suggests the closest names of fields, after a comma; empty without any.
    private static func hint(for name: String) -> String {
        let near = NearestNames.nearest(to: name, in: BabyCare.memberNames).map { "'\($0)'" }
        return near.isEmpty
            ? ", with other details in 'meta'" : " like \(near.joined(separator: " or "))"
    }

    /// True if the member is close to the name of a field, as a misspelt one is.
    package static func isMisspelt(_ name: String) -> Bool {
        !NearestNames.nearest(to: name, in: BabyCare.memberNames).isEmpty
    }
}

extension BabyCare.Details {
    /// Reads the details of a new entry; throws a refusal that names the unreadable field. Under
    /// the standard rules it also throws for a member of `value` that is no field. The original app
    /// stores whatever it is sent.
    static func read(
        _ kind: String, _ value: [String: Scalar], _ meta: [String: Scalar],
        _ rules: BabyCare.Rules = .standard
    ) throws(Refusal) -> Self {
        do throws(BabyCare.UnreadableDetail) {
            let details = try Self(kind: kind, value: value, meta: meta)
            if let name = details.unknownFields.first, !rules.isOfSource {
                throw BabyCare.UnreadableDetail(unknown: name)
            }
            return details
        } catch {
            throw Refusal(
                "unreadable",
                "field '\(error.field)': expected \(error.expected), found '\(error.text.prefix(60))'"
            )
        }
    }

    /// Reads the details that a command adds to an entry. A recorded method of feeding or measuring
    /// changes only if the command states a method.
    static func read(
        patching entry: BabyCare.Entry, _ value: [String: Scalar], _ meta: [String: Scalar],
        _ rules: BabyCare.Rules = .standard
    ) throws(Refusal) -> Self {
        var details = try read(entry.kind.name, value, meta, rules)
        if value["method"] == nil, entry.value.method != nil { details.value.method = nil }
        return details
    }
}

extension BabyCare.Details {
    private typealias Failure = BabyCare.UnreadableDetail

    /// Reads a field that an app sent: an amount or a duration; `readOther` reads other fields.
    private mutating func read(_ key: String, _ text: String) throws(BabyCare.UnreadableDetail) {
        switch key {
        case "ml", "amount_ml", "volume_ml", "amountMl", "formula_ml", "amountML":
            try readVolume(key, text, .ml)
        case "oz", "amount_oz", "amountOz": try readVolume(key, text, .oz)
        case "amountUl":
            try set(\.amountUl, key, text, Int64(text), "a whole number of microlitres")
        case "g", "grams", "amount_g", "amountG", "weight_g": try readMass(key, text, .g)
        case "weight_kg", "kg": try readMass(key, text, .kg)
        case "weight_lb", "lb", "lbs": try readMass(key, text, .lb)
        case "massMg": try set(\.massMg, key, text, Int64(text), "a whole number of milligrams")
        case "height_cm", "length_cm": try readLength(\.lengthUm, key, text, .cm)
        case "height_in", "length_in": try readLength(\.lengthUm, key, text, .inch)
        case "lengthUm":
            try set(\.lengthUm, key, text, Int64(text), "a whole number of micrometres")
        case "head_cm", "head_circumference_cm": try readLength(\.headUm, key, text, .cm)
        case "head_in": try readLength(\.headUm, key, text, .inch)
        case "headUm": try set(\.headUm, key, text, Int64(text), "a whole number of micrometres")
        case "duration_min", "durationMin", "duration_minutes", "minutes":
            try set(
                \.durationS, key, text, DecimalText(text)?.scaled(60), "a number of minutes",
                isSigned: false)
        case "durationS", "duration_s":
            try set(\.durationS, key, text, Int64(text), "a whole number of seconds")
        default: try readOther(key, text)
        }
    }

    /// Reads a temperature, a count, a word or a text; stores an unknown field in `meta`.
    private mutating func readOther(
        _ key: String, _ text: String
    ) throws(BabyCare.UnreadableDetail) {
        switch key {
        case "temp_c", "temperature_c", "temp": try readTemperature(key, text, .celsius)
        case "temp_f", "temperature_f": try readTemperature(key, text, .fahrenheit)
        case "milliC":
            try set(
                \.milliC, key, text, Int64(text), "a whole number of thousandths of °C",
                isSigned: true)
        case "count": try set(\.count, key, text, Int64(text), "a whole number")
        case "side":
            let side = BabyCare.Side(name: text.lowercased())
            try set(\.side, key, text, side, "left, right or both")
        case "nap", "is_nap", "isNap":
            let words = [
                "true": true, "1": true, "yes": true, "false": false, "0": false, "no": false,
            ]
            try set(\.isNap, key, text, words[text.lowercased()], "true or false")
        case "diaper_type", "diaperType", "weaning_type", "weaningType", "medication_type", "type":
            try set(\.type, key, text, text, "")
        case "name", "medication_name", "medicationName": try set(\.name, key, text, text, "")
        case "dose": try set(\.dose, key, text, text, "")
        case "dose_mg", "doseMg": try set(\.dose, key, text, "\(text) mg", "")
        case "method": try set(\.method, key, text, text, "")
        case "contents": try set(\.contents, key, text, text, "")
        case "original": try set(\.original, key, text, text, "")
        case "originalUnit": try set(\.originalUnit, key, text, text, "")
        case "memo", "note", "text", "content", "message":
            guard !text.isEmpty else { return }
            if self.text == nil { textName = BabyCare.TextName(name: key) }
            self.text = self.text.map { "\($0)\n\(text)" } ?? text
        case "category", "entry_kind":
            if !isImpliedByKind(key, text) { meta[key] = text }
        default:
            meta[key] = text
            if !BabyCare.detailNames.contains(key) { unknownFields.append(key) }
        }
    }

    /// Sets a field to `new`, the value read from `text`; throws if `new` is `nil`, if it is
    /// negative although `isSigned` is false, or if another spelling of the field has set a
    /// different value. `expected` describes the valid texts.
    private mutating func set<Field: Hashable>(
        _ field: WritableKeyPath<BabyCare.Value, Field?>, _ key: String, _ text: String,
        _ new: Field?, _ expected: String, isSigned: Bool = false
    ) throws(BabyCare.UnreadableDetail) {
        guard let new else { throw Failure(field: key, text: text, expected: expected) }
        if let number = new as? Int64, number < 0, !isSigned {
            throw Failure(field: key, text: text, expected: "\(expected), not below zero")
        }
        guard value[keyPath: field] == nil || value[keyPath: field] == new else {
            throw Failure(
                field: key, text: text, expected: "the same value as in the field's other spelling")
        }
        value[keyPath: field] = new
    }

    /// Reads a volume; keeps its text and unit in `original` and `originalUnit`.
    private mutating func readVolume(
        _ key: String, _ text: String, _ unit: BabyCare.AmountUnit
    ) throws(BabyCare.UnreadableDetail) {
        try set(\.amountUl, key, text, unit.microlitres(text), "a number of \(unit.rawValue)")
        (value.original, value.originalUnit) = (text, unit.rawValue)
    }

    /// Reads a mass; keeps its text and unit in `original` and `originalUnit`.
    private mutating func readMass(
        _ key: String, _ text: String, _ unit: BabyCare.AmountUnit
    ) throws(BabyCare.UnreadableDetail) {
        try set(\.massMg, key, text, unit.milligrams(text), "a number of \(unit.rawValue)")
        (value.original, value.originalUnit) = (text, unit.rawValue)
    }

    /// Reads a length into `field`; keeps its text and unit in `original` and `originalUnit`.
    private mutating func readLength(
        _ field: WritableKeyPath<BabyCare.Value, Int64?>, _ key: String, _ text: String,
        _ unit: BabyCare.AmountUnit
    ) throws(BabyCare.UnreadableDetail) {
        try set(field, key, text, unit.micrometres(text), "a number of \(unit.rawValue)")
        (value.original, value.originalUnit) = (text, unit.rawValue)
    }

    /// Reads a temperature; keeps its text and unit in `original` and `originalUnit`.
    private mutating func readTemperature(
        _ key: String, _ text: String, _ unit: BabyCare.AmountUnit
    ) throws(BabyCare.UnreadableDetail) {
        let milliC = unit.thousandthsCelsius(text)
        try set(\.milliC, key, text, milliC, "a number of degrees \(unit.rawValue)", isSigned: true)
        (value.original, value.originalUnit) = (text, unit.rawValue)
    }
}
