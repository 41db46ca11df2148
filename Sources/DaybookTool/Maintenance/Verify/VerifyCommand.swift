import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The command `verify`, which checks the integrity of the log.
struct VerifyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the integrity of the log: chain, positions, payloads, indexes, snapshots.",
        discussion: """
            --determinism folds every projection again: in chunks, from stored states, on several \
            threads, and in processes with another hash seed, time zone and language. The states \
            must be equal byte for byte, otherwise the exit code is 1.

            --since and --heads name heads that you kept elsewhere. The log must contain each of \
            them, which proves that it has only grown since; otherwise the exit code is 1. \
            Example: '\(Program.name) verify --since 12:7f3a…'. --signed-by checks heads that \
            'stat --sign' signed.

            --copy-of checks that the log is a copy of another log, which may have grown since. The \
            head of the copy must be in that log, and the people and personal texts must be the \
            same byte for byte; otherwise the exit code is 1.
            """)

    @Flag(help: "Fold again under other conditions, and compare the states.")
    var determinism = false

    @Flag(help: "Only print a digest of the states of every projection.")
    var digests = false

    @Option(help: .text("Log of which this one must be a copy.", "file"), completion: .file())
    var copyOf: String?

    @OptionGroup(title: "Heads") var heads: HeadOptions
    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if digests, copyOf != nil {
            throw ValidationError("--digests checks nothing; omit --copy-of, or --digests.")
        }
    }

    func run() throws {
        let expected = try heads.expectedHeads()
        let log = try log.open(.read)
        let catalogue = catalogue()
        if digests {
            let rows = try mappingLogErrors { try Determinism.digests(log, catalogue) }
            return rows.forEach { Output.answer($0) }
        }
        let result = try mappingLogErrors {
            let head = try log.head()
            return try log.verify(against: catalogue) { position in
                Progress.setCount(Int(position.rawValue), of: Int(head.rawValue), "events verified")
            }
        }
        let held = expected.map { ($0, $0.finding(in: log)) }
        output.json ? Output.answer(VerifyAnswer(result, held)) : show(result, held)
        try log.warnOfClockLead()
        if !result.isSound { throw Failure(result.isIncomplete ? .usage : .log) }
        if held.contains(where: { $0.1 != nil }) { throw Failure(.finding) }
        if let copyOf { try checkCopy(log, of: copyOf) }
        if determinism { try checkDeterminism(log, catalogue) }
    }

    /// Throws a failure unless the log, which is sound, is a copy of the log at a path.
    private func checkCopy(_ log: EventLog, of path: String) throws {
        let original = try LogOptions.open(path, .read)
        let difference = try mappingLogErrors { try CopyDifference.of(log, fromOriginal: original) }
        guard let difference else { return }
        throw Failure(.finding, "the log is not a copy of \(path): \(difference)")
    }

    /// Folds the log under other conditions; throws `Failure` if the states differ under one.
    private func checkDeterminism(_ log: EventLog, _ catalogue: Catalogue) throws {
        let lines = { (strategy: Determinism.Strategy) throws in
            try mappingLogErrors { try Determinism.digests(log, catalogue, strategy).map(\.json) }
        }
        let expected = try lines(.inOnePass)
        var isSame = true
        for strategy in Determinism.Strategy.allCases where strategy != .inOnePass {
            isSame = printComparison(strategy.name, expected, try lines(strategy)) && isSame
        }
        for variation in DeterminismVariation.all {
            let found = try variation.lines(ofLogAt: log.path)
            isSame = printComparison(variation.name, expected, found) && isSame
        }
        if !isSame { throw Failure(.finding) }
    }

    /// Prints whether the states folded under a condition are the expected ones, and returns it.
    private func printComparison(_ name: String, _ expected: [String], _ found: [String]) -> Bool {
        let first = zip(expected, found).first { $0 != $1 }
        let holds = first == nil && expected.count == found.count
        if output.json {
            Output.answer(
                DeterminismAnswer(
                    condition: name, isSame: holds, comparisonCount: Int64(expected.count)))
        } else {
            Output.line(
                "\(holds ? "same states" : "DIFFERENT STATES") with \(name): "
                    + expected.count.counted("fold"))
        }
        if let (a, b) = first {
            StandardError.message("expected \(a)")
            StandardError.message("found    \(b)")
        }
        return holds
    }

    private func show(_ result: Verification, _ heads: [(ExpectedHead, Verification.Finding?)]) {
        let departures = heads.compactMap(\.1)
        for finding in result.findings + departures {
            Output.line("position \(finding.position): \(finding.rule): \(finding.message)")
        }
        for remedy in result.remedies { Output.line(remedy) }
        for (kind, count) in result.unknownKinds.sorted(by: { $0.key < $1.key }) {
            Output.line("\(count.counted("event")) of \(kind), which this program does not know")
        }
        if result.erasedTexts > 0 { Output.line("\(result.erasedTexts) personal texts are erased") }
        if result.textsNotHere > 0 {
            Output.line(
                "\(result.textsNotHere) personal texts are not here: a replica without keys")
        }
        if result.lostTexts > 0 || result.lostPeople > 0 {
            Output.line(
                "\(result.lostTexts) personal texts and \(result.lostPeople) people were lost to "
                    + "damage before the log was salvaged")
        }
        if result.snapshots > 0 {
            Output.line("\(result.snapshots) snapshots match a fold from the beginning")
        }
        if result.staleSnapshots > 0 {
            Output.line("\(result.staleSnapshots) snapshots belong to other folds and are not used")
        }
        if !heads.isEmpty {
            let kept = heads.count - departures.count
            Output.line("\(kept) of \(heads.count.counted("head")) \(heads.count.are) in the log")
        }
        let verdict =
            if result.isIncomplete {
                "INCOMPLETE, a pull was interrupted"
            } else if result.isDamaged {
                "DAMAGED"
            } else if !departures.isEmpty {
                "ROLLED BACK OR REPLACED"
            } else {
                result.isSound ? "sound" : "NOT IN THE LAYOUTS OF THIS PROGRAM, but not damaged"
            }
        Output.line(
            "\(verdict): \(result.events.counted("event")) in "
                + "\(result.commits.counted("commit")), "
                + "head \(Hexadecimal.text(result.head.prefix(8)))")
    }

    static var examples: [String] { ["verify", "verify --determinism --json"] }

    static var answers: [any Answer.Type] {
        [VerifyAnswer.self, DeterminismAnswer.self, StateDigests.Row.self]
    }
}
