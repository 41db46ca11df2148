import ArgumentParser
import EventSourcing
import EventStorage
import Investigation
import Playback

struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find the first event and field in which two traces, logs or rule sets differ.",
        discussion: """
            Each side is a file of '\(ReplayTool.name) trace', or a log, of which a trace is made under \
            --rules, or --other-rules for the second. With one side alone the log is compared with \
            itself under both. Differences are grouped by their cause: the kind of event and the \
            fields. --expect names a YAML file of differences that are right, each with a field, a \
            reason and maybe a kind and a key: '- {field: kcal, reason: rule 2}'. Without any other \
            it ends with 0, else with 1. --at and --valid-at are of the sides that are logs.
            """)

    @Argument(help: ArgumentHelp("A trace or a log.", valueName: "first"))
    var first: String

    @Argument(help: ArgumentHelp("Another one; the first again without it.", valueName: "second"))
    var second: String?

    @Option(help: ArgumentHelp("Of logs: the projection.", valueName: "projection"))
    var projection: String?

    @Option(
        help: ArgumentHelp("Of logs: only this entity.", valueName: "key"), transform: identifier)
    var key: String?

    @Option(help: "Of logs: the rules of the first one, and of the second by default.")
    var rules = RulesOption(.standard)

    @Option(help: "Of logs: the rules of the second one.")
    var otherRules: RulesOption?

    @Option(help: ArgumentHelp("Differences that are right.", valueName: "file"))
    var expect: String?

    @Flag(help: "Show every entity that differs, and not one of each cause.")
    var all = false

    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard second != nil || otherRules != nil else {
            throw ValidationError("Name a second side, or --other-rules for the first.")
        }
    }

    func run() throws {
        let catalogue = try catalogue()
        let expectations = try expect.map(Self.expectations) ?? []
        let (firstSide, log) = try side(first, rules.rules, nil, catalogue)
        let isOne = second == nil || second == first
        let (secondSide, _) = try side(
            second ?? first, (otherRules ?? rules).rules, isOne ? log : nil, catalogue)
        if moment.isNamed, firstSide is TraceFile, secondSide is TraceFile {
            throw ValidationError("--at and --valid-at are of logs; both sides are traces.")
        }
        var comparison = TraceComparison(
            expecting: expectations,
            over: catalogue.projections[firstSide.header.projection]?.fields ?? [])
        try mappingLogErrors { try comparison.compare(firstSide, secondSide) }
        if output.json { showJSON(comparison) } else { show(comparison, firstSide, secondSide) }
        if !comparison.divergences.isEmpty { throw Failure(.finding) }
    }

    /// A side, and the log that it is made of.
    private func side(
        _ path: String, _ rules: RuleSet, _ open: EventLog?, _ catalogue: Catalogue
    ) throws -> (any TraceSide, EventLog?) {
        if let trace = try TraceFile(path) { return (trace, nil) }
        guard let name = projection, let description = catalogue.projections[name] else {
            let known = catalogue.projections.keys.sorted().joined(separator: ", ")
            throw ValidationError("\(path) is no trace; name a --projection of it: \(known).")
        }
        // A process opens a file once. A head file is of one log, and these may be two.
        let log = try open ?? LogOptions.open(path, .read)
        return try moment.answer(log, catalogue) { reading in
            (try LogSide(of: description, key, rules, in: reading), log)
        }
    }

    private static func expectations(_ path: String) throws -> [TraceComparison.Expectation] {
        let text = String(decoding: try InputFile.bytes(of: path), as: UTF8.self)
        do throws(InputError) {
            return try TraceComparison.expectations(of: text)
        } catch {
            throw Failure(.usage, "\(error.inFile(path))")
        }
    }

    private func show(
        _ comparison: TraceComparison, _ first: any TraceSide, _ second: any TraceSide
    ) {
        let differ = comparison.divergences.count
        Output.line(
            "compare \(first.header.projection): \(self.first), \(first.header.rules.name) rules, with "
                + "\(self.second ?? self.first), \(second.header.rules.name) rules")
        Output.line(
            "  \(comparison.matched) events of \(comparison.entities) entities; \(differ) differ")
        for (reason, keys) in comparison.expected.sorted(by: { $0.key < $1.key }) {
            Output.line("  expected in \(keys.count): \(reason)")
        }
        for (cause, divergences) in comparison.causes {
            Output.line("\(divergences.count) for one cause: \(cause)")
            for divergence in all ? divergences[...] : divergences.prefix(1) {
                Output.line("  \(divergence.key), first at position \(divergence.position)")
                for change in divergence.changes { Output.line("  " + StepPrinter.line(change)) }
                Output.line("      after \(divergence.events.joined(separator: ", "))")
            }
        }
    }

    private func showJSON(_ comparison: TraceComparison) {
        for divergence in comparison.divergences {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("key", divergence.key)
                writer.member("position", divergence.position)
                writer.member("kind", divergence.kind)
                writer.member("in", divergence.isIn.rawValue)
                writer.member("cause", divergence.cause)
                StepPrinter.changes(divergence.changes, &writer)
                writer.member("events", divergence.events)
            }
            Output.json(writer.text)
        }
    }
}
