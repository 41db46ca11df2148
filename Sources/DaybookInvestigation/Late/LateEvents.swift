public import Daybook

/// The events that changed an answer after it had been given.
public struct LateEvents: Sendable {
    /// One of them.
    public struct Change: Sendable {
        public var event: RecordedEvent
        /// Differences between the answers without and with this event.
        public var changes: [FieldChange]
    }

    /// In the order of the log.
    public private(set) var changes: [Change] = []
    /// Differences between the answer given and today's.
    public let total: [FieldChange]

    /// Makes an answer again after each event that came since.
    ///
    /// - Parameters:
    ///   - events: what it may depend on, in the order of the log, in their newest layouts.
    ///   - zones: the tz database; `nil` where none is at hand.
    ///   - knownAt: when the last event that it was made from was recorded; time that has passed
    ///     since changes nothing.
    ///   - digest: of a text, as events hold it.
    package init(
        of publication: Publication, _ events: [RecordedEvent], zones: ZoneSource?,
        knownAt: Instant, digest: (String) -> UInt64
    ) throws(ReportError) {
        let known = events.prefix { $0.position <= publication.position }
        let context = ReportContext(
            rules: publication.rules, zones: zones, position: publication.position, knownAt: knownAt
        )
        guard var variant = publication.variants.first else {
            total = []
            return
        }
        for other in publication.variants where publication.digest != nil {
            let text = try other.make(Array(known), context).text
            guard digest(text) == publication.digest?.bits else { continue }
            variant = other
            break
        }
        var first = try variant.make(Array(known), context)
        var before = first
        var seen = Array(known)
        for event in events.dropFirst(known.count) {
            seen.append(event)
            let after = try variant.make(seen, context)
            let (differing, keys) = before.changes(to: after)
            first.rename(keys)
            if !differing.isEmpty { changes.append(Change(event: event, changes: differing)) }
            before = after
        }
        total = first.changes(to: before).changes
    }
}
