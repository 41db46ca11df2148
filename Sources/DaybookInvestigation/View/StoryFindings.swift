import Daybook
import DaybookLog

/// The audit findings about a story's events, and the published answers that they changed.
struct StoryFindings {
    /// The findings, as objects.
    private(set) var findings = StoryColumn()
    /// The changes of published answers, as objects.
    private(set) var late = StoryColumn()
    /// Sentences about what is left out.
    private(set) var omissions: [String] = []

    private let reading: ProjectionReading
    private let options: StoryOptions
    private let rows: StoryRows
    private let answers: ShownAnswers

    /// Largest number of events of a log that is audited for a story.
    private static let auditLimit: UInt64 = 1_000_000
    /// Largest number of published answers that are computed again.
    private static let publicationLimit = 40

    init(
        _ selection: StorySelection, _ entities: [StoryEntity], _ rows: StoryRows,
        _ options: StoryOptions, in reading: ProjectionReading
    ) throws {
        self.reading = reading
        self.options = options
        self.rows = rows
        answers = ShownAnswers(options.values, reading.catalogue)
        guard rows.count > 0 else { return }
        try addFindings(of: entities)
        try addLate(selection)
    }

    /// Adds the findings about rows and entities of the story.
    private mutating func addFindings(of storyEntities: [StoryEntity]) throws(LogError) {
        guard reading.through.rawValue <= Self.auditLimit else {
            omissions.append("The log is too long to audit for a page; 'audit' shows the findings.")
            return
        }
        var context = AuditContext(zones: options.zones, digest: options.digest)
        context.rules = options.rules
        let audit = try LogAudit(context, in: reading)
        let sentences = Dictionary(audit.rules.map { ($0.code, $0.sentence) }) { first, _ in first }
        var entities: [String: Int] = [:]
        for (index, entity) in storyEntities.enumerated() {
            let tag = entity.projection.tag(entity.key).text
            if entities[tag] == nil { entities[tag] = index }
        }
        for finding in audit.result.findings {
            let row = rows.row(of: UInt64(clamping: finding.position))
            let entity = entities[finding.entity]
            guard row != nil || entity != nil else { continue }
            let tag = Tag(finding.entity).map(options.values.tag) ?? ""
            let text = answers.shown(finding)
            findings.append { writer in
                writer.member("rule", finding.rule)
                writer.member("summary", sentences[finding.rule] ?? "")
                writer.member("event", Int64(row ?? -1))
                writer.member("position", finding.position)
                writer.member("entity", Int64(entity ?? -1))
                writer.member("tag", tag)
                writer.member("text", text)
            }
        }
    }

    /// Adds the published answers that events of the story changed afterwards.
    private mutating func addLate(_ selection: StorySelection) throws {
        guard !reading.catalogue.publications.isEmpty else { return }
        let search = LateAnswers(in: reading, zones: options.zones)
        var published = try search.publishedAnswers().filter {
            $0.event.tags.contains(where: selection.tags.contains)
        }
        if published.count > Self.publicationLimit {
            omissions.append(
                "Only the newest \(Self.publicationLimit) published answers are compared with "
                    + "later events; 'late' shows all.")
            published = published.suffix(Self.publicationLimit)
        }
        for answer in published {
            let events: LateEvents
            do { events = try search.events(lateFor: answer) } catch is ReportError {
                // The command `late` says why an answer cannot be computed again.
                continue
            }
            for change in events.changes {
                guard let row = rows.row(of: change.event.position.rawValue) else { continue }
                for field in change.changes { add(field, row, answer) }
            }
        }
    }

    /// Adds one field of a published answer that an event changed.
    private mutating func add(
        _ field: FieldChange, _ row: Int, _ answer: LateAnswers.PublishedAnswer
    ) {
        let title = answers.shown(answer)
        let path = answers.shown(path: field.path)
        let (before, after) = (answers.shown(json: field.before), answers.shown(json: field.after))
        late.append { writer in
            writer.member("event", Int64(row))
            writer.member("report", title)
            writer.member("issued", Int64(clamping: answer.event.position.rawValue))
            writer.member("field", path)
            writer.name("before")
            writer.raw(before)
            writer.name("after")
            writer.raw(after)
        }
    }
}

/// Values of answers and findings as a file shows them, without the types of their fields.
///
/// Without their types, only values that can identify nobody are shown: numbers, points in time,
/// dates and words that a field offers as a choice.
struct ShownAnswers {
    private let values: ShownValues
    private let kept: KeptTexts
    /// Names of all fields of all reports.
    private let fieldNames: Set<String>

    init(_ values: ShownValues, _ catalogue: Catalogue) {
        self.values = values
        kept = KeptTexts(catalogue) { _ in false }
        var names: Set<String> = []
        for report in catalogue.reports.values { Self.collect(report.fields, into: &names) }
        fieldNames = names
    }

    private static func collect(_ fields: [FieldDescription], into names: inout Set<String>) {
        for field in fields {
            names.insert(field.name)
            collect(field.fields, into: &names)
        }
    }

    /// Returns a value as JSON; `null` for a missing value.
    func shown(json: String?) -> String {
        guard let json else { return "null" }
        guard !values.showsTexts, json.hasPrefix("\"") || json.hasPrefix("[\"") else { return json }
        return isPlain(String(json.dropFirst().dropLast())) ? json : "\"\(Redaction.word)\""
    }

    /// Returns a path, whose keys of list elements and maps are ids.
    func shown(path: String) -> String {
        guard let redaction = values.redaction, redaction.replacesIDs else { return path }
        var shown = ""
        var part = ""
        func end() {
            let isPlain = part.isEmpty || fieldNames.contains(part) || Int(part) != nil
            shown += isPlain ? part : redaction.shownID(part)
            part = ""
        }
        for character in path {
            guard ".[]".contains(character) else {
                part.append(character)
                continue
            }
            end()
            shown.append(character)
        }
        end()
        return shown
    }

    /// Returns the expected and the recorded value of a finding; empty if either is hidden.
    func shown(_ finding: Finding) -> String {
        let isShown = values.showsTexts || (isPlain(finding.expected) && isPlain(finding.found))
        guard isShown, !finding.expected.isEmpty || !finding.found.isEmpty else { return "" }
        return "expected \(finding.expected), found \(finding.found)"
    }

    func shown(_ answer: LateAnswers.PublishedAnswer) -> String {
        guard let redaction = values.redaction, redaction.replacesIDs else {
            return answer.publication.title
        }
        return "\(answer.event.kind.stem) at position \(answer.event.position)"
    }

    /// True if a text can identify nobody.
    private func isPlain(_ text: String) -> Bool {
        text.isEmpty || Int64(text) != nil || kept.contains(text) || Timestamp.parse(text) != nil
            || Self.isAmount(text)
    }

    /// True if a text is a whole number and a unit of at most four letters, such as `2400 mm`.
    private static func isAmount(_ text: String) -> Bool {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, Int64(parts[0]) != nil else { return false }
        let unit = parts[1].utf8
        return (1...4).contains(unit.count)
            && unit.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
}
