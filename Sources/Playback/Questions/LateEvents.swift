public import CivilTime
public import EventSourcing

/// Which events changed an answer after it had been given.
public struct LateEvents: Sendable {
    /// One of them.
    public struct Change: Sendable {
        public var event: RecordedEvent
        /// From what was said before it to what would be said after it.
        public var changes: [FieldChange]
    }

    /// In the order of the log.
    public private(set) var changes: [Change] = []
    /// From what was said to what would be said now.
    public let total: [FieldChange]

    /// Makes an answer again after each event that came since.
    ///
    /// - Parameters:
    ///   - events: what it may depend on, in the order of the log, in their newest layouts.
    ///   - zones: the tz database; `nil` where none is at hand.
    public init(
        of answer: IssuedAnswer, _ events: [RecordedEvent], zones: ZoneSource?
    ) throws(ReportError) {
        let known = events.prefix { $0.position <= answer.position }
        let first = try Self.leaves(of: answer, Array(known), zones)
        var before = first
        var seen = Array(known)
        for event in events.dropFirst(known.count) {
            seen.append(event)
            let after = try Self.leaves(of: answer, seen, zones)
            let differing = FieldChange.between(before, after)
            if !differing.isEmpty { changes.append(Change(event: event, changes: differing)) }
            before = after
        }
        total = FieldChange.between(first, before)
    }

    private static func leaves(
        of answer: IssuedAnswer, _ events: [RecordedEvent], _ zones: ZoneSource?
    ) throws(ReportError) -> [FlatFields.Leaf] {
        try answer.make(
            events,
            ReportContext(
                rules: answer.rules, zones: zones, position: answer.position,
                knownAt: events.last?.envelope.recordedAt ?? Instant(microseconds: 0)))
    }
}
