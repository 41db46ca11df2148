/// A report that is recorded in the log when it is handed out or made final.
public protocol PublishedReport: Report {
    /// The command that records the report in the log.
    associatedtype Note: Command

    /// True if recording makes the report final, which its answer then shows; false by default.
    static var isFinal: Bool { get }
    /// Fields of the answer that do not describe recorded facts; by default the `basisFields`.
    ///
    /// They give the time of the answer, or hold ids, which may be replaced. A field of a list's
    /// elements is named `entries[].entryId`.
    static var momentFields: Set<String> { get }

    /// Returns the name of the zone whose days the answer counts.
    static func zone(of answer: Answer) -> String

    /// Returns the command that records a copy of an answer.
    func note(of answer: Answer, _ copy: PublishedCopy, _ context: ReportContext) -> Note
}

extension PublishedReport {
    /// The default: recording does not make a report final.
    public static var isFinal: Bool { false }
    /// The `basisFields`, by default.
    public static var momentFields: Set<String> { basisFields }
}

/// A copy of an answer that is handed out.
public struct PublishedCopy: Hashable, Sendable {
    /// The position of the last event that the answer was made from.
    public var position: Position
    /// The digest of the answer's JSON.
    public var digest: Digest
    /// The user who requested the copy; `nil` if not given.
    public var by: Author?
}

extension ReportDescription {
    /// A factory of notes: commands that record in the log that a report was handed out.
    public struct Publishing: Sendable {
        /// True if a note makes the report final.
        public let isFinal: Bool
        /// Returns a note for each answer of a prepared report.
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

        /// Returns a note for each answer of a report.
        ///
        /// - Parameter report: a report that the same description prepared.
        /// - Throws: the error of the first period that has no answer.
        package func notes(
            of report: any PendingReport, by: Author?, rules: InputRules
        ) throws(ReportError) -> [PendingPublication] {
            try makeNotes(report, by, rules)
        }
    }
}

/// A note that a report was handed out, which is not yet appended to the log.
package struct PendingPublication: Sendable {
    /// The report, its subject and its period: `daily report of 'b', 2026-03-08`.
    public let title: String
    /// The name of the zone whose days the answer counts.
    public let zone: String
    /// The identity of the copy; `nil` if the note's command itself refuses a second note.
    public let identity: Identity?
    /// Returns the decision that appends the note.
    private let decide: @Sendable (CommandContext) -> any PendingDecision

    /// The identity of a copy, by which a second note about the same copy is recognised.
    public struct Identity: Sendable {
        /// Kind of the event that records the report.
        public let kind: EventKind
        /// Tags of the event that records the report.
        public let tags: [Tag]
        /// Payload of the event that records the report.
        public let payload: [UInt8]
        /// Returns the result of `bytes(dependingOn:)`.
        private let bytesAt: @Sendable (Position) -> [UInt8]

        init<Note: EventPayload>(
            _ note: Note, _ bytesAt: @escaping @Sendable (Position) -> [UInt8]
        ) {
            kind = Note.kind
            tags = note.tags
            payload = BinaryWriter.bytes(note)
            self.bytesAt = bytesAt
        }

        /// Returns bytes of the note and of the answer, which are equal for equal copies.
        ///
        /// The `momentFields` are left out.
        ///
        /// - Parameter position: the position of the last event that the answer depends on.
        public func bytes(dependingOn position: Position) -> [UInt8] { bytesAt(position) }
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
                let said = FlatFields.of(answer).filter { !Body.momentFields.contains($0.field) }
                return BinaryWriter.bytes(report.note(of: answer, copy, context))
                    + said.flatMap { Array("\u{0}\($0.path)\u{0}\($0.value)".utf8) }
            }
        }
    }

    /// Returns the decision that appends the note.
    public func decision(in context: CommandContext) -> any PendingDecision { decide(context) }
}
