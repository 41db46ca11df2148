import ArgumentParser
import EventSourcing
import EventStorage
import Playback

struct Blame: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell which event last wrote a field, and which wrote it before.",
        discussion: """
            A field is written as in '\(ReplayTool.name) history': state, notice.startUs, pending[0]. One that \
            holds others stands for all of them. Without a field, every field with its last writer.
            """)

    @OptionGroup var projection: ProjectionOptions

    @Argument(
        help: ArgumentHelp("The entity: a launch, a run, …", valueName: "key"),
        transform: identifier)
    var key: String

    @Argument(help: ArgumentHelp("The field; all without it.", valueName: "field"))
    var field: String?

    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    /// A change, and the event that made it.
    private struct Writing {
        var event: RecordedEvent
        var change: FieldChange
    }

    func run() throws {
        try projection.ask(key, log, moment) { reading, description in
            var timeline = Timeline(of: description, rules: projection.rules)
            var writings: [Writing] = []
            let (key, events) = try reading.entity(of: description, key)
            for event in events {
                let step = try timeline.advance(with: event)
                writings += step.changes.map { Writing(event: event, change: $0) }
            }
            let printer = StepPrinter(log: reading.log)
            if let field {
                try showField(field, of: key, writings, timeline, description, printer)
            } else {
                try showAll(of: key, writings, timeline, printer)
            }
        }
    }

    /// All writings of one field, the last one first.
    private func showField(
        _ field: String, of key: String, _ writings: [Writing], _ timeline: Timeline,
        _ description: ProjectionDescription, _ printer: StepPrinter
    ) throws {
        let isAsked = { (path: String) in
            path == field || path.hasPrefix(field + ".") || path.hasPrefix(field + "[")
        }
        let found = writings.filter { isAsked($0.change.path) }
        guard !found.isEmpty else {
            guard timeline.leaves.contains(where: { isAsked($0.path) }) else {
                let known = description.fields.map(\.name).joined(separator: ", ")
                throw ValidationError(
                    "\(description.name) has no field '\(field)'; it has \(known).")
            }
            throw Failure(.finding, "no event wrote '\(field)': it is as it began")
        }
        if !output.json { Output.line("\(projection.projection) \(key): who wrote \(field)") }
        for (index, writing) in found.reversed().enumerated() {
            try show(writing, isLast: index == 0, printer)
        }
    }

    /// Each field that was written, with its last writer.
    private func showAll(
        of key: String, _ writings: [Writing], _ timeline: Timeline, _ printer: StepPrinter
    ) throws {
        var last: [String: Writing] = [:]
        for writing in writings { last[writing.change.path] = writing }
        if !output.json {
            Output.line("\(projection.projection) \(key): the last writer of each field")
        }
        let width = timeline.leaves.map(\.path.count).max() ?? 0
        for leaf in timeline.leaves {
            guard let writing = last[leaf.path] else { continue }
            guard !output.json else {
                try show(writing, isLast: true, printer)
                continue
            }
            let padding = String(repeating: " ", count: width - leaf.path.count)
            Output.line(
                "  \(leaf.path)\(padding)  \(readable(leaf.value, leaf.path))  "
                    + "← \(writing.event.position) \(writing.event.kind)")
        }
    }

    private func show(
        _ writing: Writing, isLast: Bool, _ printer: StepPrinter
    ) throws(LogError) {
        guard output.json else {
            Output.line("\(isLast ? "→" : " ") \(try printer.headline(writing.event))")
            Output.line(StepPrinter.line(writing.change))
            return
        }
        Output.json(
            try printer.json { (writer) throws(LogError) in
                writer.member("field", writing.change.path)
                writer.name("before")
                writer.raw(writing.change.before ?? "null")
                writer.name("after")
                writer.raw(writing.change.after ?? "null")
                writer.member("last", isLast)
                try printer.members(writing.event, &writer)
            })
    }
}
