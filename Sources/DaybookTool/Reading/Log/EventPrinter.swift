import Daybook
import DaybookInvestigation
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
    /// True to print the kind and the tags of each event.
    private let showsIds: Bool
    /// True to print each payload on a separate line.
    private let showsPayload: Bool
    /// True to add the head of each commit to the JSON of its last event.
    private let showsChain: Bool

    init(
        log: EventLog, catalogue: Catalogue, json: Bool, zone: Zone?, ids: Bool, payload: Bool,
        chain: Bool = false
    ) {
        self.log = log
        self.catalogue = catalogue
        printsJSON = json
        self.zone = zone
        showsIds = ids
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
        lines.add(line: try text(of: event, commit, personalText).rendered(into: Terminal.width))
        guard showsPayload else { return }
        let payload = try known.map { (known) throws(LogError) in
            var writer = JSONWriter(answer: true)
            try write(event, known, personalText, to: &writer)
            return readablePayload(writer.text, known)
        }
        lines.add(line: "    \(payload ?? "(this program does not know the kind)")".visible)
    }

    /// Returns a payload as JSON for people, in which points in time are readable times.
    private func readablePayload(_ payload: String, _ known: EventDescription) -> String {
        guard let tree = try? JSONParser.parse(payload.utf8) else { return payload }
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

    /// Returns one line: position, time, sentence and who caused the event; with `--ids` also its
    /// kind and tags.
    private func text(
        of event: RecordedEvent, _ commit: RecordedCommit,
        _ personalText: (UInt32) throws(LogError) -> String?
    ) throws(LogError) -> StyledText {
        let headline = try EventHeadline(event, commit, in: catalogue, zone: zone, personalText)
        let position = "\(event.position)"
        let digits = "\(widestPosition)".count
        let padding = String(repeating: " ", count: max(0, digits - position.count))
        let line =
            StyledText(padding + position, .reference) + "  \(headline.time)  \(headline.text)"
        guard showsIds else { return line }
        let tags = tags(of: event)
        return line + "  " + StyledText(event.kind.name, .heading)
            + (tags.isEmpty ? "" : "  " + tags)
    }

    /// Returns the tags of the event. If the payload is not printed, tags whose ids contain `/` or
    /// `:` are omitted, unless the event has no other tags.
    private func tags(of event: RecordedEvent) -> String {
        let plain = event.tags.filter { !$0.id.contains { "/:".contains($0) } }
        let tags = showsPayload || plain.isEmpty ? event.tags : plain
        return tags.map(\.text).joined(separator: " ")
    }
}
