/// A report that is noted in the log when it is handed out or made final.
public protocol PublishedReport: Report {
    /// The command that notes it.
    associatedtype Note: Command

    /// True for a report that the note makes final, so that its answer shows the note.
    static var isFinal: Bool { get }
    /// The fields of the answer that tell nothing of what happened: when it was made, and ids,
    /// which may be replaced. Those of elements are named like `entries[].entryId`.
    static var momentFields: Set<String> { get }

    /// The name of the zone whose days the answer counts.
    static func zone(of answer: Answer) -> String

    /// The command that records the report.
    func note(of answer: Answer, _ copy: PublishedCopy, _ context: ReportContext) -> Note
}

extension PublishedReport {
    public static var isFinal: Bool { false }
    public static var momentFields: Set<String> { basisFields }
}

/// One copy of an answer that is handed out.
public struct PublishedCopy: Hashable, Sendable {
    /// The last event it was made from.
    public var position: Position
    /// The digest of its JSON.
    public var digest: Digest
    /// The user who asked for it.
    public var by: Author?
}

extension ReportDescription {
    /// Makes the notes that say that a report was handed out.
    public struct Publishing: Sendable {
        /// True for a report that is closed for good.
        public let isFinal: Bool
        private let makeNotes:
            @Sendable (any PendingReport, Author?, InputRules) throws(ReportError)
                -> [PendingPublication]

        init<Body: PublishedReport>(_ report: Body.Type) {
            isFinal = Body.isFinal
            makeNotes = { (pending, by, rules) throws(ReportError) in
                guard let prepared = pending as? PreparedReport<Body> else {
                    preconditionFailure("a description publishes the reports that it prepared")
                }
                let answered = try prepared.answered()
                return answered.answers.indices.map { index in
                    PendingPublication(answered, index, by, rules)
                }
            }
        }

        /// One note for each answer of a report that was prepared by the description.
        public func notes(
            of report: any PendingReport, by: Author?, rules: InputRules
        ) throws(ReportError) -> [PendingPublication] {
            try makeNotes(report, by, rules)
        }
    }
}

/// A note that waits to be written: what was handed out, and what identifies it.
public struct PendingPublication: Sendable {
    /// `daily report of 'b', 2026-03-08`
    public let title: String
    /// The name of the zone whose days the answer counts.
    public let zone: String
    /// `nil` where the rule of the note's command refuses a second one.
    public let identity: Identity?
    private let decide: @Sendable (CommandContext) -> any PendingDecision

    /// The same copy, by which it is noted once however often it is handed out.
    public struct Identity: Sendable {
        /// Kind, tags and payload of the note.
        public let kind: EventKind
        /// Tags of the event that records the report.
        public let tags: [Tag]
        /// Payload of the event that records the report.
        public let payload: [UInt8]
        private let bytesAt: @Sendable (Position) -> [UInt8]

        init<Note: EventPayload>(
            _ note: Note, _ bytesAt: @escaping @Sendable (Position) -> [UInt8]
        ) {
            kind = Note.kind
            tags = note.tags
            payload = BinaryWriter.bytes(note)
            self.bytesAt = bytesAt
        }

        /// The note without what tells when it was made, and all that the answer says.
        ///
        /// - Parameter position: the last event that the answer depends on.
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

    /// The decision to write the note.
    public func decision(in context: CommandContext) -> any PendingDecision { decide(context) }
}
