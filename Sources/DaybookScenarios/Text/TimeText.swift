import Daybook

/// Parses the times and time spans of a scenario.
enum TimeText {
    /// A description of the form of a span, for error messages.
    static let expectedSpan = "a span like 500ms, 2s, 5min, 1h or 1d"

    /// Parses a span such as `20min`, a whole number with a unit, and returns it in microseconds.
    static func span(_ tree: Tree, _ field: String) throws(InputError) -> Int64 {
        guard case .text(let text) = tree.content, let span = span(text) else {
            throw .expected(expectedSpan, tree, field)
        }
        return span
    }

    /// Parses a point in time: an RFC 3339 text, or `+` and the span after `start`; returns the
    /// time, and its UTC offset in seconds if the text states one.
    static func moment(
        _ tree: Tree, _ field: String, after start: Instant
    ) throws(InputError) -> (instant: Instant, offsetS: Int32?) {
        let text = try tree.text(field)
        if text.first == "+", let span = span(text.dropFirst()) {
            return (start.advanced(byMicroseconds: span), nil)
        }
        guard let time = Timestamp.parse(text) else {
            throw .expected(
                "a time like 2026-07-01T09:00:00Z, or a span after the clock's start like +2s, "
                    + "+20min, +1h or +1d",
                tree, field)
        }
        return (time.instant, Timestamp.namesOffset(text) ? Int32(time.offsetS) : nil)
    }

    /// Returns the microseconds of a span; `nil` if the text is not a span.
    private static func span(_ text: some StringProtocol) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit: Int64
        switch text.dropFirst(digits.count) {
        case "ms": unit = 1_000
        case "s": unit = 1_000_000
        case "min": unit = 60_000_000
        case "h": unit = 3_600_000_000
        case "d": unit = 86_400_000_000
        default: return nil
        }
        guard let count = Int64(digits) else { return nil }
        let (span, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? nil : span
    }
}
