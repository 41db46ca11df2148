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
        let catalogue = try catalogue()
        let description = try projection.description(in: catalogue)
        try projection.check(key, of: description)
        let log = try log.open(.read)
        try answering {
            let validThrough = try moment.validThrough()
            var timeline = Timeline(of: description, rules: projection.rules)
            try log.read(description.query(key: key), through: try moment.through(log)) {
                (event) throws(LogError) in
                if let validThrough, event.envelope.occurredAt > validThrough { return true }
                let step: Timeline.Step
                do throws(FoldError) {
                    step = try timeline.advance(with: try catalogue.upcast(event))
                } catch {
                    throw .fold(error)
                }
                show(step, try log.commit(at: event.position))
                return true
            }
            if timeline.isEmpty {
                throw Failure(.finding, "no event of \(description.noun) '\(key)' there")
            }
        }
    }

    private func show(_ step: Timeline.Step, _ commit: RecordedCommit?) {
        if output.json {
            print(json(step, commit))
            return
        }
        let event = step.event
        let who = [("by", commit?.metadata.actor ?? ""), ("on", commit?.metadata.device ?? "")]
            .filter { !$0.1.isEmpty }.map { " \($0) \($1)" }.joined()
        print(
            "\(event.position)  \(Timestamp.text(event.envelope.occurredAt))  \(event.kind)"
                + (who.isEmpty ? "" : " " + who) + (step.isInert ? "  (changes nothing)" : ""))
        for leaf in reasons(of: event) { print("    because \(leaf.path) \(leaf.value)") }
        for change in step.changes {
            let (before, after) = (change.before ?? "–", change.after ?? "–")
            print(
                "    \(change.path): \(readable(before, change.path)) → "
                    + readable(after, change.path))
        }
    }

    /// What the event itself says about why.
    private func reasons(of event: RecordedEvent) -> [FlatFields.Leaf] {
        let names: Set = ["reason", "cause", "detail", "message", "trigger", "basis"]
        do {
            let leaves = try unsafe catalogue().events[event.kind]?.leaves(event.payload.span.bytes)
            return (leaves ?? []).filter { names.contains($0.path) && $0.value != "null" }
        } catch {
            // Its fold has read it, so that this cannot be; there is nothing to say then.
            return []
        }
    }

    private func json(_ step: Timeline.Step, _ commit: RecordedCommit?) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("position", Int64(step.event.position.rawValue))
            writer.member("kind", step.event.kind.name)
            writer.member("occurredAt", Timestamp.text(step.event.envelope.occurredAt))
            writer.member("recordedAt", Timestamp.text(step.event.envelope.recordedAt))
            writer.member("commit", commit.map { Int64($0.first.rawValue) })
            writer.member("actor", commit?.metadata.actor)
            writer.member("device", commit?.metadata.device)
            writer.member("inert", step.isInert)
            writer.name("changes")
            writer.array { writer in
                for change in step.changes {
                    writer.object { writer in
                        writer.member("field", change.path)
                        writer.name("before")
                        writer.raw(change.before ?? "null")
                        writer.name("after")
                        writer.raw(change.after ?? "null")
                    }
                }
            }
        }
        return writer.text
    }
}
