import Daybook
import DaybookLog
import DaybookScenarios

/// Prints events with what their commits say.
final class EventPrinter {
    let log: EventLog
    /// The position with the most digits, which all are aligned to.
    var widest = Position.origin
    private let catalogue: Catalogue
    private let json: Bool
    private let zone: Zone?
    private let payload: Bool

    /// - Parameter zone: that times are shown in; by default where each event happened.
    init(log: EventLog, catalogue: Catalogue, json: Bool, zone: Zone?, payload: Bool) {
        self.log = log
        self.catalogue = catalogue
        self.json = json
        self.zone = zone
        self.payload = payload
    }

    /// Prints an event.
    ///
    /// - Parameter personalText: returns a personal text by its index in the event; `nil` for an
    ///   erased one.
    func print(
        _ event: RecordedEvent, _ commit: RecordedCommit,
        _ personalText: (UInt32) throws(LogError) -> String?
    ) throws(LogError) {
        let payload = try payload(of: event, personalText)
        if json { return Output.answer(LogAnswer(event, payload, commit)) }
        Output.line(text(of: event, payload, commit), into: Terminal.width)
        guard self.payload else { return }
        let shown = payload.map { written($0, event) }
        Output.line("    \(shown ?? "(a kind this program does not know)")")
    }

    /// The payload for people: moments are times.
    private func written(_ payload: String, _ event: RecordedEvent) -> String {
        guard let known = catalogue.events[event.kind],
            let tree = try? JSONParser.parse(payload.utf8)
        else { return payload }
        return tree.writingMoments(of: known.fields).json
    }

    /// The payload as JSON; `nil` for a kind the program does not know.
    private func payload(
        of event: RecordedEvent, _ personalText: (UInt32) throws(LogError) -> String?
    ) throws(LogError) -> String? {
        guard let known = catalogue.events[event.kind] else { return nil }
        var failure: LogError?
        let text: String
        do throws(CorruptPayload) {
            text = try known.answer(event.payload) { field in
                do throws(LogError) {
                    return try personalText(field)
                } catch {
                    failure = error
                    return nil
                }
            }
        } catch {
            throw .fold(.corrupt(event.position, event.kind, error))
        }
        if let failure { throw failure }
        return text
    }

    /// One line: position, time, kind, tags, author, and the fields that the tags do not show.
    private func text(
        of event: RecordedEvent, _ payload: String?, _ commit: RecordedCommit
    ) -> StyledText {
        let position = "\(event.position)"
        let digits = "\(widest)".count
        let padding = String(repeating: " ", count: max(0, digits - position.count))
        let actor = commit.metadata.actor
        let isErased = commit.isActorErased
        var parts = [tags(of: event)]
        if isErased { parts.append("by somebody erased") }
        if !isErased, !actor.isEmpty { parts.append("by \(actor)") }
        if !self.payload { parts.append(summary(of: event, payload)) }
        let rest = parts.filter { !$0.isEmpty }.map { "  " + $0 }.joined()
        return StyledText(padding + position, .reference)
            + "  \(time(event.envelope.occurredAt, event))  "
            + StyledText(event.kind.name, .heading) + rest
    }

    /// The entities of the event; with the payload all tags, also those made of several ids.
    private func tags(of event: RecordedEvent) -> String {
        let plain = event.tags.filter { !$0.id.contains { "/:".contains($0) } }
        let tags = payload || plain.isEmpty ? event.tags : plain
        return tags.map(\.text).joined(separator: " ")
    }

    /// `2026-03-03 14:00:05 +09:00`, to the millisecond.
    private func time(_ moment: Instant, _ event: RecordedEvent) -> String {
        let millisecond = moment.floored(toMicroseconds: 1_000)
        let text =
            zone.map { Timestamp.text(millisecond, in: $0) }
            ?? Timestamp.text(millisecond, offsetS: Int(event.envelope.offsetS))
        guard let t = text.firstIndex(of: "T") else { return text }
        let clock = text[text.index(after: t)...]
        let end = clock.firstIndex { "Z+-".contains($0) } ?? clock.endIndex
        return "\(text[..<t]) \(clock[..<end])" + (clock[end...] == "Z" ? "Z" : " \(clock[end...])")
    }

    private func summary(of event: RecordedEvent, _ payload: String?) -> String {
        guard let payload, let known = catalogue.events[event.kind] else {
            return "(a kind this program does not know)"
        }
        guard let tree = try? JSONParser.parse(payload.utf8) else { return "" }
        let summary = PayloadSummary(
            fields: known.fields, ids: Set(event.tags.map { String($0.id) })
        ) { self.time($0, event) }
        return summary.text(tree)
    }
}

/// The fields of a payload in a few words: `kind: sleep, start: 2026-03-03 14:00:05 +09:00`.
private struct PayloadSummary {
    let fields: [FieldDescription]
    /// Values that the line shows already.
    let ids: Set<String>
    let time: (Instant) -> String

    func text(_ tree: Tree) -> String {
        var parts: [String] = []
        add(tree, at: "", to: &parts)
        return parts.joined(separator: ", ")
    }

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
            if fields.hasMoment(at: path) { value = time(Instant(microseconds: number)) }
        case .text(let text):
            guard !text.isEmpty, !ids.contains(text) else { return }
            value = text
        }
        parts.append("\(path): \(value)")
    }
}

struct LogAnswer: Answer {
    static let name = "log"
    static let summary = "An event."

    var event = EventPart()
    var zone: String?
    var offsetS: Int64 = 0
    var tags: [String] = []
    var commit = CommitPart()
    var correlation: String?
    var causation: Position?
    var keyDigest: String?
    /// Left out of an event whose kind the program does not know.
    var payload: JSONText?
    var payloadHex: String?

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try event.fields(&field)
        try field.optionalField("zone", &zone)
        try field("offsetS", &offsetS, "tags", &tags)
        try commit.fields(&field)
        try field.optionalField("correlation", &correlation)
        try field("causation", &causation, "keyDigest", &keyDigest)
        try field.optionalField("payload", &payload)
        try field.optionalField("payloadHex", &payloadHex)
    }
}

extension LogAnswer {
    /// - Parameter payload: JSON; `nil` for a kind that the program does not know.
    init(_ event: RecordedEvent, _ payload: String?, _ commit: RecordedCommit?) {
        self.event = EventPart(event)
        if !event.zone.isEmpty { zone = event.zone }
        offsetS = Int64(event.envelope.offsetS)
        tags = event.tags.map(\.text)
        self.commit = CommitPart(commit)
        if let text = commit?.metadata.correlation, !text.isEmpty { correlation = text }
        causation = commit?.metadata.causation
        let key = commit?.keyDigest ?? []
        if !key.allSatisfy({ $0 == 0 }) { keyDigest = Hexadecimal.text(key) }
        self.payload = payload.map { JSONText($0) }
        if payload == nil { payloadHex = Hexadecimal.text(event.payload) }
    }
}
