import Daybook
import DaybookLog

struct LogAnswer: Answer {
    static let name = "log"
    static let summary = "An event."
    static let payloadName = "payload"

    var event = EventPart()
    /// Time zone of the device; `nil`, and left out, if the event has none.
    var zone: String?
    /// Offset of the device's clock from UTC, in seconds.
    var offsetS: Int64 = 0
    var tags: [String] = []
    var commit = CommitPart()
    var correlation: String?
    var causation: Position?
    /// Digest of the commit's idempotency key, in hexadecimal; `nil` without a key.
    var keyDigest: String?
    /// Head of the commit, on its last event with `--chain`.
    var head: String?
    /// Payload of the event, which `EventPrinter` writes after the other fields; left out if the
    /// program does not know the event kind.
    var payload: JSONText?
    /// Payload in hexadecimal, if the program does not know the event kind.
    var payloadHex: String?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try event.fields(&field)
        try field.optionalField("zone", &zone)
        try field("offsetS", &offsetS, "tags", &tags)
        try commit.fields(&field)
        try field.optionalField("correlation", &correlation)
        try field("causation", &causation, "keyDigest", &keyDigest)
        try field.optionalField("headAtPosition", &head)
        try field.optionalField(Self.payloadName, &payload)
        try field.optionalField("payloadHex", &payloadHex)
    }
}

extension LogAnswer {
    /// Creates the answer without a payload that the program knows.
    init(_ event: RecordedEvent, isKnown: Bool, _ commit: RecordedCommit?) {
        self.event = EventPart(event)
        if !event.zone.isEmpty { zone = event.zone }
        offsetS = Int64(event.envelope.offsetS)
        tags = event.tags.map(\.text)
        self.commit = CommitPart(commit)
        if let text = commit?.metadata.correlation, !text.isEmpty { correlation = text }
        causation = commit?.metadata.causation
        let key = commit?.keyDigest ?? []
        if !key.allSatisfy({ $0 == 0 }) { keyDigest = Hexadecimal.text(key) }
        if !isKnown { payloadHex = Hexadecimal.text(event.payload) }
    }
}

struct LogEndAnswer: Answer {
    static let name = "log.through"
    static let summary = "The last line with --through: the last position that was read."

    var through = Position.origin
    /// Head of the commit that ends at the position, if one does.
    var head: String?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("through", &through)
        try field.optionalField("headAtPosition", &head)
    }
}
