import ArgumentParser
import CivilTime
import EventSourcing
import EventStorage
import Playback

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show every transition of one entity, field by field, with its cause.")

    @OptionGroup var projection: ProjectionOptions

    @Argument(
        help: ArgumentHelp("The entity: a launch, a device, …", valueName: "key"),
        transform: identifier)
    var key: String

    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try projection.ask(key, log, moment) { reading, description in
            let printer = StepPrinter(log: reading.log)
            var timeline = Timeline(of: description, rules: projection.rules)
            let walk = try reading.entities.walk(of: description, key)
            try reading.entities.forEachRecorded(along: walk) { (event, _) throws(LogError) in
                let step = try folding { () throws(FoldError) in
                    try timeline.advance(with: event)
                }
                try show(step, printer, reading)
                return true
            }
            if timeline.isEmpty {
                throw reading.nothing(of: description.noun, key)
            }
        }
    }

    private func show(
        _ step: Timeline.Step, _ printer: StepPrinter, _ reading: ProjectionReading
    ) throws(LogError) {
        guard !output.json else {
            return Output.json(
                try printer.json { (writer) throws(LogError) in
                    try printer.members(step.event, &writer)
                    writer.member("inert", step.isInert)
                    StepPrinter.changes(step.changes, &writer)
                })
        }
        Output.line(try printer.headline(step.event) + (step.isInert ? "  (changes nothing)" : ""))
        for leaf in try reasons(of: step.event, reading) {
            Output.line("    because \(leaf.path) \(leaf.value)")
        }
        for change in step.changes { Output.line(StepPrinter.line(change)) }
    }

    /// What the event itself says about why.
    private func reasons(
        of event: RecordedEvent, _ reading: ProjectionReading
    ) throws(LogError) -> [FlatFields.Leaf] {
        let names: Set = ["reason", "cause", "detail", "message", "trigger", "basis"]
        guard let description = reading.catalogue.events[event.kind] else { return [] }
        var failure: LogError?
        let leaves: [FlatFields.Leaf]
        do throws(CorruptPayload) {
            leaves = try unsafe description.leaves(event.payload.span.bytes) { field in
                do throws(LogError) {
                    return try reading.log.personalText(at: event.position, field: field)
                } catch {
                    failure = error
                    return nil
                }
            }
        } catch {
            // Its fold has read it, so that this cannot be; there is nothing to say then.
            return []
        }
        if let failure { throw failure }
        return leaves.filter { names.contains($0.path) && $0.value != "null" }
    }
}
