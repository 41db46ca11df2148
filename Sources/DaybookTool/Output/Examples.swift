package import ArgumentParser
import Daybook

/// Command with examples in its help.
package protocol ExampleProviding: ParsableCommand {
    /// Example command lines without the program's name; they use names from the program's areas.
    static var examples: [String] { get }
}

/// Names of the program's areas for use in the examples of help pages.
struct ExampleNames {
    /// Catalogue of the program's areas.
    let catalogue: Catalogue

    /// Names from the catalogue of this program.
    static var current: ExampleNames {
        ExampleNames(catalogue: (try? ReplayTool.catalogue()) ?? .empty)
    }

    /// The area with the most event kinds, which readers know best; of several, the first by name.
    var area: String {
        let own = catalogue.events.keys.filter { !Catalogue.kindsOfTheLog.contains($0) }
        let areas = Dictionary(grouping: own, by: \.area)
        return areas.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
            .map { String($0.key) } ?? ""
    }

    /// A projection of the area, if possible with a life cycle, or else any projection.
    var projection: ProjectionDescription? {
        let names = catalogue.machines.keys.sorted() + catalogue.projections.keys.sorted()
        let projections = names.compactMap { catalogue.projections[$0] }
        let area = area
        return projections.first { belongs(to: area, $0) } ?? projections.first
    }

    /// True if more than half of a projection's event kinds belong to an area.
    private func belongs(to area: String, _ projection: ProjectionDescription) -> Bool {
        2 * projection.kinds.count(where: { $0.area == area }) > projection.kinds.count
    }

    /// Name of the projection.
    var name: String { projection?.name ?? "PROJECTION" }
    /// Noun of the projection's entities: the part of their tags before the colon.
    var noun: String { projection?.noun ?? "noun" }
    /// Key of an entity of the projection, such as `baby-1`.
    var key: String { "\(noun)-1" }
    /// Tag of the entity, such as `baby:baby-1`.
    var tag: String { "\(noun):\(key)" }
    /// Name of the first field of the projection's states.
    var field: String { projection?.fields.first?.name ?? "FIELD" }

    /// Name of an event kind of the area, without its version.
    var kind: String {
        let area = area
        return catalogue.events.keys.filter { $0.area == area }.map { String($0.stem) }.min()
            ?? "KIND"
    }
    /// Noun of the people whose texts can be erased, such as `user`; `nil` if there is none.
    var personNoun: String? { catalogue.people.nouns.values.min() }
    /// A rule set other than the standard one; `nil` if there is none.
    var otherRules: String? { catalogue.rules.dropFirst().first?.name }

    /// A report about days, weeks or months, or else any report; `nil` without reports.
    var report: ReportDescription? {
        let reports = catalogue.reports.values.sorted { $0.name < $1.name }
        return reports.first { $0.period != nil } ?? reports.first
    }

    /// Returns a call of a report with its required arguments:
    /// `report daily --baby mia --date yesterday`.
    static func call(of report: ReportDescription) -> String {
        var words = ["report", report.name]
        for field in report.arguments {
            let isPeriod = field.name == report.period?.argument
            guard !field.isOptional || isPeriod, field.name != report.clock else { continue }
            words += ["--\(field.option)", value(of: field, in: report)]
        }
        return words.joined(separator: " ")
    }

    /// Returns an example of the value of a report's argument.
    private static func value(
        of field: FieldDescription, in report: ReportDescription
    ) -> String {
        if let period = report.period, period.argument == field.name {
            switch period {
            case .day: return "yesterday"
            case .week: return "'last week'"
            case .month: return "'last month'"
            }
        }
        if field.isMoment { return "now" }
        if field.form.hasPrefix("one of ") {
            return String(field.form.dropFirst(7).prefix { $0 != "," && $0 != "?" })
        }
        if field.form.hasPrefix("integer") { return "\(max(1, field.limit.values.lowerBound))" }
        return "\(field.option)-1"
    }
}

