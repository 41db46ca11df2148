import Daybook

/// A parser of times that almost have the form of RFC 3339, and only one meaning.
enum LooseTime {
    /// Parses a time with a blank for the `T`, an offset without a colon, or at `24:00:00`. The end
    /// of a day, 24:00:00, is the start of the next one.
    static func parse(_ text: String) -> (instant: Instant, offsetS: Int)? {
        var bytes = Array(text.utf8)
        // A time begins with a year of four digits; most other texts are told apart by it.
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"),
            bytes.prefix(4).allSatisfy({ (48...57).contains($0) })
        else { return nil }
        if let space = bytes.firstIndex(of: UInt8(ascii: " ")) { bytes[space] = UInt8(ascii: "T") }
        if let time = Timestamp.parse(String(decoding: bytes, as: UTF8.self), offsets: .compactToo)
        {
            return time
        }
        guard bytes[10..<19].elementsEqual("T24:00:00".utf8) else { return nil }
        bytes.replaceSubrange(11..<13, with: "00".utf8)
        let midnight = String(decoding: bytes, as: UTF8.self)
        guard let time = Timestamp.parse(midnight, offsets: .compactToo),
            (time.instant.microseconds &+ Int64(time.offsetS) &* 1_000_000) % Instant.dayUs == 0
        else { return nil }
        return (time.instant.advanced(byMicroseconds: Instant.dayUs), time.offsetS)
    }
}
