/// The words in which an event's sentence gives its values: a reader's clock, and people's units.
///
///     func sentence(_ wording: Wording) -> String {
///         "borrowed until \(wording.time(due))"
///     }
public struct Wording: Sendable {
    /// The time of the event.
    private let occurredAt: Instant
    /// The offset of the device's clock from UTC, in seconds east.
    private let offsetS: Int32
    /// The zone in which times are shown; `nil` means the clock of the device.
    private let zone: Zone?

    /// Creates the words for an event that happened at a time, by a device's clock or in a zone.
    public init(occurredAt: Instant, offsetS: Int32 = 0, zone: Zone? = nil) {
        self.occurredAt = occurredAt
        self.offsetS = offsetS
        self.zone = zone
    }

    /// Returns a point in time: `20:35` on the day of the event, else `2026-03-02 20:35`.
    public func time(_ instant: Instant) -> String {
        isToday(instant) ? clock(instant) : dated(instant)
    }

    /// Returns a point in time, or `nil` if it lies in the minute of the event.
    public func otherTime(_ instant: Instant) -> String? {
        let minuteUs: Int64 = 60_000_000
        let minutes = [instant, occurredAt].map { $0.floored(toMicroseconds: minuteUs) }
        return minutes[0] == minutes[1] ? nil : time(instant)
    }

    /// Returns a stretch of time: `20:35–05:45`.
    ///
    /// Without dates it is the stretch within the day of the event or, if it crosses midnight, the
    /// last one that had begun by the time of the event. Any other has dates.
    public func stretch(_ start: Instant, _ end: Instant) -> String {
        guard start != end else { return time(start) }
        let wallS = local(end).secondsAsUTC - local(start).secondsAsUTC
        guard end > start, (0..<86_400).contains(wallS) else {
            return time(start) + "–" + dated(end)
        }
        let sinceStartS = local(occurredAt).secondsAsUTC - local(start).secondsAsUTC
        let isBare = isToday(start) && isToday(end) || (0..<86_400).contains(sinceStartS)
        return (isBare ? clock(start) : dated(start)) + "–" + clock(end)
    }

    /// Returns a text as a quotation on one line, cut to 100 characters; `nil` for an empty text.
    public func quoted(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return "\"\(text.onOneLine.clipped(to: 100))\""
    }

    /// Returns a personal text as a quotation, or `(erased)`; `nil` without a text.
    public func quoted(_ text: PersonalText?) -> String? {
        guard let text else { return nil }
        return text.text == nil ? Self.erased : quoted(text.text)
    }

    /// Returns a text as a quotation, or `(erased)`; `nil` without a text.
    public func quoted(_ text: SealableText?) -> String? {
        guard let text else { return nil }
        return text.text == nil ? Self.erased : quoted(text.text)
    }

    /// Returns a user's name, or `(erased)`; `nil` without one.
    public func name(_ author: Author?) -> String? {
        author.map { $0.name?.onOneLine.clipped(to: 60) ?? Self.erased }
    }

    /// Returns a personal text that is a name, without quotation marks; `nil` without one.
    public func name(_ text: PersonalText?) -> String? {
        text.map { $0.text?.onOneLine.clipped(to: 60) ?? Self.erased }
    }

    /// Returns the value of a field in the unit that its name ends in: `1 h 30 min` for `lengthS`.
    ///
    /// - Parameter currency: the ISO 4217 code of the currency of a field in `Minor`.
    public func value(_ value: Int64, of field: String, currency: String = "") -> String {
        FieldUnit.split(field).unit?.text(value, currency: currency) ?? "\(value)"
    }

    /// Returns the case of an enum in words: `no speech` for `noSpeech`.
    public func words(_ value: some StoredEnum) -> String { value.name.inWords }

    /// The word in place of an erased text.
    static let erased = "(erased)"

    private func local(_ instant: Instant) -> LocalTime {
        zone?.local(at: instant) ?? LocalTime(asUTC: instant.second + Int64(offsetS))
    }

    private func isToday(_ instant: Instant) -> Bool {
        local(instant).date == local(occurredAt).date
    }

    /// Returns the time of day, with the offset from UTC if the clocks show the time twice.
    private func clock(_ instant: Instant) -> String {
        let local = local(instant)
        let text = String(local.text.dropFirst(local.date.text.count + 1).prefix(5))
        guard let zone, zone.instants(of: local).count > 1 else { return text }
        return text + " " + Timestamp.offset(zone.offsetS(at: instant))
    }

    private func dated(_ instant: Instant) -> String {
        local(instant).date.text + " " + clock(instant)
    }
}

extension Wording {
    /// Returns ` at 14:00` for a time that is not in the minute of the event; else an empty text.
    package func at(_ instant: Instant?) -> String {
        instant.flatMap(otherTime).map { " at \($0)" } ?? ""
    }

    /// Returns the parts that are not empty, separated by commas.
    package func list(_ parts: String?...) -> String { list(parts) }

    /// Returns the parts that are not empty, separated by commas.
    package func list(_ parts: [String?]) -> String {
        parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Returns a beginning, followed by the parts that are not empty, as `beginning: part, part`.
    package func list(after beginning: String, _ parts: String?...) -> String {
        list(after: beginning, parts)
    }

    /// Returns a beginning, followed by the parts that are not empty, as `beginning: part, part`.
    package func list(after beginning: String, _ parts: [String?]) -> String {
        let list = list(parts)
        return list.isEmpty ? beginning : "\(beginning): \(list)"
    }
}

/// The sentence of an event, and the user who caused it.
@usableFromInline
package struct EventSentence: Equatable, Sendable {
    /// The meaning of the event, on one line.
    public let text: String
    /// The user in the payload's field `by`; `nil` without this field.
    public let by: Author?
}

extension EventPayload {
    public func sentence(_ wording: Wording) -> String { PayloadFields.sentence(of: self, wording) }

    /// Returns the sentence on one line, cut if it is too long, and the user in `by`.
    @usableFromInline func spoken(_ wording: Wording) -> EventSentence {
        var payload = self
        var reader = AuthorReader()
        payload.fields(&reader)
        return EventSentence(
            text: sentence(wording).onOneLine.clipped(to: SentenceCheck.longestCount),
            by: reader.by)
    }
}
