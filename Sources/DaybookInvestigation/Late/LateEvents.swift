public import Daybook

/// The events that changed the answer of a report after its publication.
public struct LateEvents: Sendable {
    /// An event that changed the answer.
    public struct Change: Sendable {
        public var event: RecordedEvent
        /// Differences between the answers without and with this event.
        package var changes: [FieldChange]
    }

    /// The events that changed the answer, in the order of the log.
    public private(set) var changes: [Change] = []
    /// Differences between the published answer and the present answer.
    package let totalChanges: [FieldChange]

    /// Computes an answer again after each event since its publication.
    ///
    /// - Parameters:
    ///   - events: events that the answer may depend on, in order, in their newest schema versions.
    ///   - names: later events that gave the report's entity the id by which it was named.
    ///   - knownAt: time of all answers, at which the last event of the published one was recorded.
    package init(
        of publication: Publication, _ events: [RecordedEvent], names: [RecordedEvent] = [],
        zones: ZoneSource?, knownAt: Instant, digest: (String) -> UInt64
    ) throws(ReportError) {
        let count = events.prefix { $0.position <= publication.position }.count
        let known = events[..<count] + names
        let context = ReportContext(
            rules: publication.rules, zones: zones, position: publication.position, knownAt: knownAt
        )
        guard var variant = publication.variants.first else {
            totalChanges = []
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
        let renamed = Set(names.map(\.position))
        for event in events.dropFirst(count) where !renamed.contains(event.position) {
            seen.append(event)
            let after = try variant.make(seen, context)
            let (differing, keys) = before.changes(to: after)
            first.rename(keys)
            if !differing.isEmpty { changes.append(Change(event: event, changes: differing)) }
            before = after
        }
        totalChanges = first.changes(to: before).changes
    }
}