extension ReplayTool {
    /// Returns the section of examples for the help of the command that `arguments` name; empty
    /// without examples.
    static func examples(for arguments: [String]) -> String {
        var words = arguments.dropFirst()[...]
        if words.first == "help" { words = words.dropFirst() }
        guard let name = words.first,
            let examples = (command(name) as? any ExampleProviding.Type)?.examples
        else { return "" }
        return section(examples)
    }

    /// Returns the section of a help page that shows examples.
    static func section(_ examples: [String]) -> String {
        "\n\nEXAMPLES:\n" + examples.map { "  \(name) \($0)" }.joined(separator: "\n")
    }
}

extension AppendCommand: ExampleProviding {
    static var examples: [String] {
        ["append < lines.jsonl", "append --each --json < lines.jsonl"]
    }
}

extension AuditCommand: ExampleProviding {
    static var examples: [String] { ["audit", "audit --of \(ExampleNames.current.tag) --all"] }
}

extension BackupCommand: ExampleProviding {
    static var examples: [String] { ["backup monday.daybook"] }
}

extension PullCommand: ExampleProviding {
    static var examples: [String] {
        [
            "pull segments --log replica.daybook",
            "pull segments --texts app.keys --log copy.daybook",
        ]
    }
}

extension PushCommand: ExampleProviding {
    static var examples: [String] {
        ["push app.daybook 'postgres://kim@db.example/diary?log=home' --key-file diary.keys"]
    }
}

extension ShipCommand: ExampleProviding {
    static var examples: [String] { ["ship segments", "ship segments --texts app.keys"] }
}

extension BisectCommand: ExampleProviding {
    static var examples: [String] {
        let names = ExampleNames.current
        return ["bisect \(names.name) \(names.key) --until '\(names.field) != null'"]
    }
}

extension BlameCommand: ExampleProviding {
    static var examples: [String] {
        let names = ExampleNames.current
        let call = "blame \(names.name) \(names.key)"
        return [call, "\(call) \(names.field) --at yesterday"]
    }
}

extension CaptureCommand: ExampleProviding {
    static var examples: [String] {
        let names = ExampleNames.current
        return ["capture \(names.name) \(names.key) --pseudonymise --output story.yaml"]
    }
}

extension CheckCommand: ExampleProviding {
    static var examples: [String] {
        ["check Scenarios", "check Scenarios --coverage 80 --junit report.xml"]
    }
}

extension CheckProofCommand: ExampleProviding {
    static var examples: [String] {
        ["check-proof proof", "check-proof - --public-key public.pem < proof"]
    }
}

extension CompactCommand: ExampleProviding {
    static var examples: [String] { ["compact"] }
}

extension CompareCommand: ExampleProviding {
    static var examples: [String] {
        let names = ExampleNames.current
        let traces = ["compare before.trace after.trace --expect expected.yaml"]
        guard let rules = names.otherRules else { return traces }
        return traces + ["compare log.daybook --projection \(names.name) --other-rules \(rules)"]
    }
}

extension EraseCommand: ExampleProviding {
    static var examples: [String] {
        let noun = ExampleNames.current.personNoun ?? ExampleNames.current.noun
        return ["erase --tag \(noun):\(noun)-1 --reason 'asked for it' --by support --dry-run"]
    }
}

extension ExportCommand: ExampleProviding {
    static var examples: [String] {
        let declared = ReplayTool.exports.prefix(2).map {
            "export --format \($0.name) --\($0.subject.name) \($0.subject.name)-1 --output file"
        }
        return declared + ["export --format sql --output log.sql"]
    }
}

extension HistoryCommand: ExampleProviding {
    static var examples: [String] {
        let names = ExampleNames.current
        return [
            "history \(names.name) \(names.key)",
            "history \(names.name) \(names.key) --valid-at yesterday --json",
        ]
    }
}

extension ImportCommand: ExampleProviding {
    static var examples: [String] {
        ReplayTool.imports.prefix(2).map { item in
            let subject = item.subject.map { " --\($0.name) \($0.name)-1" } ?? ""
            let zone = item.zone == .optional ? "" : " --zone Europe/Berlin"
            return "import --format \(item.name)\(subject)\(zone) --dry-run file"
        } + ["import --format cloudevents events.jsonl"]
    }
}

