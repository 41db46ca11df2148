/// A report for which the log records that it was handed out or made final.
public protocol PublishedReport: Report {
    /// The command that records in the log that the report was handed out.
    associatedtype Note: Command

    /// True if recording a handed-out copy (the `Note`) makes the report final; false by default.
    static var isFinal: Bool { get }
    /// Fields of the answer that a comparison of two copies ignores; by default the `basisFields`.
    ///
    /// They give the time of the answer, or contain ids, which may be replaced. A field of a list's
    /// elements is named like `entries[].entryId`.
    static var incidentalFields: Set<String> { get }

    /// Returns the name of the time zone in which the days of the answer begin and end.
    static func zone(of answer: Answer) -> String

    /// Returns the command that records in the log that a copy of an answer was handed out.
    func note(of answer: Answer, _ copy: PublishedCopy, _ context: ReportContext) -> Note
}

extension PublishedReport {
    public static var isFinal: Bool { false }
    public static var incidentalFields: Set<String> { basisFields }
}

/// The facts about a handed-out copy of an answer that the log records.
public struct PublishedCopy: Equatable, Sendable {
    /// The position of the last event from which the answer was made.
    public var position: Position
    /// The digest of the answer's JSON.
    public var digest: Digest
    /// The user who requested the copy; `nil` if not known.
    public var by: Author?
}

extension ReportDescription {
    /// A factory for notes: commands that record in the log that a report was handed out.
    package struct Publishing: Sendable {
        /// True if recording that a copy was handed out makes the report final.
        public let isFinal: Bool
        /// Returns a note for each answer of a prepared report, for `notes(of:by:rules:)`.
        private let makeNotes:
            @Sendable (any PendingReport, Author?, InputRules) throws(ReportError)
                -> [PendingPublication]

        init<Body: PublishedReport>(_ report: Body.Type) {
            isFinal = Body.isFinal
            makeNotes = { (pending, by, rules) throws(ReportError) in
                guard let prepared = pending as? PreparedReport<Body> else {
                    preconditionFailure("internal error: the prepared report has another type")
                }
                let answered = try prepared.answered()
                return answered.answers.indices.map { index in
                    PendingPublication(answered, index, by, rules)
                }
            }
        }

        /// Returns a note for each answer of a report that was fed its events, one for each period.
        ///
        /// - Throws: the error of the first period for which there is no answer.
        package func notes(
            of report: any PendingReport, by: Author?, rules: InputRules
        ) throws(ReportError) -> [PendingPublication] {
            try makeNotes(report, by, rules)
        }
    }
}

/// A note that a report was handed out, before the note is appended to the log.
package struct PendingPublication: Sendable {
    /// The report, its entity and its period as text: `daily report of 'b', 2026-03-08`.
    public let title: String
    /// The name of the time zone in which the days of the answer begin and end.
    public let zone: String
    /// Identity of the copy, to find an earlier note; `nil` if the command refuses a second note.
    public let identity: Identity?
    private let decide: @Sendable (CommandContext) -> any PendingDecision

    /// The identity of a copy, by which a second note about an equal copy is recognised.
    package struct Identity: Sendable {
        /// Kind of the event that records the copy.
        public let kind: EventKind
        /// Tags of the event that records the copy.
        public let tags: [Tag]
        /// Payload of the event that records the copy.
        public let payload: [UInt8]
        private let makeBytes: @Sendable (Position) -> [UInt8]

        init<Note: EventPayload>(
            _ note: Note, _ makeBytes: @escaping @Sendable (Position) -> [UInt8]
        ) {
            kind = Note.kind
            tags = note.tags
            payload = BinaryWriter.bytes(note)
            self.makeBytes = makeBytes
        }

        /// Returns bytes of note and answer, without `incidentalFields`: equal for equal copies.
        ///
        /// - Parameter position: the position of the last event that the answer depends on.
        public func bytes(dependingOn position: Position) -> [UInt8] { makeBytes(position) }
    }

    init<Body: PublishedReport>(
        _ answered: AnsweredReport<Body>, _ index: Int, _ by: Author?, _ rules: InputRules
    ) {
        let (report, answer, context) = (
            answered.reports[index], answered.answers[index], answered.context
        )
        var title = "\(Body.name) report"
        if let argument = Body.subject?.argument,
            let leaf = FlatFields.of(report).first(where: { $0.path == argument })
        {
            title += " of '\(leaf.value.dropFirst().dropLast())'"
        }
        let period = index < answered.periods.count ? answered.periods[index] : ""
        self.title = period.isEmpty ? title : "\(title), \(period)"
        zone = Body.zone(of: answer)
        let digest = Digest(bits: rules.digest(JSONWriter.text(answer)))
        let note = report.note(
            of: answer, PublishedCopy(position: context.position, digest: digest, by: by), context)
        decide = { PendingCommand(note, context: $0) }
        identity = (note as? any EventPayload).map { note in
            Identity(note) { position in
                let copy = PublishedCopy(position: position, digest: .blank, by: by)
                let left = Body.incidentalFields
                let said = FlatFields.of(answer).filter { !left.contains($0.field) }
                return BinaryWriter.bytes(report.note(of: answer, copy, context))
                    + said.flatMap { Array("\u{0}\($0.path)\u{0}\($0.value)".utf8) }
            }
        }
    }

    /// Returns the decision of the note's command; a log that decides it appends the note.
    public func decision(in context: CommandContext) -> any PendingDecision { decide(context) }
}
