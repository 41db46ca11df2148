/// The unit of a field, which the name of the field ends in: `latencyMs`, `distanceMm`, `weightG`.
///
/// It is the one place that writes stored integers as amounts that people use.
package enum FieldUnit: Sendable {
    case microseconds, milliseconds, seconds, minutes
    /// Minutes after midnight: `dayStartMin`.
    case minuteOfDay
    case microlitres, millilitres, milligrams, grams
    /// The height or the size of a body, in micrometres.
    case micrometres
    /// A distance in millimetres.
    case millimetres
    case metres, millimetresPerSecond, millisecondsPerKilometre, thousandthsCelsius
    /// Degrees of latitude or longitude, times 10⁹.
    case billionthDegrees
    /// Money in minor units of its currency, such as cents.
    case minorUnits
    case kilocalories, bytes

    /// The ends of field names, longer ones before those that they end in.
    private static let suffixes: [(text: String, unit: FieldUnit)] = [
        ("MsPerKm", .millisecondsPerKilometre), ("MmPerS", .millimetresPerSecond),
        ("StartMin", .minuteOfDay), ("FromMin", .minuteOfDay), ("ToMin", .minuteOfDay),
        ("MilliC", .thousandthsCelsius), ("Minor", .minorUnits), ("Bytes", .bytes),
        ("Kcal", .kilocalories), ("Min", .minutes), ("Us", .microseconds), ("Ms", .milliseconds),
        ("Ul", .microlitres), ("Ml", .millilitres), ("_ml", .millilitres), ("Mg", .milligrams),
        ("Um", .micrometres), ("Mm", .millimetres), ("E9", .billionthDegrees), ("S", .seconds),
        ("G", .grams), ("M", .metres),
    ]

    /// The names of fields that are nothing but a unit, or that do not end in theirs.
    private static let names: [String: FieldUnit] = [
        "ml": .millilitres, "g": .grams, "grams": .grams, "kcal": .kilocalories,
        "kcalMet": .kilocalories, "milliC": .thousandthsCelsius,
    ]

    /// Returns the unit of a field, and the name without it; the unit is `nil` for a plain number.
    static func split(_ name: String) -> (name: Substring, unit: FieldUnit?) {
        if let unit = names[name] { return ("", unit) }
        for (suffix, unit) in suffixes where name.hasSuffix(suffix) {
            let rest = name.dropLast(suffix.utf8.count)
            guard let last = rest.last, last.isLowercase || last.isNumber else { continue }
            return (unit == .minuteOfDay ? name.dropLast(3) : rest, unit)
        }
        return (name[...], nil)
    }

    /// Returns an amount in this unit as people write it: `340 ms`, `1 h 30 min`, `180 ml`.
    ///
    /// - Parameter currency: the ISO 4217 code of the currency of minor units.
    package func text(_ value: Int64, currency: String = "") -> String {
        switch self {
        case .microseconds:
            value.magnitude < 1_000_000
                ? value.decimalText(places: 3) + " ms" : Self.length(seconds: value / 1_000_000)
        case .milliseconds:
            switch value.magnitude {
            case ..<1_000: "\(value) ms"
            case ..<60_000: value.decimalText(places: 3) + " s"
            default: Self.length(seconds: value / 1_000)
            }
        case .seconds: Self.length(seconds: value)
        case .minutes: Self.length(seconds: value.saturatingProduct(60))
        case .minuteOfDay:
            (0...1_440).contains(value)
                ? Int(value / 60).padded(to: 2) + ":" + Int(value % 60).padded(to: 2)
                : "\(value) min"
        case .microlitres: value.rounded(to: 100).decimalText(places: 1) + " ml"
        case .millilitres: "\(value) ml"
        case .milligrams:
            value.magnitude < 1_000_000
                ? value.decimalText(places: 3) + " g" : value.decimalText(places: 6) + " kg"
        case .grams:
            value.magnitude < 1_000 ? "\(value) g" : value.decimalText(places: 3) + " kg"
        case .micrometres: value.decimalText(places: 4) + " cm"
        case .millimetres: Self.distance(millimetres: value)
        case .metres: Self.distance(millimetres: value.saturatingProduct(1_000))
        case .millimetresPerSecond: value.decimalText(places: 3) + " m/s"
        case .millisecondsPerKilometre:
            "\(value / 60_000):\(Int((value / 1_000 % 60).magnitude).padded(to: 2)) /km"
        case .thousandthsCelsius: value.decimalText(places: 3) + " °C"
        case .billionthDegrees: value.decimalText(places: 9) + "°"
        case .minorUnits: Self.money(value, currency)
        case .kilocalories: "\(value) kcal"
        case .bytes: value.counted("byte")
        }
    }

    /// Returns a length of time in hours, minutes and seconds: `6 h`, `1 h 30 min`, `45 s`.
    package static func length(seconds: Int64) -> String {
        let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
            .filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }

    /// Returns a distance in kilometres with one or two decimals, or in metres: `5.0 km`, `850 m`.
    private static func distance(millimetres: Int64) -> String {
        guard millimetres.magnitude >= 1_000_000 else {
            let places = millimetres.magnitude < 10_000 ? 1 : 0
            let unit: Int64 = places == 1 ? 100 : 1_000
            return millimetres.rounded(to: unit).decimalText(places: places) + " m"
        }
        let text = millimetres.rounded(to: 10_000).decimalText(places: 2, keepsZeros: true)
        return (text.hasSuffix("0") ? String(text.dropLast()) : text) + " km"
    }

    /// Returns money in its currency: `12000 KRW`, `4.50 EUR`.
    private static func money(_ value: Int64, _ currency: String) -> String {
        guard !currency.isEmpty else { return value.counted("minor unit") }
        let places = minorDigits[currency] ?? 2
        return value.decimalText(places: places, keepsZeros: true) + " " + currency
    }

    /// The digits of the minor units of currencies that have no two of them.
    ///
    /// Source: ISO 4217, list one.
    private static let minorDigits: [String: Int] = {
        let none = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
        let three = "BHD IQD JOD KWD LYD OMR TND"
        let digits = [(none, 0), (three, 3), ("CLF UYW", 4)].flatMap { codes, digits in
            codes.split(separator: " ").map { (String($0), digits) }
        }
        return Dictionary(uniqueKeysWithValues: digits)
    }()
}

extension Int64 {
    /// Returns the integer divided by `unit` (over 1), rounded half away from zero.
    fileprivate func rounded(to unit: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: unit)
        return quotient + (rest >= unit - rest ? 1 : -rest >= unit + rest ? -1 : 0)
    }
}
