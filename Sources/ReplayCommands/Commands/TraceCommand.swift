import ArgumentParser
import EventSourcing
import EventStorage
import Investigation
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
            let walk = try reading.entities.walk(of: description, key)
            let trace = ParallelTrace(along: walk, projection.rules, reading)
            while let lines = try trace.next() { Output.json(lines: lines) }
        }
    }
}
