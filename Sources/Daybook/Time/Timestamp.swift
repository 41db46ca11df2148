/// Conversion of points in time to RFC 3339 texts, and back.
///
/// Source: RFC 3339 section 5.6, with its restrictions of 5.7.
public enum Timestamp {
    /// The notations of an offset from UTC that `parse` accepts.
    package enum Offsets: Sendable {
        /// `Z` or `±hh:mm`, as in RFC 3339.
        case rfc3339
        /// `Z`, `±hh:mm` or `±hhmm`; dates in Remote Config have the last form.
        case compactToo
    }

    /// Parses a time and returns its point in time and its offset in seconds east of UTC.
    ///
    /// A fraction may have up to nine digits, of which only six are used. A leap second is read as
    /// the second after it. The result is `nil` if RFC 3339 does not allow the text.
    public static func parse(_ text: String) -> (instant: Instant, offsetS: Int)? {
        parse(text, offsets: .rfc3339)
    }

    /// Parses a time like `parse(_:)`, with an offset in one of the given notations.
    package static func parse(
        _ text: String, offsets: Offsets
    ) -> (instant: Instant, offsetS: Int)? {
        var reader = Reader(text)
        guard let year = reader.readDigits(4), reader.consume("-"),
            let month = reader.readDigits(2), reader.consume("-"), let day = reader.readDigits(2),
            let date = CivilDate(year: year, month: month, day: day),
            reader.consume("T") || reader.consume("t"), let hour = reader.readDigits(2), hour < 24,
            reader.consume(":"), let minute = reader.readDigits(2), minute < 60,
            reader.consume(":"), let second = reader.readDigits(2), second <= 60,
            let fraction = reader.readFraction(), let offset = reader.readOffset(offsets),
            reader.isAtEnd
        else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second - offset
        if second == 60 {
            guard (seconds % 86_400 + 86_400) % 86_400 == 0 else { return nil }
        }
        return (Instant(microseconds: Int64(seconds) * 1_000_000 + Int64(fraction)), offset)
    }

    /// True if a time states the offset of local time, as `+00:00` does, but `Z` does not.
    ///
    /// Source: RFC 9557, section 2.
    public static func namesOffset(_ text: String) -> Bool {
        !text.hasSuffix("Z") && !text.hasSuffix("z")
    }

    /// The length of the longest text of a point in time in UTC within the years 0 to 9999.
    package static let longestCount = 27

    /// Returns a point in time as text in UTC, with as few fraction digits as needed: 0, 3 or 6.
    public static func text(_ instant: Instant) -> String {
        let (day, withinDay) = instant.microseconds.floorDivided(by: Instant.dayUs)
        let date = CivilDate(daysSince1970: Int(day))
        guard (0...9_999).contains(date.year) else {
            return date.text + String(ascii: longestCount) { appendTime(withinDay, to: &$0) }
        }
        return String(ascii: longestCount) { output in
            append(date, to: &output)
            appendTime(withinDay, to: &output)
        }
    }

    /// Appends a point in time within the years 0 to 9999 as text in UTC.
    ///
    /// There must be room for `longestCount` characters.
    ///
    /// - Parameter isPadded: true for six fraction digits in any case, so that texts sort by time.
    package static func append(
        _ instant: Instant, to output: inout OutputSpan<UInt8>, isPadded: Bool = false
    ) {
        let (day, withinDay) = instant.microseconds.floorDivided(by: Instant.dayUs)
        append(CivilDate(daysSince1970: Int(day)), to: &output)
        appendTime(withinDay, to: &output, isPadded: isPadded)
    }

    /// Appends a day within the years 0 to 9999, such as `2026-03-01`.
    private static func append(_ date: CivilDate, to output: inout OutputSpan<UInt8>) {
        output.append(twoDigits: date.year / 100)
        output.append(twoDigits: date.year % 100)
        output.append(UInt8(ascii: "-"))
        output.append(twoDigits: date.month)
        output.append(UInt8(ascii: "-"))
        output.append(twoDigits: date.day)
    }

