import ArgumentParser
import Daybook
import DaybookInput
import DaybookLog

/// Command that shows what a candidate file would decide, for one value or for each value in a log.
struct TrialCommand<Body: Trial>: ToolCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Body.name, abstract: Body.summary, discussion: Body.discussion)
    }

    /// Options for the candidate file, for the value to decide for, and for the times of the
    /// decision; the help lists them first.
    @OptionGroup var firstOptions: DeclaredOptions<FirstOptions>

    @Option(
        name: .customLong("rules"), help: "Rule set to decide by.", completion: Completions.rules)
    private var rulesOption = RulesOption(.standard)

    /// All other options of the trial, none of which is required.
    @OptionGroup var otherOptions: DeclaredOptions<OtherOptions>
    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    enum FirstOptions: OptionProviding {
        static var options: [FileOption] {
            [Body.file, Body.subject] + Body.options.filter { $0.form == .time }
        }
        /// Name of the option for the candidate file; times are required because of their form.
        static var requiredNames: Set<String> { [Body.file.name] }
        static var fileOptionNames: Set<String> { [Body.file.name] }
    }

    enum OtherOptions: OptionProviding {
        static var options: [FileOption] { Body.options.filter { $0.form != .time } }
        static var requiredNames: Set<String> { [] }
    }

    private var options: FileOptions { firstOptions.values.merging(otherOptions.values) }

    /// Largest number of warnings with the same code that are printed.
    private static var maxWarnings: Int { 20 }

    private var file: String { options[Body.file] ?? "" }

    func validate() throws {
        try options.checkChoices(Body.options)
        let isNamed = options.has(Body.subject)
        if !isNamed, !log.isNamed {
            throw ValidationError(
                "Give --\(Body.subject.name) to try one \(Body.noun), or --log to try all "
                    + "\(Body.noun)s of a log.")
        }
        if isNamed, log.log == nil, moment.isGiven {
            throw ValidationError(
                "--at and --valid-at can only be used with a log; set the log with --log PATH.")
        }
    }

    func run() throws {
        var options = try options.readingTimes(Body.options)
        try options.check(Body.options)
        let bytes = try InputFile.bytes(of: file)
        for option in Body.options where option.form == .file {
            options[content: option] = try options[option].map { try InputFile.bytes(of: $0) }
        }
        let trial: Body
        do throws(InputError) {
            trial = try Body(bytes, options, rulesOption.rules, reading: .standard)
        } catch {
            // An error of a further file names that file itself.
            throw Failure(.usage, "\(error.file == nil ? error.inFile(file) : error)")
        }
        show(trial.warnings)
        let value = options[Body.subject]
        if let value { show(trial.answer(for: value)) }
        if value == nil || log.log != nil { try showLog(trial) }
        if trial.isIrrelevant { throw Failure(.finding) }
    }

    private func showLog(_ trial: Body) throws {
        let log = try log.open(.read)
        var state = Body.Model.State.blank
        try mappingLogErrors {
            let query = Query(Query.Item(kinds: Body.Model.kinds))
            try log.reader(query, ReadWindow(through: moment.through(log))).fold(
                Body.Model.self, into: &state, validThrough: moment.validThrough(),
                upcasting: catalogue())
        }
        for answer in trial.answers(state) { show(answer) }
    }

    private func show(_ answer: TrialAnswer) {
        guard !output.json else { return Output.json(answer.json) }
        Output.lines(answer.lines)
    }

    /// Prints at most `maxWarnings` warnings for each code, and the number of further warnings.
    private func show(_ warnings: [TrialWarning]) {
        var counts: [String: Int] = [:]
        for warning in warnings {
            counts[warning.code, default: 0] += 1
            if counts[warning.code, default: 0] <= Self.maxWarnings {
                StandardError.message("\(file): \(warning.message)")
            }
        }
        for (code, count) in counts.sorted(by: { $0.key < $1.key }) where count > Self.maxWarnings {
            StandardError.message(
                "\(file): \(code): \(count - Self.maxWarnings) more warnings of this kind")
        }
    }

    static var examples: [String] {
        let times = Body.options.filter { $0.form == .time }.map { " --\($0.name) now" }.joined()
        let call = "\(Body.name) --\(Body.file.name) file\(times)"
        return [
            "\(call) --\(Body.subject.name) \(Body.subject.placeholder.uppercased())",
            "\(call) --log log.daybook",
        ]
    }

    var isPaged: Bool { true }
}
