import Daybook
import DaybookLog

extension Answer {
    /// The answer as JSON on one line.
    var json: String { JSONWriter.answer(self) }
}

extension Output {
    static func answer(_ answer: some Answer) {
        var lines = AnswerLines()
        lines.add(answer)
        bytes(lines.bytes)
    }
}

/// A record within answers.
protocol AnswerPart: Record {
    /// Creates the record whose fields have their initial values.
    init()
}

extension AnswerPart { static var blank: Self { Self() } }

// Parts that several answers share. If a record shows the fields of a part beside its own, the JSON
// of the part is flat.

/// An event in an answer, without its payload.
struct EventPart: AnswerPart {
    var position = Position.origin
    /// Name of the event's kind, such as `launch.app-launched.v1`.
    var kind = ""
    /// Time at which the event happened, by the device's clock.
    var occurredAt = Instant.epoch
    /// Time at which the event was appended to the log.
    var recordedAt = Instant.epoch

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("position", &position, "kind", &kind)
        try field("occurredAt", &occurredAt, "recordedAt", &recordedAt)
    }
}

extension EventPart {
    init(_ event: RecordedEvent) {
        self.init(
            position: event.position, kind: event.kind.name,
            occurredAt: event.envelope.occurredAt, recordedAt: event.envelope.recordedAt)
    }
}

/// The commit of an event in an answer, with its actor and device.
struct CommitPart: AnswerPart {
    /// First position of the commit; `nil` if the commit is not known.
    var commit: Position?
    /// Name of the actor; left out if the commit names none, null if the name is erased.
    var actor: String??
    /// Name of the device; `nil`, and left out, if the commit names none.
    var device: String?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("commit", &commit)
        try field.optionalField("actor", &actor)
        try field.optionalField("device", &device)
    }
}

extension CommitPart {
    init(_ commit: RecordedCommit?) {
        guard let commit else { return }
        self.commit = commit.first
        let (actor, device) = (commit.metadata.actor, commit.metadata.device)
        if commit.isActorErased {
            self.actor = .some(nil)
        } else if !actor.isEmpty {
            self.actor = actor
        }
        if !device.isEmpty { self.device = device }
    }
}

/// An event with its commit, in an answer.
struct CommittedEvent: AnswerPart {
    var event = EventPart()
    var commit = CommitPart()

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try event.fields(&field)
        try commit.fields(&field)
    }
}

/// A changed field of a state, in an answer.
struct ChangePart: AnswerPart {
    /// Path of the field, such as `items[0].name`.
    var field = ""
    /// Value before the event; `history` leaves it out for the first event of an entity.
    var before: JSONText??
    /// Value after the event; `nil` if the field has no value.
    var after: JSONText?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("field", &self.field)
        try field.optionalField("before", &before)
        try field("after", &after)
    }
}

extension ChangePart {
    /// Creates the part of a change, without `before` if the entity's first event made it.
    init(_ change: FieldChange, isFirst: Bool = false) {
        field = change.path
        if !isFirst { before = .some(change.answer(change.before)) }
        after = change.answer(change.after)
    }
}

extension [FieldChange] {
    /// Returns the parts of an answer; those of an entity's first event have no `before`.
    func answer(isFirst: Bool = false) -> [ChangePart] { map { ChangePart($0, isFirst: isFirst) } }
}

/// The head of a log, in an answer: its last position and chain value.
struct HeadPart: AnswerPart {
    /// Chain value of the newest commit, in hexadecimal.
    var chainValue = ""
    /// Position and chain value of the newest commit: `POSITION:CHAIN`.
    var headAtPosition = ""

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("head", &chainValue, "headAtPosition", &headAtPosition)
    }
}

extension HeadPart {
    init(_ head: Head) {
        self.init(chainValue: Hexadecimal.text(head.chain), headAtPosition: "\(head)")
    }
}

/// The reason why a command was refused, in an answer.
struct RefusalPart: AnswerPart {
    /// Code of the reason, which programs can compare.
    var code = ""
    var message = ""
    /// Position of the event because of which the command was refused; `nil` if there is none.
    var position: Position?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("code", &code, "message", &message)
        try field.optionalField("position", &position)
    }
}
