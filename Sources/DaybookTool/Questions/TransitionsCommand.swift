import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog
import DaybookScenarios

struct Transitions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transitions",
        abstract:
            "Compare the transitions in a log with the declared life cycle.",
        discussion: """
            Each transition is listed with its count and its first and last position, then \
            undeclared transitions, declared ones that never happened, and how long entities stayed \
            in each state. The exit code is 1 if there is an undeclared transition.
            """)

    @Argument(
        help: "Projection; by default every projection with a life cycle.",
        completion: Completions.machines)
    var projection: String?

    @Option(help: "Rule set to fold with.", completion: Completions.rules)
    var rules = RulesOption(.standard)

    @Option(help: "Form of the answer; svg draws one life cycle.")
    var format = Form.text

    @Flag(help: "Short for --format json: one object per line.")
    var json = false

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
        case svg
    }

    func validate() throws {
        guard format != .svg || (projection != nil && !json) else {
            throw ValidationError("--format svg draws one life cycle; give its projection.")
        }
    }

    func run() throws {
        let catalogue = try catalogue()
        let names = projection.map { [$0] } ?? catalogue.machines.keys.sorted()
        let log = try log.open(.read)
        var isSound = true
        for name in names {
            guard let machine = catalogue.machines[name],
                let description = catalogue.projections[name]
            else {
                let known = catalogue.machines.keys.sorted().joined(separator: ", ")
                let hint = NearestNames.hint(for: name, in: catalogue.machines.keys)
                throw ValidationError(
                    "There is no life cycle '\(name)'\(hint) There are: \(known).")
            }
            let matrix = try moment.answer(log, catalogue) { reading in
                try TransitionMatrix.observed(machine, of: description, rules.rules, in: reading)
            }
            show(matrix)
            isSound = isSound && matrix.illegal.isEmpty
        }
        if !isSound { throw Failure(.finding) }
    }

    private func show(_ matrix: TransitionMatrix) {
        if format == .svg { return Output.text(TransitionGraph(matrix).svg) }
        if json || format == .json { return showJSON(matrix) }
        let machine = matrix.machine
        Output.line(
            "\(machine.projection).\(machine.field): "
                + "\(matrix.entityCount.counted("entity", "entities")), "
                + matrix.events.counted("event"))
        let seen = matrix.transitions.filter { $0.count > 0 }
        var table = Table(.leading, .leading, .leading, .leading)
        for count in seen {
            table.add(
                count.transition.from, count.transition.event, count.transition.to,
                "\(count.count.counted("time")), \(place(count.first)) to \(place(count.last))"
                    + (count.isLegal ? "" : "  NOT DECLARED, first by \(count.key)"))
        }
        Output.lines(table.lines)
        let never = matrix.transitions.filter { $0.count == 0 }
        if !never.isEmpty { Output.line("  declared but never observed:") }
        for count in never {
            let way = count.transition
            Output.line("    \(way.from) \(way.event) \(way.to)")
        }
        for stay in matrix.times where stay.state != StateMachine.beginning {
            let mean = stay.ended == 0 ? 0 : stay.totalUs / Int64(stay.ended)
            Output.line(
                "  in \(stay.state): \(stay.ended.counted("stay"))"
                    + (stay.ended == 0
                        ? "" : ", \(seconds(mean)) on average, \(seconds(stay.longestUs)) at most")
                    + (stay.open == 0 ? "" : "; \(stay.open) not ended")
                    + (stay.backward == 0
                        ? "" : "; \(stay.backward) ended before it began, not counted"))
        }
    }

    private func place(_ position: Position?) -> String { position.map { "\($0)" } ?? "–" }

    private func seconds(_ microseconds: Int64) -> String {
        (microseconds / 1_000).decimalText(places: 3, keepsZeros: true) + " s"
    }

    private func showJSON(_ matrix: TransitionMatrix) {
        for count in matrix.transitions {
            Output.answer(
                TransitionAnswer(
                    projection: matrix.machine.projection, transition: count.transition,
                    count: Int64(count.count), legal: count.isLegal, first: count.first,
                    last: count.last))
        }
        for stay in matrix.times {
            Output.answer(
                StayAnswer(
                    projection: matrix.machine.projection, state: stay.state,
                    ended: Int64(stay.ended), open: Int64(stay.open),
                    totalMs: stay.totalUs / 1_000, longestMs: stay.longestUs / 1_000,
                    backward: Int64(stay.backward)))
        }
    }
}

struct TransitionAnswer: Answer {
    static let name = "transitions"
    static let summary = "A transition."

    var projection = ""
    var transition = StateMachine.Transition.blank
    var count: Int64 = 0
    var legal = false
    var first: Position?
    var last: Position?

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection)
        try transition.fields(&field)
        try field("count", &count, "legal", &legal, "first", &first, "last", &last)
    }
}

struct StayAnswer: Answer {
    static let name = "transitions.stay"
    static let summary = "How long entities stayed in a state."

    var projection = ""
    var state = ""
    var ended: Int64 = 0
    var open: Int64 = 0
    var totalMs: Int64 = 0
    var longestMs: Int64 = 0
    /// Number of stays that ended before they began.
    var backward: Int64 = 0

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection, "state", &state, "ended", &ended, "open", &open)
        try field("totalMs", &totalMs, "longestMs", &longestMs, "backward", &backward)
    }
}
