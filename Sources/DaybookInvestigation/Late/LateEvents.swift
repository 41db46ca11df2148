public import Daybook

/// The events that changed the answer of a report after its publication.
public struct LateEvents: Sendable {
    /// An event that changed the answer.
    public struct Change: Sendable {
        /// The event that changed the answer.
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
    ///   - events: the events that the answer may depend on, in the order of the log, in their
    ///     newest schema versions.
    ///   - names: the later events that gave the report's entity the id by which it was named, which
    ///     hold for all time.
    ///   - zones: the tz database; `nil` if none is available.
    ///   - knownAt: the time at which the last event from which the published answer was computed
    ///     was recorded. All answers are computed as of this time, so that the passing of time
    ///     changes no answer.
    ///   - digest: computes the digest of a text in the form in which events contain digests.
    package init(
        of publication: Publication, _ events: [RecordedEvent], names: [RecordedEvent] = [],
        zones: ZoneSource?,
        knownAt: Instant, digest: (String) -> UInt64
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
