/// A time zone of the IANA database, or a fixed offset.
///
/// It is made from bytes that somebody else has read, so that which release of the database is
/// used is the caller's choice and never the machine's.
public struct Zone: Hashable, Sendable {
    public let name: String
    /// Seconds since 1970 at which the offset changes, ascending.
    let transitions: [Int64]
    /// Seconds east of UTC before the first transition, and from each one on.
    let offsets: [Int32]
    /// What holds behind the last transition.
    let rule: ZoneRule?

    /// Fixed at UTC.
    public static let utc = Zone(name: "UTC", transitions: [], offsets: [0], rule: nil)

    init(name: String, transitions: [Int64], offsets: [Int32], rule: ZoneRule?) {
        self.name = name
        self.transitions = transitions
        self.offsets = offsets
        self.rule = rule
    }

    /// An offset like `+09:00` or `-03:30`, up to 14 hours; `Z` and `UTC` too.
    ///
    /// Source: S4's `tz_offset`.
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
        self.init(
            name: text, transitions: [],
            offsets: [bytes[0] == UInt8(ascii: "-") ? -seconds : seconds], rule: nil)
    }

    /// Seconds east of UTC.
    public func offsetS(at instant: Instant) -> Int { Int(offset(atSecond: instant.second)) }

    /// What the clocks showed, fractions of a second cut off.
    public func local(at instant: Instant) -> LocalTime {
        let second = instant.second
        return LocalTime(asUTC: second + Int64(offset(atSecond: second)))
    }

    func offset(atSecond second: Int64) -> Int32 {
        guard let last = transitions.last, second >= last else {
            return offsets[index(of: second)]
        }
        return rule?.offset(atSecond: second) ?? offsets[offsets.count - 1]
    }

    /// How many transitions lie at or before a second.
    private func index(of second: Int64) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The moments a reading of the clock can mean.
    public func resolve(_ local: LocalTime) -> LocalResolution {
        let wall = local.asUTC
        // No offset is beyond a day, and no two changes lie within the two days around.
        let before = offset(atSecond: wall - 86_400)
        let after = offset(atSecond: wall + 86_400)
        let candidates = Set([before, after, offset(atSecond: wall - Int64(before))])
        let readings = candidates.map { wall - Int64($0) }
            .filter { $0 + Int64(offset(atSecond: $0)) == wall }.sorted()
        switch (readings.first, readings.last) {
        case (let first?, let last?) where first == last:
            return .unique(Instant(second: first))
        case (let first?, let last?):
            return .ambiguous(earlier: Instant(second: first), later: Instant(second: last))
        default:
            // In a gap: the offset before it moves forward, the one after it back.
            return .nonexistent(
                after: Instant(second: wall - Int64(min(before, after))),
                before: Instant(second: wall - Int64(max(before, after))))
        }
    }

    /// The first moment of a civil day that starts `startMin` minutes after midnight.
    ///
    /// The earlier reading of an ambiguous time; the first moment after the gap for one that the
    /// clocks skipped. A day that was skipped whole has no length.
    public func start(of date: CivilDate, startMin: Int = 0) -> Instant {
        let local = LocalTime(asUTC: Int64(date.daysSince1970) * 86_400 + Int64(startMin) * 60)
        switch resolve(local) {
        case .unique(let instant): return instant
        case .ambiguous(let earlier, _): return earlier
        case .nonexistent(let after, let before):
            return endOfGap(from: before.second, to: after.second)
        }
    }

    /// The second in a stretch from which the later offset holds.
    private func endOfGap(from: Int64, to: Int64) -> Instant {
        var (low, high) = (from, to)
        let later = offset(atSecond: high)
        while low < high {
            let middle = low + (high - low) / 2
            if offset(atSecond: middle) == later { high = middle } else { low = middle + 1 }
        }
        return Instant(second: high)
    }

    /// The civil day that a moment belongs to.
    public func day(at instant: Instant, startMin: Int = 0) -> CivilDate {
        var date = LocalTime(asUTC: local(at: instant).asUTC - Int64(startMin) * 60).date
        while start(of: date, startMin: startMin) > instant { date = date.adding(days: -1) }
        while start(of: date.adding(days: 1), startMin: startMin) <= instant {
            date = date.adding(days: 1)
        }
        return date
    }
}

extension Instant {
    /// Whole seconds since 1970, cut down.
    var second: Int64 {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest < 0 ? seconds - 1 : seconds
    }

    init(second: Int64) {
        let (microseconds, overflow) = second.multipliedReportingOverflow(by: 1_000_000)
        self.init(microseconds: overflow ? (second < 0 ? .min : .max) : microseconds)
    }
}
