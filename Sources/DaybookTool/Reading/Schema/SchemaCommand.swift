import ArgumentParser
import Daybook

/// The command `schema`, which lists events, commands, projections and reports with their fields.
struct SchemaCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: """
            List events, commands, projections, reports, life cycles, audits, files and answers.
            """,
        discussion: """
            "text?" may be null or omitted; "[text]" is a list; "{integer}" is an object with any \
            member names; "digest" takes any text and keeps the first 8 bytes of its SHA-256. \
            "[object] by entryId" is a list whose elements are identified by that field, also in \
            comparisons. A range after the form, like "integer, 0 to 1439", limits the input; the \
            range of a moment is given as times, although it is stored in microseconds since 1970.

            Without a name, the answer is an overview of the areas; --all lists every part with its \
            fields, as --json does.
            """)

    @Argument(
        help: .text(
            "Name, beginning of a name, or rule: launch, launch.check-version, B7.",
            "name"), completion: Completions.schemaNames)
    var name: String?

    @Flag(help: "List every part of the program with its fields.")
    var all = false

    @OptionGroup var output: OutputOptions

    /// A named part of the program, such as an event or a report.
    struct Entry {
        var kind: String
        var name: String
        /// Fields of the entry; empty for life cycles, audits, rules and files.
        var fields: [FieldDescription] = []
        /// Sentence about an answer or a rule; `nil` for any other entry.
        var about: String?
        var arguments: [FieldDescription]?
        var machine: StateMachine?
        /// Name of the audit that a rule belongs to; `nil` for any other entry.
        var audit: String?
        var rules: [AuditRule]?
        var file: FileEntry?
    }

    /// The format of a file that is imported, exported or drawn.
    struct FileEntry {
        var summary: String
        var options: [FileOption]
        var needsZone = false
    }

    func validate() throws {
        guard !all || name == nil else { throw ValidationError("Give a name or --all, not both.") }
    }

    func run() throws {
        guard name != nil || all || output.json else {
            return Output.lines(SchemaOverview.lines(of: catalogue()))
        }
        var entries = entries().filter { entry in
            name.map { entry.name == $0 || entry.name.hasPrefix("\($0).") } ?? true
        }
        if let name { entries += rules().filter { $0.name == name.uppercased() } }
        guard !entries.isEmpty else {
            let names = (self.entries() + rules()).map(\.name)
            let hint = NearestNames.hint(for: name ?? "", in: names)
            throw ValidationError(
                "There is no event, command, report or other part named '\(name ?? "")'\(hint)")
        }
        for entry in entries { output.json ? Output.answer(SchemaAnswer(entry)) : show(entry) }
    }

    /// Returns one entry for each rule of all audits.
    private func rules() -> [Entry] {
        catalogue().audits.values.sorted { $0.name < $1.name }.flatMap { audit in
            audit.rules.map { rule in
                Entry(kind: "rule", name: rule.code, about: rule.sentence, audit: audit.name)
            }
        }
    }

    /// Returns all entries except the rules of audits, sorted by kind of entry and then by name.
    private func entries() -> [Entry] {
        let catalogue = catalogue()
        var entries = catalogue.events.values.map {
            Entry(kind: "event", name: $0.kind.name, fields: $0.fields)
        }
        entries += catalogue.commands.values.map {
            Entry(kind: "command", name: $0.name, fields: $0.fields)
        }
        entries += catalogue.projections.values.map {
            Entry(kind: "projection", name: $0.name, fields: $0.fields)
        }
        for flow in catalogue.flows.values {
            entries += flow.inputs.map {
                Entry(kind: "flow input", name: "\(flow.name).\($0.key)", fields: $0.value)
            }
        }
        entries += catalogue.reports.values.map {
            Entry(kind: "report", name: $0.name, fields: $0.fields, arguments: $0.arguments)
        }
        entries += catalogue.machines.values.map {
            Entry(kind: "life cycle", name: $0.projection, machine: $0)
        }
        entries += catalogue.audits.values.map {
            Entry(kind: "audit", name: $0.name, rules: $0.rules)
        }
        entries += catalogue.imports.map { item in
            let options = [item.subject].compactMap(\.self) + item.options
            let file = FileEntry(
                summary: item.summary, options: options, needsZone: item.zone != .optional)
            return Entry(kind: "import", name: item.name, file: file)
        }
        entries += catalogue.exports.map { item in
            let file = FileEntry(summary: item.summary, options: [item.subject] + item.options)
            return Entry(kind: "export", name: item.name, file: file)
        }
        entries += catalogue.pictures.keys.map { name in
            let file = FileEntry(summary: "A picture of one \(name), as SVG.", options: [])
            return Entry(kind: "picture", name: name, file: file)
        }
        entries += Program.answers.map {
            Entry(
                kind: "answer", name: "answer.\($0.name)", fields: fields(of: $0),
                about: $0.summary)
        }
        return entries.sorted { ($0.kind, $0.name) < ($1.kind, $1.name) }
    }

    /// Returns the descriptions of the members of an answer.
    ///
    /// The form of a member is a form of fields, or `time` for an RFC 3339 text, `position` for the
    /// position of an event, or `value` for any JSON. A member whose form ends in `?` may be null or
    /// left out.
    private func fields<Value: Answer>(of type: Value.Type) -> [FieldDescription] {
        FieldDescription.fields(of: type, isInput: false).map(\.inAnswer)
    }

    private func show(_ entry: Entry) {
        Output.line("\(entry.kind)  \(entry.name)")
        if let about = entry.about { Output.line("    \(about)") }
        if let audit = entry.audit {
            Output.line(
                "    part of the audit \(audit): \(Program.name) audit --rule \(entry.name)")
        }
        if let arguments = entry.arguments {
            Output.line("    arguments")
            show(arguments, indent: 2)
            Output.line("    fields")
            show(entry.fields, indent: 2)
        } else {
            show(entry.fields, indent: 1)
        }
        if let machine = entry.machine {
            Output.line("    states of the field \(machine.field)")
            for step in machine.legalTransitions.sorted() {
                Output.line("    \(step.from)  \(step.event)  \(step.to)")
            }
        }
        if let file = entry.file { show(file) }
        for rule in entry.rules ?? [] { Output.line("    \(rule.code)  \(rule.sentence)") }
    }

    private func show(_ file: FileEntry) {
        Output.line("    \(file.summary)")
        var table = Table(.leading, .leading, margin: "    ")
        for option in file.options {
            let value = option.form == .flag ? "" : " <\(option.placeholder)>"
            table.add("--\(option.name)\(value)", option.help)
        }
        if file.needsZone { table.add("--zone <zone>", "The zone of the file's local times.") }
        Output.lines(table.lines)
    }

    /// Prints fields as a table, each followed by the fields of its objects.
    private func show(_ fields: [FieldDescription], indent: Int) {
        var table = Table(.leading, .leading, margin: String(repeating: "    ", count: indent))
        for field in fields {
            table.add(field.name, formText(of: field) + keyText(of: field) + limitText(of: field))
        }
        for (field, line) in zip(fields, table.lines) {
            Output.line(line)
            show(field.fields, indent: indent + 1)
        }
    }

    /// Returns the form of a field: `moment?` for an optional point in time, whose stored form is
    /// `integer?`.
    private func formText(of field: FieldDescription) -> String {
        field.isMoment ? field.form.replacing("integer", with: "moment") : field.form
    }

    /// Returns ` by entryId` for a list whose elements have a key; otherwise an empty text.
    private func keyText(of field: FieldDescription) -> String {
        field.form.hasPrefix("[") ? field.elementKey.map { " by \($0)" } ?? "" : ""
    }

    /// Returns the limit of a field: `, 0 to 1439, 60 by default`; empty without a limit.
    private func limitText(of field: FieldDescription) -> String {
        let (limit, values) = (field.limit, field.limit.values)
        var parts: [String] = []
        if values != Limit.any.values {
            let ends = [values.lowerBound, values.upperBound].map { end in
                field.isMoment ? Timestamp.text(Instant(microseconds: end)) : "\(end)"
            }
            parts.append("\(ends[0]) to \(ends[1])")
        }
        if limit.mostBytes != Limit.any.mostBytes {
            parts.append("at most \(limit.mostBytes) bytes")
        }
        if limit.mostElements != Limit.any.mostElements {
            parts.append("at most \(limit.mostElements) elements")
        }
        parts += [field.defaultValue.map { "\($0) by default" }].compactMap(\.self)
        return parts.map { ", \($0)" }.joined()
    }

    static var examples: [String] {
        ["schema", "schema \(ExampleNames.current.area)", "schema --json"]
    }

    static var answers: [any Answer.Type] { [SchemaAnswer.self] }

    static var storeUse: StoreUse { .noLog }

    var isPaged: Bool { true }
}

extension Completions {
    static let schemaNames = CompletionKind.custom { _, _, prefix in
        names(prefix) { catalogue in
            let names =
                catalogue.events.keys.map(\.name) + Array(catalogue.commands.keys)
                + Array(catalogue.projections.keys) + Array(catalogue.reports.keys)
            let areas = catalogue.events.keys.map { String($0.area) }
            let ruleCodes = catalogue.audits.values.flatMap { $0.rules.map(\.code) }
            return Set(names + areas + ruleCodes).sorted()
        }
    }
}
