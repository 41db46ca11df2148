import Daybook
import DaybookLog

/// An answer of a command as JSON.
///
/// Its fields are the members that are printed, and those that `schema answer` lists.
protocol Answer: Record {
    /// The command, and a word for one of several kinds of lines: `transitions.stay`.
    static var name: String { get }
    /// A sentence about the answer.
    static var summary: String { get }
}

extension Answer {
    /// The answer on one line.
    var json: String { JSONWriter.answer(self) }
}

extension Output {
    /// Writes an answer as a line of JSON.
    static func answer(_ answer: some Answer) { json(answer.json) }
}

// The parts that several answers have. A part whose fields a record shows beside its own is flat.

/// An event, without its payload.
struct EventPart: Record {
    var position = Position.origin
    var kind = ""
    var occurredAt = Instant.epoch
    var recordedAt = Instant.epoch

    static var blank: Self { Self() }

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

/// The commit of an event, and who made it.
struct CommitPart: Record {
    /// The commit's first position.
    var commit: Position?
    /// Left out where nobody is named, and null where the name is erased.
    var actor: String??
    var device: String?

    static var blank: Self { Self() }

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

/// An event with its commit.
struct CommittedEvent: Record {
    var event = EventPart()
    var commit = CommitPart()

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try event.fields(&field)
        try commit.fields(&field)
    }
}

/// A field that differs.
struct ChangePart: Record {
    var field = ""
    /// Left out of a change by an entity's first event, before which there was nothing.
    var before: JSONText??
    var after: JSONText?

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("field", &self.field)
        try field.optionalField("before", &before)
        try field("after", &after)
    }
}

extension ChangePart {
    /// - Parameter isFirst: `true` for a change by an entity's first event.
    init(_ change: FieldChange, isFirst: Bool = false) {
        field = change.path
        if !isFirst { before = .some(change.answer(change.before)) }
        after = change.answer(change.after)
    }
}

extension [FieldChange] {
    /// - Parameter isFirst: `true` for the changes by an entity's first event.
    func answer(isFirst: Bool = false) -> [ChangePart] {
        map { ChangePart($0, isFirst: isFirst) }
    }
}

/// The end of a log.
struct HeadPart: Record {
    var head = ""
    var headAtPosition = ""

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("head", &head, "headAtPosition", &headAtPosition)
    }
}

extension HeadPart {
    init(_ head: Head) {
        self.init(head: Hexadecimal.text(head.chain), headAtPosition: "\(head)")
    }
}

/// The reason why a command was refused.
struct RefusalPart: Record {
    var code = ""
    var message = ""
    /// The event that stands against it, where one does.
    var position: Position?

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("code", &code, "message", &message)
        try field.optionalField("position", &position)
    }
}
