package import Daybook
package import DaybookLog

/// The line that people read first about an event: its time, its sentence, and who caused it.
package struct EventHeadline: Sendable {
    /// The time to the millisecond: `2026-03-03 14:00:05 +09:00`.
    package let time: String
    /// The meaning of the event, by the same clock as `time`.
    package let sentence: String
    /// The user in the payload and the actor of the commit, once if they are the same; may be empty.
    package let who: String

    /// The sentence and, after a point, who caused the event: `formula 180 ml · grandma`.
    package var text: String { who.isEmpty ? sentence : "\(sentence) · \(who)" }

    /// Creates the headline of an event, in the newest schema version of its kind.
    ///
    /// - Parameters:
    ///   - zone: the zone in which times are shown; `nil` means the clock of the event's device.
    ///   - personalText: returns a personal text of the event by its index; `nil` if it is erased.
    package init(
        _ event: RecordedEvent, _ commit: RecordedCommit?, in catalogue: Catalogue,
        zone: Zone? = nil, _ personalText: (UInt32) throws(LogError) -> String?
    ) throws(LogError) {
        let envelope = event.envelope
        time = Self.time(envelope.occurredAt, offsetS: envelope.offsetS, zone)
        let newest = try folding { () throws(FoldError) in try catalogue.upcast(event) }
        var names = [commit.map { $0.isActorErased ? "erased" : $0.metadata.actor } ?? ""]
        if let known = catalogue.events[newest.kind] {
            let wording = Wording(
                occurredAt: envelope.occurredAt, offsetS: envelope.offsetS, zone: zone)
            let said = try Self.sentence(of: newest, known, wording, personalText)
            sentence = said.text
            if let by = said.by { names.insert(by.name ?? "erased", at: 0) }
        } else {
            sentence = "\(event.kind) (this program does not know the kind)"
        }
        var shown: [String] = []
        for name in names where !name.isEmpty && !shown.contains(name) { shown.append(name) }
        who = shown.joined(separator: " · ")
    }

    private static func sentence(
        of event: RecordedEvent, _ known: EventDescription, _ wording: Wording,
        _ personalText: (UInt32) throws(LogError) -> String?
    ) throws(LogError) -> EventSentence {
        var failure: LogError?
        let sentence: EventSentence
        do throws(CorruptPayload) {
            sentence = try known.sentence(of: event.payload, wording) { field in
                do throws(LogError) { return try personalText(field) } catch {
                    failure = error
                    return nil
                }
            }
        } catch { throw .fold(.corrupt(event.position, event.kind, error)) }
        if let failure { throw failure }
        return sentence
    }

    /// Returns a time to the millisecond in a zone or, without one, at an offset from UTC.
    package static func time(_ moment: Instant, offsetS: Int32, _ zone: Zone?) -> String {
        let millisecond = moment.floored(toMicroseconds: 1_000)
        let text =
            zone.map { Timestamp.text(millisecond, in: $0) }
            ?? Timestamp.text(millisecond, offsetS: Int(offsetS))
        guard let t = text.firstIndex(of: "T") else { return text }
        let clock = text[text.index(after: t)...]
        let end = clock.firstIndex { "Z+-".contains($0) } ?? clock.endIndex
        return "\(text[..<t]) \(clock[..<end])" + (clock[end...] == "Z" ? "Z" : " \(clock[end...])")
    }
}
