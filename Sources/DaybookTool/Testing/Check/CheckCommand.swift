import ArgumentParser
import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookScenarios

/// The command `check`, which runs scenarios: recorded stories with their expected outcome.
struct CheckCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Run scenarios: recorded stories with their expected outcome.",
        discussion: "In folders, every file that ends in .yaml or .yml is run.")

    @Argument(help: .text("Scenario files or folders of them.", "path"), completion: .file())
    var paths: [String]

    @Option(
        help: .text(
            "Also write a JUnit report to this file; only an earlier report is replaced.", "file"),
        completion: .file())
    var junit: String?

    @Flag(help: "Show failed expectations, and rewrite them in their files.")
    var update = false

    @Option(
        help: .text("Folder of the compiled tz database, for reports.", "folder"),
        completion: .directory)
    var tzdata = ZoneFiles.standardFolder

    @Option(
        help: .text(
            "Show which event kinds and declared transitions the scenarios cover; fail below this "
                + "percentage, and on undeclared transitions.", "percent"))
    var coverage: Int?

    @Option(
        help: .text(
            "With --coverage: allow this undeclared transition; may be repeated.", "transition"))
    var undeclared: [String] = []

    @OptionGroup var output: GateOptions

    func validate() throws {
        guard !update || !output.form.isForBuildServers else {
            throw ValidationError(
                "--update repairs what --format \(output.form.rawValue) would report; give only one "
                    + "of them.")
        }
        guard let coverage else {
            guard undeclared.isEmpty else {
                throw ValidationError("--undeclared requires --coverage.")
            }
            return
        }
        guard (0...100).contains(coverage) else {
            throw ValidationError(
                "--coverage: expected a percentage from 0 to 100, found \(coverage).")
        }
    }

    /// Treatment of an existing file: it is replaced only if it is an earlier JUnit report.
    private static let replacesEarlierReport = OutputFile.Existing.replacedIfItBegins(
        with: JUnitReport.start)

    /// Returns the tz database in the folder of `--tzdata`; `nil` if the folder has none. Only
    /// scenarios with reports need zones.
    private func zones() -> ZoneSource? {
        do throws(ZoneFilesError) { return try ZoneFiles.source(folder: tzdata) } catch {
            return nil
        }
    }

    func run() throws {
        if let junit { try OutputFile.check(junit, over: Self.replacesEarlierReport) }
        let catalogue = catalogue()
        let runner = ScenarioRunner(catalogue: catalogue, zones: zones())
        var results: [ScenarioResult] = []
        var errors: [InputError] = []
        var files: [(file: ScenarioFile, results: [ScenarioResult])] = []
        let paths = try scenarioFiles()
        for (index, path) in paths.enumerated() {
            Progress.setCount(index, of: paths.count, "scenario files")
            do throws(InputError) {
                let file = try ScenarioFile.parse(
                    try text(of: path), path: path, catalogue: catalogue
                ) { (recorded) throws(InputError) in
                    try text(of: ScenarioFile.path(of: recorded, beside: path))
                }
                let outcome = try runner.run(file)
                results.append(contentsOf: outcome)
                files.append((file, outcome))
                if output.form == .json { outcome.forEach { Output.answer(CheckAnswer($0)) } }
            } catch {
                errors.append(error)
                StandardError.message("\(error)")
            }
        }
        // If no scenario could be read, messages have said why, and no scenario was run.
        if output.form == .text, !results.isEmpty { Output.text(ScenarioReport.text(results)) }
        if let junit {
            try OutputFile.write(
                JUnitReport.xml(results, errors: errors, suite: "\(Program.name) check"), to: junit,
                over: Self.replacesEarlierReport)
        }
        var report = GateReport(of: results, errors)
        let isCovered = try errors.isEmpty && showCoverage(of: results, catalogue, in: &report)
        report.print(
            as: output.form, of: paths.first ?? "",
            tests: JUnitReport.tests(of: results, errors: errors) + report.coverageTests)
        guard errors.isEmpty else { throw Failure(.usage) }
        guard update else {
            guard isCovered else { throw Failure(.finding) }
            guard results.allSatisfy(\.passed) else { throw Failure(.finding) }
            return
        }
        try rewrite(files)
    }

    /// Prints the coverage, or adds what is missing to a report; returns false if it is too low or
    /// if a transition is undeclared.
    private func showCoverage(
        of results: [ScenarioResult], _ catalogue: Catalogue, in report: inout GateReport
    ) throws -> Bool {
        guard let coverage else { return true }
        var found = ScenarioCoverage(catalogue)
        try mappingLogErrors {
            for result in results { try found.add(result) }
        }
        for part in found.parts {
            let sentence = "\(part.coveredCount) of \(part.totalCount) covered, \(part.percent) %"
            switch output.form {
            case .json:
                Output.answer(
                    CoverageAnswer(
                        coveredSet: part.name, coveredCount: Int64(part.coveredCount),
                        totalCount: Int64(part.totalCount), uncoveredNames: part.uncovered))
            case .text:
                Output.line("\(part.name): \(sentence)")
                for name in part.uncovered { Output.line("  not \(name)") }
            case .junit, .sarif, .annotations:
                guard part.percent < coverage else { continue }
                let names = part.uncovered.joined(separator: ", ")
                report.addCoverage(of: part.name, "\(sentence): not \(names)")
            }
        }
        let isDeclared = showUndeclared(found.undeclaredTransitions, in: &report)
        return isDeclared && found.parts.allSatisfy { $0.percent >= coverage }
    }

    /// Prints or reports undeclared transitions; returns true if they are those of `--undeclared`.
    private func showUndeclared(_ transitions: [String], in report: inout GateReport) -> Bool {
        for transition in transitions {
            let isNamed = undeclared.contains(transition)
            switch output.form {
            case .json: Output.answer(UndeclaredAnswer(transition: transition, isAllowed: isNamed))
            case _ where isNamed: break
            case .text: Output.line("not declared  \(transition)")
            case .junit, .sarif, .annotations: report.addCoverage(of: transition, "not declared")
            }
        }
        let unseen = undeclared.filter { !transitions.contains($0) }
        for transition in unseen {
            StandardError.message("--undeclared '\(transition)': no scenario has this transition")
            report.addCoverage(of: transition, "named with --undeclared, but in no scenario")
        }
        return unseen.isEmpty && transitions.allSatisfy(undeclared.contains)
    }

    /// Rewrites failed expectations; throws `Failure` if some must be changed by hand.
    private func rewrite(_ files: [(file: ScenarioFile, results: [ScenarioResult])]) throws {
        var needsManualChange = false
        for (file, results) in files where !results.allSatisfy(\.passed) {
            let updated = ScenarioUpdate.update(file, with: results)
            if updated.changeCount > 0 {
                try OutputFile.write(updated.text, to: file.path, over: .replaced)
            }
            StandardError.message(
                "\(file.path): \(updated.changeCount) expectations rewritten, "
                    + "\(updated.unresolvedFailures.count) to change by hand")
            needsManualChange = needsManualChange || !updated.unresolvedFailures.isEmpty
        }
        if needsManualChange { throw Failure(.finding) }
    }

    /// Returns the paths of the scenario files; files within a folder are sorted.
    private func scenarioFiles() throws -> [String] {
        var files: [String] = []
        for path in paths {
            guard let isFolder = Folders.isFolder(path) else {
                throw Failure(.usage, "\(path): there is no such file or folder")
            }
            guard isFolder else {
                files.append(path)
                continue
            }
            let inside = try Folders.subpaths(of: path)
                .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
                .sorted { $0.precedesByBytes($1) }
            guard !inside.isEmpty else {
                throw Failure(.usage, "\(path): the folder contains no .yaml or .yml file")
            }
            files += inside.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
        }
        return files
    }

    /// Returns the text of a file, which must be UTF-8.
    private func text(of path: String) throws(InputError) -> String {
        do {
            let bytes = try InputFile.bytes(of: path)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Failure(.usage, "\(path): the file is not valid UTF-8")
            }
            return text
        } catch { throw InputError((error as? Failure)?.message ?? "\(path): \(error)") }
    }

    static var examples: [String] {
        ["check Scenarios", "check Scenarios --coverage 80 --junit report.xml"]
    }

    static var answers: [any Answer.Type] {
        [CheckAnswer.self, CoverageAnswer.self, UndeclaredAnswer.self]
    }

    static var storeUse: StoreUse { .noLog }
}
