/// An `Instant` as RFC 3339 text, and back.
///
/// Source: RFC 3339 section 5.6, with its restrictions of 5.7.
public enum Timestamp {
    /// How the offset may be written.
    public enum Offsets: Sendable {
        /// `Z` or `±hh:mm`, as RFC 3339 has it.
        case rfc3339
        /// Also `±hhmm`, which Remote Config dates use.
        case compactToo
    }

    /// The moment `text` names, with the offset it names in seconds east of UTC.
    ///
    /// Up to nine digits of a fraction are read, and those behind the sixth dropped. A leap second
    /// is the second that follows it. `nil` for anything RFC 3339 does not allow.
    public static func parse(
        _ text: String, offsets: Offsets = .rfc3339
    ) -> (instant: Instant, offsetS: Int)? {
        var reader = Reader(text)
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2),
            reader.take("-"), let day = reader.digits(2),
            let date = CivilDate(year: year, month: month, day: day),
            reader.take("T") || reader.take("t"), let hour = reader.digits(2), hour < 24,
            reader.take(":"), let minute = reader.digits(2), minute < 60,
            reader.take(":"), let second = reader.digits(2), second <= 60,
            let fraction = reader.fraction(), let offset = reader.offset(offsets), reader.isAtEnd
        else { return nil }
        let seconds =
            date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second - offset
        if second == 60 {
            guard (seconds % 86_400 + 86_400) % 86_400 == 0 else { return nil }
        }
        return (Instant(microseconds: Int64(seconds) * 1_000_000 + Int64(fraction)), offset)
    }

    /// The moment in UTC, with as many digits of a fraction as it needs: none, three or six.
    public static func text(_ instant: Instant) -> String {
        let (day, withinDay) = floorDivide(instant.microseconds, 86_400_000_000)
        let date = CivilDate(daysSince1970: Int(day))
        let second = Int(withinDay / 1_000_000)
        var text = padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
        text += "T" + padded(second / 3_600, 2) + ":" + padded(second / 60 % 60, 2)
        text += ":" + padded(second % 60, 2)
        let fraction = Int(withinDay % 1_000_000)
        if fraction % 1_000 != 0 {
            text += "." + padded(fraction, 6)
        } else if fraction != 0 {
            text += "." + padded(fraction / 1_000, 3)
        }
        return text + "Z"
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> (quotient: Int64, rest: Int64) {
        let rest = (a % b + b) % b
        // Not (a - rest) / b: that overflows at the lower end of the range.
        return (a / b - (a % b < 0 ? 1 : 0), rest)
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.count))
        return (value < 0 ? "-" : "") + zeros + digits
    }
}

extension Timestamp {
    private struct Reader {
        private let bytes: [UInt8]
        private var index = 0

        init(_ text: String) {
            bytes = Array(text.utf8)
        }

        var isAtEnd: Bool { index == bytes.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        mutating func digits(_ count: Int) -> Int? {
            guard index + count <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[index..<index + count] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            index += count
            return value
        }

        /// Microseconds; 0 where there is no fraction.
        mutating func fraction() -> Int? {
            guard take(".") else { return 0 }
            var value = 0
            var count = 0
            while let digit = digits(1) {
                if count < 6 { value = value * 10 + digit }
                count += 1
            }
            guard (1...9).contains(count) else { return nil }
            for _ in min(count, 6)..<6 { value *= 10 }
            return value
        }

        /// Seconds east of UTC.
        mutating func offset(_ offsets: Offsets) -> Int? {
            if take("Z") || take("z") { return 0 }
            let sign = take("+") ? 1 : take("-") ? -1 : 0
            guard sign != 0, let hour = digits(2), hour < 24 else { return nil }
            guard take(":") || offsets == .compactToo, let minute = digits(2), minute < 60 else {
                return nil
            }
            return sign * (hour * 3_600 + minute * 60)
        }
    }
}