extension LateCommand: ExampleProviding {
    static var examples: [String] { ["late", "late --at yesterday --json"] }
}

extension ListCommand: ExampleProviding {
    static var examples: [String] { ["list", "list \(ExampleNames.current.noun.plural)"] }
}

extension LogCommand: ExampleProviding {
    static var examples: [String] {
        let names = ExampleNames.current
        return [
            "log --from yesterday --to today --tag \(names.tag)",
            "log --kind \(names.kind) --reverse --limit 10 --payload", "log --follow --json",
        ]
    }
}

extension OrderSafetyCommand: ExampleProviding {
    static var examples: [String] { ["order-safety \(ExampleNames.current.name)"] }
}

extension ProveCommand: ExampleProviding {
    static var examples: [String] { ["prove 5 > proof", "prove 5 --sign key.pem > proof"] }
}

extension ReindexCommand: ExampleProviding {
    static var examples: [String] { ["reindex"] }
}

extension ReportCommand: ExampleProviding {
    static var examples: [String] {
        guard let report = ExampleNames.current.report else { return ["report --help"] }
        return [ExampleNames.call(of: report), "report \(report.name) --help"]
    }
}

extension RestoreCommand: ExampleProviding {
    static var examples: [String] { ["restore monday.daybook --log restored.daybook"] }
}

extension SalvageCommand: ExampleProviding {
    static var examples: [String] { ["salvage damaged.daybook --output saved.daybook"] }
}

extension SchemaCommand: ExampleProviding {
    static var examples: [String] { ["schema \(ExampleNames.current.area)", "schema --json"] }
}

extension ShrinkCommand: ExampleProviding {
    static var examples: [String] {
        let names = ExampleNames.current
        return [
            "shrink \(names.name) \(names.key) --until '\(names.field) != null' --output least.yaml",
            "shrink --refused command.json --output refused.yaml",
        ]
    }
}

extension SnapshotCommand: ExampleProviding {
    static var examples: [String] { ["snapshot", "snapshot --drop"] }
}

extension StatCommand: ExampleProviding {
    static var examples: [String] { ["stat", "stat --json"] }
}

extension StateCommand: ExampleProviding {
    static var examples: [String] {
        let names = ExampleNames.current
        return [
            "state \(names.name) \(names.key)", "state \(names.name) --at yesterday",
            "state \(names.name) \(names.key) --valid-at '2026-03-03 14:00' --json",
        ]
    }
}

extension TraceCommand: ExampleProviding {
    static var examples: [String] { ["trace \(ExampleNames.current.name) > before.trace"] }
}

extension TransitionsCommand: ExampleProviding {
    static var examples: [String] {
        let names = ExampleNames.current
        let machine = names.catalogue.machines[names.name] == nil ? nil : names.name
        return ["transitions"]
            + (machine.map { ["transitions \($0) --format svg > states.svg"] } ?? [])
    }
}

extension TrialCommand: ExampleProviding {
    package static var examples: [String] {
        let times = Body.options.filter { $0.form == .time }.map { " --\($0.name) now" }.joined()
        let call = "\(Body.name) --\(Body.file.name) file\(times)"
        return [
            "\(call) --\(Body.subject.name) \(Body.subject.placeholder.uppercased())",
            "\(call) --log log.daybook",
        ]
    }
}

extension VerifyCommand: ExampleProviding {
    static var examples: [String] { ["verify", "verify --determinism --json"] }
}

extension ViewCommand: ExampleProviding {
    static var examples: [String] {
        let names = ExampleNames.current
        return [
            "view --open",
            "view \(names.name) \(names.key) --output past.html",
            "view --tag \(names.noun):\(names.key) --pseudonymise --output past.html",
            "view \(names.name) \(names.key) --skip 12 --output what-if.html",
        ]
    }
}

extension WhatIfCommand: ExampleProviding {
    static var examples: [String] {
        let names = ExampleNames.current
        return [
            "what-if \(names.name) \(names.key) --skip 12",
            "what-if \(names.name) --edit '5:occurredAt=2026-03-03 14:00'",
        ]
    }
}
