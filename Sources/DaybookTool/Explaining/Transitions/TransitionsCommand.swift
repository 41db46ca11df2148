import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The command `transitions`, which compares the transitions in a log with the declared life cycle.
struct TransitionsCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "transitions",
        abstract: "Compare the transitions in a log with the declared life cycle.",
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

    @Option(help: "Form of the answer; svg, mermaid and dot draw one life cycle.")
    var format = Form.text

    @Flag(help: "Short for --format json: one object per line.")
    var json = false

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
        case svg
        case mermaid
        case dot

        /// True for a form that draws one life cycle.
        var isPicture: Bool { self != .text && self != .json }
    }

    mutating func validate() throws {
        projection = try EntityWords(projection, nil).name
        guard !format.isPicture || (projection != nil && !json) else {
            throw ValidationError(
                "--format \(format.rawValue) draws one life cycle; give its projection.")
        }
    }

    func run() throws {
        let catalogue = catalogue()
        let names = projection.map { [$0] } ?? catalogue.machines.keys.sorted()
        let log = try log.open(.read)
        try mappingLogErrors { try KeptStates.plain.announce(for: log) }
        var machines: [(machine: StateMachine, projection: ProjectionDescription)] = []
        for name in names {
            guard let machine = catalogue.machines[name],
                let description = catalogue.projections[name]
            else {
                let known = catalogue.machines.keys.sorted().joined(separator: ", ")
                let hint = NearestNames.hint(for: name, in: catalogue.machines.keys)
                throw ValidationError(
                    "There is no life cycle '\(name)'\(hint) The life cycles are: \(known).")
            }
            machines.append((machine, description))
        }
        var isSound = true
        var counted: [Result<TransitionMatrix, LogError>] = []
        for index in machines.indices {
            let matrix = try moment.answer(log, catalogue) { reading in
                if counted.isEmpty {
                    counted = TransitionMatrix.countTransitions(machines, rules.rules, in: reading)
                }
                return try counted[index].get()
            }
            show(matrix)
            isSound = isSound && matrix.illegalTransitions.isEmpty
        }
        if !isSound { throw Failure(.finding) }
    }

    /// Prints the transitions of a life cycle, and how long entities stayed in each state.
    private func show(_ matrix: TransitionMatrix) {
        if json || format == .json { return showJSON(matrix) }
        let graph = TransitionGraph(matrix)
        switch format {
        case .svg: return Output.text(graph.svg)
        case .mermaid: return Output.text(graph.mermaid)
        case .dot: return Output.text(graph.dot)
        case .text, .json: break
        }
        let machine = matrix.machine
        Output.line(
            "\(machine.projection).\(machine.field): "
                + "\(matrix.entityCount.counted("entity", "entities")), "
                + matrix.eventCount.counted("event"))
        let seen = matrix.transitions.filter { $0.count > 0 }
        var table = Table(.leading, .leading, .leading, .leading)
        for count in seen {
            table.add(
                count.transition.from, count.transition.event, count.transition.to,
                "\(count.count.counted("time")), \(positionText(count.firstPosition)) to "
                    + positionText(count.lastPosition)
                    + (count.isLegal ? "" : "  NOT DECLARED, first by \(count.firstKey)"))
        }
        Output.lines(table.lines)
        let never = matrix.transitions.filter { $0.count == 0 }
        if !never.isEmpty { Output.line("  declared but never observed:") }
        for count in never {
            let way = count.transition
            Output.line("    \(way.from) \(way.event) \(way.to)")
        }
        for stay in matrix.times where stay.state != StateMachine.beginning {
            let mean = stay.endedCount == 0 ? 0 : stay.totalUs / Int64(stay.endedCount)
            Output.line(
                "  in \(stay.state): \(stay.endedCount.counted("stay"))"
                    + (stay.endedCount == 0
                        ? ""
                        : ", \(secondsText(mean)) on average, \(secondsText(stay.longestUs)) at most")
                    + (stay.openCount == 0 ? "" : "; \(stay.openCount) not ended")
                    + (stay.backwardCount == 0
                        ? "" : "; \(stay.backwardCount) ended before it began, not counted"))
        }
    }

    private func positionText(_ position: Position?) -> String { position.map { "\($0)" } ?? "–" }

    /// Returns microseconds as seconds, such as `1.500 s`.
    private func secondsText(_ microseconds: Int64) -> String {
        (microseconds / 1_000).decimalText(places: 3, keepsZeros: true) + " s"
    }

    private func showJSON(_ matrix: TransitionMatrix) {
        for count in matrix.transitions {
            Output.answer(
                TransitionAnswer(
                    projection: matrix.machine.projection, transition: count.transition,
                    count: Int64(count.count), isDeclared: count.isLegal,
                    firstPosition: count.firstPosition, lastPosition: count.lastPosition))
        }
        for stay in matrix.times {
            Output.answer(
                StateDurationAnswer(
                    projection: matrix.machine.projection, state: stay.state,
                    endedCount: Int64(stay.endedCount), openCount: Int64(stay.openCount),
                    totalMs: stay.totalUs / 1_000, longestMs: stay.longestUs / 1_000,
                    backwardCount: Int64(stay.backwardCount)))
        }
    }

    static var examples: [String] {
        let names = ExampleNames.current
        let machine = names.catalogue.machines[names.name] == nil ? nil : names.name
        return ["transitions"]
            + (machine.map { ["transitions \($0) --format svg > states.svg"] } ?? [])
    }

    static var answers: [any Answer.Type] { [TransitionAnswer.self, StateDurationAnswer.self] }

    var isPaged: Bool { true }
}

struct TransitionAnswer: Answer {
    static let name = "transitions"
    static let summary = "A transition."

    var projection = ""
    /// States before and after the transition, and the kind of the event that causes it.
    var transition = StateMachine.Transition.blank
    /// Number of times that the transition happened; 0 if it is only declared.
    var count: Int64 = 0
    var isDeclared = false
    var firstPosition: Position?
    var lastPosition: Position?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection)
        try transition.fields(&field)
        try field(
            "count", &count, "legal", &isDeclared, "first", &firstPosition, "last", &lastPosition)
    }
}

struct StateDurationAnswer: Answer {
    static let name = "transitions.stay"
    static let summary = "How long entities stayed in a state."

    var projection = ""
    var state = ""
    /// Number of times that an entity left the state.
    var endedCount: Int64 = 0
    /// Number of entities that are still in the state.
    var openCount: Int64 = 0
    /// Total time that entities stayed in the state before leaving it, in milliseconds.
    var totalMs: Int64 = 0
    /// Longest time that an entity stayed in the state before leaving it, in milliseconds.
    var longestMs: Int64 = 0
    /// Number of times that an entity, by the devices' clocks, left the state before entering it;
    /// not included in the other numbers.
    var backwardCount: Int64 = 0

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field(
            "projection", &projection, "state", &state, "ended", &endedCount, "open", &openCount)
        try field("totalMs", &totalMs, "longestMs", &longestMs, "backward", &backwardCount)
    }
}
