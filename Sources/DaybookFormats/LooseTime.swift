import Daybook

/// A parser of times that almost have the form of RFC 3339, and only one meaning.
enum LooseTime {
    /// Parses a time with a blank for the `T`, an offset without a colon, or at `24:00:00`. The end
    /// of a day, 24:00:00, is the start of the next one.
    static func parse(_ text: String) -> (instant: Instant, offsetS: Int)? {
        let text = text.withTSeparator
        if let time = Timestamp.parse(text, offsets: .compactToo) { return time }
        let midnight = text.replacing("T24:00:00", with: "T00:00:00", maxReplacements: 1)
        guard midnight != text, let time = Timestamp.parse(midnight, offsets: .compactToo),
            (time.instant.microseconds &+ Int64(time.offsetS) &* 1_000_000) % Instant.dayUs == 0
        else { return nil }
        return (time.instant.advanced(byMicroseconds: Instant.dayUs), time.offsetS)
    }
}

extension String {
    /// This text with its first space replaced by `T`, so that `Timestamp` can parse the time.
    fileprivate var withTSeparator: String {
        guard let space = firstIndex(of: " ") else { return self }
        return self[..<space] + "T" + self[index(after: space)...]
    }
}
