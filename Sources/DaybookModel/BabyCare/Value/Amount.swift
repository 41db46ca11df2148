import Daybook

/// A decimal number parsed from text, for conversion to whole numbers of a small unit.
///
/// `4.5` fluid ounces are 133,080.88… microlitres and become 133,081. The conversion is the only
/// step that rounds, half away from zero.
struct DecimalText: Equatable, Sendable {
    /// The number without its decimal point, such as 45 for `4.5`.
    let digits: Int128
    /// Number of digits after the decimal point.
    let scale: Int

    /// Parses an optional sign, at most 15 digits, and a point or comma with at most nine digits;
    /// `nil` for any other text, and for a comma followed by exactly three digits, because `1,500`
    /// can mean 1500 or 1.5.
    init?(_ text: some StringProtocol) {
        // Its bytes in one piece, because code for texts of any type would call for each byte.
        let utf8 = text.utf8
        let read = utf8.withContiguousStorageIfAvailable { bytes in
            DecimalText(utf8: unsafe Span(_unsafeElements: bytes))
        }
        guard let value = read ?? DecimalText(utf8: Array(utf8).contents) else { return nil }
        self = value
    }

    private init?(utf8: Span<UInt8>) {
        var digits: Int128 = 0
        var isNegative = false
        var whole = 0
        var fraction: Int?
        var hasComma = false
        for index in utf8.indices {
            let byte = utf8[index]
            switch byte {
            case UInt8(ascii: "-") where index == 0: isNegative = true
            case UInt8(ascii: "+") where index == 0: break
            case UInt8(ascii: "."), UInt8(ascii: ","):
                guard fraction == nil else { return nil }
                fraction = 0
                hasComma = byte == UInt8(ascii: ",")
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits = digits * 10 + Int128(byte - UInt8(ascii: "0"))
                if let count = fraction { fraction = count + 1 } else { whole += 1 }
                guard whole <= 15, fraction ?? 0 <= 9 else { return nil }
            default: return nil
            }
        }
        guard whole + (fraction ?? 0) > 0, !hasComma || fraction != 3 else { return nil }
        self.digits = isNegative ? -digits : digits
        scale = fraction ?? 0
    }

    /// Returns (number + `adding`) × `numerator` / `denominator`, rounded half away from zero;
    /// `nil` if the result overflows 64 bits.
    func scaled(_ numerator: Int64, over denominator: Int64 = 1, adding: Int64 = 0) -> Int64? {
        var power: Int128 = 1
        for _ in 0..<scale { power *= 10 }
        let dividend = (digits + Int128(adding) * power) * Int128(numerator)
        let divisor = Int128(denominator) * power
        let half = dividend < 0 ? -divisor / 2 : divisor / 2
        return Int64(exactly: (dividend + half) / divisor)
    }
}

extension BabyCare {
    /// A unit of volume, mass, length or temperature, which converts numbers to the stored unit.
    ///
    /// Source: the international yard and pound agreement of 1959 (25.4 mm, 453.59237 g), and
    /// NIST Handbook 44 for the US fluid ounce (29.5735295625 ml).
    package enum AmountUnit: String, Sendable, CaseIterable {
        case ml, l, oz, g, kg, lb, mm, cm
        case inch = "in"
        case celsius = "C"
        case fahrenheit = "F"

        /// Creates the unit with a name such as `fl oz` or `lbs`; `nil` if the name is unknown.
        package init?(name: some StringProtocol) {
            let word = String(name.filter { $0 != " " && $0 != "." && $0 != "°" }).lowercased()
            switch word {
            case "ml", "millilitre", "milliliter": self = .ml
            case "l", "litre", "liter": self = .l
            case "oz", "floz", "ounce", "ounces": self = .oz
            case "g", "gram", "grams": self = .g
            case "kg": self = .kg
            case "lb", "lbs", "pound", "pounds": self = .lb
            case "mm": self = .mm
            case "cm": self = .cm
            case "in", "inch", "inches", "\"": self = .inch
            case "c", "celsius": self = .celsius
            case "f", "fahrenheit": self = .fahrenheit
            default: return nil
            }
        }

        /// Converts the number in `text` from this unit to microlitres; `nil` if this is not a unit
        /// of volume or the number is unreadable.
        package func microlitres(_ text: some StringProtocol) -> Int64? {
            switch self {
            case .ml: DecimalText(text)?.scaled(1_000)
            case .l: DecimalText(text)?.scaled(1_000_000)
            case .oz: DecimalText(text)?.scaled(295_735_295_625, over: 10_000_000)
            default: nil
            }
        }

        /// Converts the number in `text` from this unit to milligrams; `nil` if this is not a unit
        /// of mass or the number is unreadable.
        package func milligrams(_ text: some StringProtocol) -> Int64? {
            switch self {
            case .g: DecimalText(text)?.scaled(1_000)
            case .kg: DecimalText(text)?.scaled(1_000_000)
            case .lb: DecimalText(text)?.scaled(45_359_237, over: 100)
            case .oz: DecimalText(text)?.scaled(28_349_523_125, over: 1_000_000)
            default: nil
            }
        }

        /// Converts the number in `text` from this unit to micrometres; `nil` if this is not a unit
        /// of length or the number is unreadable.
        package func micrometres(_ text: some StringProtocol) -> Int64? {
            switch self {
            case .mm: DecimalText(text)?.scaled(1_000)
            case .cm: DecimalText(text)?.scaled(10_000)
            case .inch: DecimalText(text)?.scaled(25_400)
            default: nil
            }
        }

        /// Converts the number in `text` from this unit to thousandths of a degree Celsius; `nil`
        /// if this is not a unit of temperature or the number is unreadable.
        package func thousandthsCelsius(_ text: some StringProtocol) -> Int64? {
            switch self {
            case .celsius: DecimalText(text)?.scaled(1_000)
            case .fahrenheit: DecimalText(text)?.scaled(5_000, over: 9, adding: -32)
            default: nil
            }
        }
    }
}

extension BabyCare {
    /// Converts a decimal number of minutes to whole seconds; `nil` if the text is not a number.
    package static func seconds(ofMinutes text: some StringProtocol) -> Int64? {
        DecimalText(text)?.scaled(60)
    }
}
