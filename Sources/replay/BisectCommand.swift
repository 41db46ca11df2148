import ArgumentParser
import CivilTime
import EventSourcing
import EventStorage
import Playback

struct Bisect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find the first event after which an expression holds.",
        discussion: """
            An expression is about the fields of a projection: 'state == forceUpdate', \
            'distanceMm > 10000000 && segments > 1', 'pending.count > 0', 'endedUs == null'. \
            Without a key the first event of any entity is found. One walk asks after every \
            event; with --monotone the events of one entity are halved, which you claim to be \
            right: that it holds from some event on. The claim is checked where it can be.
            """)

    @OptionGroup var projection: ProjectionOptions

    @Argument(
        help: ArgumentHelp("The entity: a launch, a run, … Any without it.", valueName: "key"),
        transform: identifier)
    var key: String?

    @Option(help: ArgumentHelp("What is to hold.", valueName: "expression"))
    var until: String

    @Flag(help: "It holds from some event on: halve instead of walking.")
    var monotone = false

    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !monotone || key != nil else {
            throw ValidationError("--monotone halves the events of one entity; name its key.")
        }
    }

    func run() throws {
        let catalogue = try catalogue()
        let description = try projection.description(in: catalogue)
        try projection.check(key, of: description)
        let expression = try projection.expression(until, over: description, "--until")
        let log = try log.open(.read)
        try answering {
            let reading = try ProjectionReading(log, moment, catalogue)
            let found =
                if let key {
                    try search(reading, description, key, expression)
                } else {
                    try walk(reading, description, expression)
                }
            guard let found else {
                throw Failure(
                    .finding, "it never holds up to position \(reading.through): \(until)")
            }
            try show(found.key, found.answer, StepPrinter(log: log))
        }
    }

    private func search(
        _ reading: ProjectionReading, _ description: ProjectionDescription, _ key: String,
        _ expression: Expression
    ) throws -> (key: String, answer: Bisection.Answer)? {
        let (key, events) = try reading.entity(of: description, key)
        let answer: Bisection.Answer?
        do {
            answer =
                monotone
                ? try Bisection.halve(events, description, projection.rules, until: expression)
                : try Bisection.walk(events, description, projection.rules, until: expression)
        } catch let error as Bisection.Claim {
            throw Failure(.finding, "\(error)")
        }
        return answer.map { (key, $0) }
    }

    private func walk(
        _ reading: ProjectionReading, _ description: ProjectionDescription,
        _ expression: Expression
    ) throws -> (key: String, answer: Bisection.Answer)? {
        var timelines: [String: Timeline] = [:]
        var found: (key: String, answer: Bisection.Answer)?
        var probes = 0
        var walk = try reading.walk(of: description, nil)
        try reading.forEach(along: &walk) { (event, keys) throws(LogError) in
            for key in keys {
                var timeline =
                    timelines.removeValue(forKey: key)
                    ?? Timeline(of: description, rules: projection.rules)
                let step = try folding { () throws(FoldError) in
                    try timeline.advance(with: event)
                }
                timelines[key] = timeline
                probes += 1
                guard expression.holds(for: step.after) else { continue }
                found = (key, Bisection.Answer(step: step, probes: probes))
                return false
            }
            return true
        }
        return found
    }

    private func show(
        _ key: String, _ answer: Bisection.Answer, _ printer: StepPrinter
    ) throws(LogError) {
        let step = answer.step
        guard !output.json else {
            return print(
                try printer.json { (writer) throws(LogError) in
                    writer.member("projection", projection.projection)
                    writer.member("key", key)
                    writer.member("until", until)
                    writer.member("rules", projection.rules)
                    writer.member("probes", Int64(answer.probes))
                    try printer.members(step.event, &writer)
                    StepPrinter.changes(step.changes, &writer)
                })
        }
        print("\(projection.projection) \(key): \(until)")
        print("holds first after position \(try printer.headline(step.event))")
        for change in step.changes { print(StepPrinter.line(change)) }
        print("(\(answer.probes) states asked)")
    }
}

extension ProjectionOptions {
    /// The expression of an option, held to the fields of the projection.
    func expression(
        _ text: String, over description: ProjectionDescription, _ option: String
    ) throws -> Expression {
        do throws(ExpressionError) {
            return try Expression(text, over: description.fields, named: description.name)
        } catch {
            throw ValidationError("\(option) '\(text)': \(error)")
        }
    }
}
