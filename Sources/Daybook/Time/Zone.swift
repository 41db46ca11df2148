/// A time zone of the IANA database, or a fixed offset.
///
/// A zone is made from bytes that the caller has read, so that the caller, and not the machine,
/// chooses the release of the database. Copies share their tables.
public struct Zone: Hashable, Sendable {
    /// An IANA name like `Europe/Berlin`, an offset like `+09:00`, or `UTC`.
    public let name: String
    /// Seconds since 1970 at which the offset changes, ascending.
    private let transitions: [Int64]
    /// Seconds east of UTC before the first transition, and from each transition on.
    private let offsets: [Int32]
    /// Rule after the last transition, and for all time if there is no transition.
    private let rule: ZoneRule?

    /// UTC, as a fixed offset.
    public static let utc = Zone(name: "UTC", fixedS: 0)

    /// Creates a zone from the tables of the tz database.
    init(name: String, transitions: [Int64], offsets: [Int32], rule: ZoneRule?) {
        precondition(offsets.count == transitions.count + 1)
        self.name = name
        self.transitions = transitions
        self.offsets = offsets
        self.rule = rule
    }

    /// Creates a fixed offset in seconds east of UTC.
    private init(name: String, fixedS: Int32) {
        self.init(name: name, transitions: [], offsets: [fixedS], rule: nil)
    }

    /// Creates a fixed offset from a text: `+09:00`, `-03:30`, up to 14 hours; also `Z` and `UTC`.
    ///
    /// `nil` for any other text.
    ///
    /// Source: `tz_offset` in S4, a document that `docs/sources.md` describes.
    public init?(fixedOffset text: String) {
        if text == "Z" || text == "UTC" {
            self = .utc
            return
        }
        let bytes = Array(text.utf8)
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"),
            bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-")
        else { return nil }
        let digits = [1, 2, 4, 5].map { Int32(bytes[$0]) - 48 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        let seconds = hour * 3_600 + minute * 60
        guard minute < 60, seconds <= 14 * 3_600 else { return nil }
        self.init(name: text, fixedS: bytes[0] == UInt8(ascii: "-") ? -seconds : seconds)
    }

    /// Returns the offset at a moment, in seconds east of UTC.
    public func offsetS(at instant: Instant) -> Int { Int(stretch(at: instant.second).offsetS) }

    /// Returns a span of time that contains a second and has one offset.
    ///
    /// The next span may have the same offset.
    ///
    /// - Complexity: O(log *n*) within the transitions, O(1) after the last one.
    func stretch(at second: Int64) -> Stretch {
        let index = transitionCount(upTo: second)
        if index < transitions.count {
            return Stretch(offsetS: Int64(offsets[index]), end: transitions[index])
        }
        return rule?.stretch(at: second) ?? Stretch(offsetS: Int64(offsets[index]), end: .max)
    }

    /// Returns the number of transitions at or before a second.
    private func transitionCount(upTo second: Int64) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// A span of time in a zone with one offset from UTC.
struct Stretch {
    /// Seconds east of UTC, within `offsets`.
    let offsetS: Int64
    /// First second after the span, or `.max`. The next span may have the same offset.
    let end: Int64

    /// The valid offsets: less than 25 hours west and less than 26 hours east, as in RFC 8536.
    static let offsets: ClosedRange<Int64> = -89_999...93_599
}

extension Instant {
    /// Whole seconds since 1970, rounded down.
    public var second: Int64 {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest < 0 ? seconds - 1 : seconds
    }

    /// Creates a moment from seconds since 1970, clamped to the range of `Instant`.
    init(second: Int64) {
        let (microseconds, overflow) = second.multipliedReportingOverflow(by: 1_000_000)
        self.init(microseconds: overflow ? (second < 0 ? .min : .max) : microseconds)
    }
}
