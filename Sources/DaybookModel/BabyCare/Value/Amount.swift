/// A decimal number as it was written, turned into whole small units without loss.
///
/// `4.5` fluid ounces are 133,081.08… microlitres and become 133,081: rounded half away from zero,
/// once, here. Nothing binary comes between.
struct DecimalText: Hashable, Sendable {
    /// The digits without the point.
    let digits: Int128
    /// The number of digits after the point.
    let scale: Int

    /// `nil` unless `text` is a sign, at most 15 digits in front of a point or comma and at most
    /// nine after it. `1,500` is fifteen hundred to some and one and a half to others, so that a
    /// comma with three digits after it is neither.
    init?(_ text: some StringProtocol) {
        var digits: Int128 = 0
        var isNegative = false
        var whole = 0
        var fraction: Int?
        var hasComma = false
        for (index, byte) in text.utf8.enumerated() {
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

    /// The number times `numerator / denominator`, rounded half away from zero; `nil` where it
    /// fits no 64 bits.
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
    /// A unit that an amount may be written in, and how it becomes whole small ones.
    ///
    /// Source: the international yard and pound agreement of 1959 (25.4 mm, 453.59237 g), and
    /// NIST Handbook 44 for the US fluid ounce (29.5735295625 ml).
    public enum AmountUnit: String, Sendable, CaseIterable {
        case ml, l, oz, g, kg, lb, mm, cm
        case inch = "in"
        case celsius = "C"
        case fahrenheit = "F"

        /// `nil` for a text that names no unit: `fl oz`, `lbs` and `inch` do.
        public init?(name: some StringProtocol) {
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

        /// Microlitres; `nil` for a unit of something else or a number that is none.
        public func microlitres(_ text: some StringProtocol) -> Int64? {
            switch self {
            case .ml: DecimalText(text)?.scaled(1_000)
            case .l: DecimalText(text)?.scaled(1_000_000)
            case .oz: DecimalText(text)?.scaled(295_735_295_625, over: 10_000_000)
            default: nil
            }
        }

        /// Milligrams.
        public func milligrams(_ text: some StringProtocol) -> Int64? {
            switch self {
            case .g: DecimalText(text)?.scaled(1_000)
            case .kg: DecimalText(text)?.scaled(1_000_000)
            case .lb: DecimalText(text)?.scaled(45_359_237, over: 100)
            case .oz: DecimalText(text)?.scaled(28_349_523_125, over: 1_000_000)
            default: nil
            }
        }

        /// Micrometres.
        public func micrometres(_ text: some StringProtocol) -> Int64? {
            switch self {
            case .mm: DecimalText(text)?.scaled(1_000)
            case .cm: DecimalText(text)?.scaled(10_000)
            case .inch: DecimalText(text)?.scaled(25_400)
            default: nil
            }
        }

        /// Thousandths of a degree Celsius.
        public func thousandthsCelsius(_ text: some StringProtocol) -> Int64? {
            switch self {
            case .celsius: DecimalText(text)?.scaled(1_000)
            case .fahrenheit: DecimalText(text)?.scaled(5_000, over: 9, adding: -32)
            default: nil
            }
        }
    }
}

extension BabyCare {
    /// Whole seconds of a decimal number of minutes; `nil` where it is none.
    public static func seconds(ofMinutes text: some StringProtocol) -> Int64? {
        DecimalText(text)?.scaled(60)
    }
}
