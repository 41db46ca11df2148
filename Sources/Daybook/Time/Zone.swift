/// A time zone of the IANA database, or a fixed offset.
///
/// A zone is created from bytes that the caller has read, so that the caller, and not the machine,
/// chooses the release of the database.
public struct Zone: Hashable, Sendable {
    /// An IANA name like `Europe/Berlin`, an offset like `+09:00`, or `UTC`.
    public let name: String
    /// The times at which the offset changes, in seconds since 1970, ascending.
    private let transitions: [Int64]
    /// The offset before the first transition, and that from each transition on, in seconds east of
    /// UTC.
    private let offsets: [Int32]
    /// The rule for times after the last transition; `nil` if the last offset applies.
    private let rule: ZoneRule?

    /// The zone with the fixed offset 0.
    public static let utc = Zone(name: "UTC", fixedS: 0)

    /// Creates a zone from its tables in the tz database.
    init(name: String, transitions: [Int64], offsets: [Int32], rule: ZoneRule?) {
        precondition(offsets.count == transitions.count + 1)
        self.name = name
        self.transitions = transitions
        self.offsets = offsets
        self.rule = rule
    }

    /// Creates a zone with a fixed offset in seconds east of UTC.
    private init(name: String, fixedS: Int32) {
        self.init(name: name, transitions: [], offsets: [fixedS], rule: nil)
    }

    /// Creates a zone with the fixed offset that a text names: `+09:00`, `-03:30`, `Z` or `UTC`.
    ///
    /// The result is `nil` for any other text, and for an offset of more than 14 hours.
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

    /// Returns the zone's offset at a point in time, in seconds east of UTC.
    public func offsetS(at instant: Instant) -> Int { Int(stretch(at: instant.second).offsetS) }

    /// Returns a span of time, around a second since 1970, that has one offset from UTC.
    ///
    /// The span after it may have the same offset. Takes O(log *n*) steps for *n* transitions.
    func stretch(at second: Int64) -> Stretch {
        let index = transitionCount(upTo: second)
        if index < transitions.count {
            return Stretch(offsetS: Int64(offsets[index]), end: transitions[index])
        }
        return rule?.stretch(at: second) ?? Stretch(offsetS: Int64(offsets[index]), end: .max)
    }

    /// Returns the offsets of the zone in a span of time, each with the second of the span from
    /// which it applies, all in seconds.
    package func offsets(in seconds: ClosedRange<Int64>) -> [(start: Int64, offsetS: Int64)] {
        var offsets: [(start: Int64, offsetS: Int64)] = []
        var second = seconds.lowerBound
        while true {
            let stretch = stretch(at: second)
            if offsets.last?.offsetS != stretch.offsetS {
                offsets.append((second, stretch.offsetS))
            }
            guard stretch.end <= seconds.upperBound else { return offsets }
            second = stretch.end
        }
    }

    /// Returns the number of transitions at or before a second, given in seconds since 1970.
    private func transitionCount(upTo second: Int64) -> Int {
        transitions.indices.partitionIndex { transitions[$0] > second }
    }
}

/// A span of time in which a zone has one offset from UTC.
struct Stretch {
    /// The offset in seconds east of UTC, within `offsets`.
    let offsetS: Int64
    /// The first second after the span, in seconds since 1970; `.max` if the span has no end.
    let end: Int64

    /// The offsets that RFC 8536 allows: less than 25 hours west and less than 26 hours east.
    static let offsets: ClosedRange<Int64> = -89_999...93_599
}

extension Instant {
    /// The whole seconds since 1970, rounded down.
    public var second: Int64 {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest < 0 ? seconds - 1 : seconds
    }

    /// Creates a point in time from seconds since 1970, clamped to the range of `Instant`.
    init(second: Int64) {
        let (microseconds, overflow) = second.multipliedReportingOverflow(by: 1_000_000)
        self.init(microseconds: overflow ? (second < 0 ? .min : .max) : microseconds)
    }
}
