import Daybook
import DaybookLog

/// Printer of events with their commits, as lines for people or as JSON.
struct EventPrinter: Sendable {
    let log: EventLog
    /// Largest position to be printed; shorter positions are padded to its width.
    var widestPosition = Position.origin
    private let catalogue: Catalogue
    private let printsJSON: Bool
    /// Zone in which times are shown; `nil` means the zone of each event.
    private let zone: Zone?
    /// True to print each payload on a separate line.
    private let showsPayload: Bool
    /// True to add the head of each commit to the JSON of its last event.
    private let showsChain: Bool

    init(
        log: EventLog, catalogue: Catalogue, json: Bool, zone: Zone?, payload: Bool,
        chain: Bool = false
    ) {
        self.log = log
        self.catalogue = catalogue
        printsJSON = json
        self.zone = zone
        showsPayload = payload
        showsChain = chain
    }

    /// Adds the lines of an event, with hidden characters escaped; `personalText` returns a text of
    /// the event, `nil` if it is erased.
    func add(
        _ event: RecordedEvent, _ commit: RecordedCommit, to lines: inout AnswerLines,
        _ personalText: (UInt32) throws(LogError) -> String?
    ) throws(LogError) {
        let known = catalogue.events[event.kind]
        if printsJSON {
            var answer = LogAnswer(event, isKnown: known != nil, commit)
            if showsChain, commit.last == event.position { answer.head = "\(commit.head)" }
            return try lines.add { (writer) throws(LogError) in
                writer.beginObject()
                answer.fields(&writer)
                if let known {
                    writer.name(LogAnswer.payloadName)
                    try write(event, known, personalText, to: &writer)
                }
                writer.endObject()
            }
        }
        let payload = try known.map { (known) throws(LogError) in
            var writer = JSONWriter(answer: true)
            try write(event, known, personalText, to: &writer)
            return writer.text
        }
        lines.add(line: text(of: event, payload, commit).rendered(into: Terminal.width))
        guard showsPayload else { return }
        let shown = payload.map { readablePayload($0, event) }
        lines.add(line: "    \(shown ?? "(this program does not know the kind)")".visible)
    }

    /// Returns a payload as JSON for people, in which points in time are readable times.
    private func readablePayload(_ payload: String, _ event: RecordedEvent) -> String {
        guard let known = catalogue.events[event.kind],
            let tree = try? JSONParser.parse(payload.utf8)
        else { return payload }
        return tree.writingMoments(of: known.fields).json
    }

    /// Writes the payload of an event, whose kind is `known`.
    private func write(
        _ event: RecordedEvent, _ known: EventDescription,
        _ personalText: (UInt32) throws(LogError) -> String?, to writer: inout JSONWriter
    ) throws(LogError) {
        var failure: LogError?
        do throws(CorruptPayload) {
            try unsafe known.write(
                event.payload.contents.bytes,
                { field in
                    do throws(LogError) { return try personalText(field) } catch {
                        failure = error
                        return nil
                    }
                }, to: &writer)
        } catch { throw .fold(.corrupt(event.position, event.kind, error)) }
        if let failure { throw failure }
    }

    /// Returns one line: position, time, event kind, tags, actor and the fields that no tag shows.
    private func text(
        of event: RecordedEvent, _ payload: String?, _ commit: RecordedCommit
    ) -> StyledText {
        let position = "\(event.position)"
        let digits = "\(widestPosition)".count
        let padding = String(repeating: " ", count: max(0, digits - position.count))
        let actor = commit.metadata.actor
        let isErased = commit.isActorErased
        var parts = [tags(of: event)]
        if isErased { parts.append("by an erased actor") }
        if !isErased, !actor.isEmpty { parts.append("by \(actor)") }
        if !showsPayload { parts.append(summary(of: event, payload)) }
        let rest = parts.filter { !$0.isEmpty }.map { "  " + $0 }.joined()
        return StyledText(padding + position, .reference)
            + "  \(timeText(event.envelope.occurredAt, event))  "
            + StyledText(event.kind.name, .heading) + rest
    }

    /// Returns the tags of the event. If the payload is not printed, tags whose ids contain `/` or
    /// `:` are omitted, unless the event has no other tags.
    private func tags(of event: RecordedEvent) -> String {
        let plain = event.tags.filter { !$0.id.contains { "/:".contains($0) } }
        let tags = showsPayload || plain.isEmpty ? event.tags : plain
        return tags.map(\.text).joined(separator: " ")
    }

    /// Returns a time to the millisecond: `2026-03-03 14:00:05 +09:00`.
    private func timeText(_ moment: Instant, _ event: RecordedEvent) -> String {
        let millisecond = moment.floored(toMicroseconds: 1_000)
        let text =
            zone.map { Timestamp.text(millisecond, in: $0) }
            ?? Timestamp.text(millisecond, offsetS: Int(event.envelope.offsetS))
        guard let t = text.firstIndex(of: "T") else { return text }
        let clock = text[text.index(after: t)...]
        let end = clock.firstIndex { "Z+-".contains($0) } ?? clock.endIndex
        return "\(text[..<t]) \(clock[..<end])" + (clock[end...] == "Z" ? "Z" : " \(clock[end...])")
    }

    /// Returns a short form of the payload; empty if it cannot be parsed.
    private func summary(of event: RecordedEvent, _ payload: String?) -> String {
        guard let payload, let known = catalogue.events[event.kind] else {
            return "(this program does not know the kind)"
        }
        guard let tree = try? JSONParser.parse(payload.utf8) else { return "" }
        let summary = PayloadSummary(
            fields: known.fields, ids: Set(event.tags.map { String($0.id) })
        ) { self.timeText($0, event) }
        return summary.text(tree)
    }
}

/// Short form of a payload: `kind: sleep, start: 2026-03-03 14:00:05 +09:00`.
private struct PayloadSummary {
    /// Descriptions of the payload's fields, which tell the fields that are points in time.
    let fields: [FieldDescription]
    /// Ids in the tags, which the line shows already.
    let ids: Set<String>
    let timeText: (Instant) -> String

    /// Returns the values of a payload with their paths, separated by commas.
    func text(_ tree: Tree) -> String {
        var parts: [String] = []
        add(tree, at: "", to: &parts)
        return parts.joined(separator: ", ")
    }

    /// Adds the values of `tree`, the part of the payload at `path`, to `parts`; omits empty values
    /// and the ids of tags.
    private func add(_ tree: Tree, at path: String, to parts: inout [String]) {
        var value: String
        switch tree.content {
        case .null: return
        case .map(let members):
            for member in members {
                add(
                    member.value, at: path.isEmpty ? member.key : "\(path).\(member.key)",
                    to: &parts)
            }
            return
        case .list(let elements):
            if elements.isEmpty { return }
            let texts = elements.compactMap { element -> String? in
                if case .text(let text) = element.content { return text }
                return nil
            }
            value =
                texts.count == elements.count
                ? texts.joined(separator: " ") : elements.count.counted("element")
        case .boolean(let isSet): value = "\(isSet)"
        case .number(let text): value = text
        case .integer(let number):
            value = "\(number)"
            if fields.hasMoment(at: path) { value = timeText(Instant(microseconds: number)) }
        case .text(let text):
            guard !text.isEmpty, !ids.contains(text) else { return }
            value = text
        }
        parts.append("\(path): \(value)")
    }
}
