import ArgumentParser
import EventSourcing
import EventStorage
import Playback

struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Record what a projection was after every event, as JSON lines.",
        discussion: """
            The first line says what it is a trace of; each further one is an event with the fields \
            that it changed. '\(ReplayTool.name) compare' holds traces against each other: of two builds, two \
            rule sets or two logs.
            """)

    @OptionGroup var projection: ProjectionOptions

    @Argument(
        help: ArgumentHelp("The entity; all without it.", valueName: "key"), transform: identifier)
    var key: String?

    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions

    func run() throws {
        try projection.ask(key, log, moment) { reading, description in
            Output.json(JSONWriter.text(try reading.traceHeader(description, projection.rules)))
            try reading.trace(of: description, projection.rules, key)
        }
    }
}

extension ProjectionReading {
    func traceHeader(
        _ projection: ProjectionDescription, _ rules: RuleSet
    ) throws(LogError) -> Trace.Header {
        var header = Trace.Header.blank
        header.projection = projection.name
        header.rules = rules
        header.log = try log.commit(at: Position(1)).map { Hexadecimal.text($0.chain) } ?? ""
        header.through = Int64(clamping: through.rawValue)
        return header
    }

    /// Prints what every event made of its entities.
    func trace(
        of projection: ProjectionDescription, _ rules: RuleSet, _ key: String?
    ) throws {
        let walk = try entities.walk(of: projection, key)
        let trace = SharedTrace(along: walk, rules, self)
        while let lines = try trace.next() { Output.json(lines: lines) }
    }
}
