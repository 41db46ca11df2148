import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The command `trace`, which writes the changes of a projection by every event.
struct TraceCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Write the changes of a projection by every event, as JSON lines.",
        discussion: """
            The first line describes the trace; each further line is an event with the fields that \
            it changed. With --report daily --with baby=b --from 2020-01-01 --to 2020-12-31 each \
            further line is a period with the report's answer. '\(Program.name) compare' compares \
            the traces of two builds, two rule sets or two logs.
            """)

    @OptionGroup var subject: SubjectOptions

    @Argument(
        help: .text("Id of the entity; all by default.", "key"), completion: Completions.entityKeys,
        transform: identifier)
    var key: String?

    @Flag(
        help: """
            Print a SHA-256 of the trace, which shows whether two builds agree; of all projections \
            by default.
            """)
    var digest = false

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    mutating func validate() throws {
        (subject.projection, key) = try EntityWords.pair(subject.projection, key)
        guard !digest || key == nil && subject.report.report == nil else {
            throw ValidationError("--digest is for all entities of a projection.")
        }
        if !digest { try subject.validateSelection() }
    }

    func run() throws {
        let rules = subject.rules
        if digest, subject.projection == nil {
            return try moment.answer(try log.open(.read), catalogue()) { reading in
                for digest in try TraceDigest.all(rules, in: reading) {
                    Output.json(JSONWriter.text(digest))
                }
            }
        }
        switch try subject.selectedSubject(key, as: moment, in: catalogue(), log) {
        case .report(let question):
            try moment.answer(try log.open(.read), catalogue()) { reading in
                let (header, answers) = try question.answers(in: reading, as: moment)
                Output.json(JSONWriter.text(header))
                for answer in answers { Output.json(ReportTrace.line(answer)) }
            }
        case .projection(let description):
            let log = try log.open(.read)
            try moment.answer(log, catalogue(), about: key.map(description.tag)) { reading in
                if key == nil { try KeptStates.detailed.announce(for: log) }
                if digest {
                    let digest = try TraceDigest(of: description, rules, in: reading)
                    return Output.json(JSONWriter.text(digest))
                }
                Output.json(JSONWriter.text(try reading.traceHeader(description, rules)))
                let walk = try reading.entities.walk(of: description, key)
                let trace = ParallelTrace(along: walk, rules, reading)
                while let lines = try trace.next() { Output.json(lines: lines) }
            }
        }
    }

    static var examples: [String] { ["trace \(ExampleNames.current.name) > before.trace"] }

    var isPaged: Bool { true }
}