    /// Appends a time of day, in microseconds after midnight, in UTC, such as `T19:07:00Z`.
    private static func appendTime(
        _ withinDayUs: Int64, to output: inout OutputSpan<UInt8>, isPadded: Bool = false
    ) {
        let (second, fraction) = Int(withinDayUs).quotientAndRemainder(dividingBy: 1_000_000)
        output.append(UInt8(ascii: "T"))
        output.append(twoDigits: second / 3_600)
        output.append(UInt8(ascii: ":"))
        output.append(twoDigits: second / 60 % 60)
        output.append(UInt8(ascii: ":"))
        output.append(twoDigits: second % 60)
        if fraction != 0 || isPadded {
            let (milliseconds, rest) = fraction.quotientAndRemainder(dividingBy: 1_000)
            output.append(UInt8(ascii: "."))
            output.append(threeDigits: milliseconds)
            if rest != 0 || isPadded { output.append(threeDigits: rest) }
        }
        output.append(UInt8(ascii: "Z"))
    }

    /// A reader of the digits and separators of a time's text, from left to right.
    private struct Reader {
        private let bytes: [UInt8]
        private var index = 0

        init(_ text: String) { bytes = Array(text.utf8) }

        /// True if all characters have been read.
        var isAtEnd: Bool { index == bytes.count }

        /// Skips `character` if it comes next; returns false if another character comes next.
        mutating func consume(_ character: Unicode.Scalar) -> Bool {
            guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        /// Reads a number of `count` digits; `nil` if fewer digits come next.
        mutating func readDigits(_ count: Int) -> Int? {
            guard index + count <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[index..<index + count] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            index += count
            return value
        }

        /// Reads a fraction of a second in microseconds; 0 without a fraction, `nil` if malformed.
        mutating func readFraction() -> Int? {
            guard consume(".") else { return 0 }
            var value = 0
            var count = 0
            while let digit = readDigits(1) {
                if count < 6 { value = value * 10 + digit }
                count += 1
            }
            guard (1...9).contains(count) else { return nil }
            for _ in min(count, 6)..<6 { value *= 10 }
            return value
        }

        /// Reads an offset from UTC and returns it in seconds east of UTC; `nil` if malformed.
        mutating func readOffset(_ offsets: Offsets) -> Int? {
            if consume("Z") || consume("z") { return 0 }
            let sign = consume("+") ? 1 : consume("-") ? -1 : 0
            guard sign != 0, let hour = readDigits(2), hour < 24 else { return nil }
            guard consume(":") || offsets == .compactToo, let minute = readDigits(2), minute < 60
            else { return nil }
            return sign * (hour * 3_600 + minute * 60)
        }
    }
}

extension Instant: CustomStringConvertible {
    /// The point in time as an RFC 3339 text in UTC: `2026-03-01T08:00:00Z`.
    public var description: String { Timestamp.text(self) }
}

extension Timestamp {
    /// Returns a point in time as text in a zone's local time: `2026-03-03T14:00:00+09:00`.
    ///
    /// The text is in UTC if the offset has seconds, which RFC 3339 cannot express.
    public static func text(_ instant: Instant, in zone: Zone) -> String {
        text(instant, offsetS: zone.offsetS(at: instant))
    }

    /// Returns a point in time as text in the local time with an offset in seconds east of UTC.
    ///
    /// The text is in UTC if the offset has seconds, which RFC 3339 cannot express.
    public static func text(_ instant: Instant, offsetS: Int) -> String {
        guard offsetS != 0, offsetS % 60 == 0, abs(offsetS) < 86_400 else { return text(instant) }
        let shifted = instant.advanced(byMicroseconds: Int64(offsetS) * 1_000_000)
        return String(text(shifted).dropLast()) + offset(offsetS)
    }

    /// Returns an offset, in seconds east of UTC, as text without its seconds: `+09:00`.
    public static func offset(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        return (seconds < 0 ? "-" : "+") + (minutes / 60).padded(to: 2) + ":"
            + (minutes % 60).padded(to: 2)
    }
}
