import CivilTime
public import EventSourcing

/// The transitions of a state machine that a log shows, beside those that are declared.
public struct TransitionMatrix: Sendable {
    /// How often a transition happened.
    public struct Count: Sendable {
        public var transition: StateMachine.Transition
        public var isLegal: Bool
        /// 0 for one that is declared and never happened.
        public var count = 0
        /// Positions.
        public var first: Position?
        public var last: Position?
        /// An entity that made it first.
        public var key = ""
    }

    /// How long entities were in a state, by the devices' clocks.
    public struct Stay: Sendable {
        public var state: String
        /// Stays that ended.
        public var ended = 0
        /// Entities that are there still.
        public var open = 0
        /// Total length of the stays that ended.
        public var totalUs: Int64 = 0
        public var longestUs: Int64 = 0
        /// Stays whose end is told with an earlier time than their begin; they count in no length.
        public var backward = 0
    }

    private struct Entity {
        var fold: Fold
        var state = StateMachine.beginning
        var sinceUs: Int64?
    }

    public let machine: StateMachine
    private let projection: ProjectionDescription
    private let rules: RuleSet
    private var entities: [String: Entity] = [:]
    private var counts: [StateMachine.Transition: Count] = [:]
    private var stays: [String: Stay] = [:]
    public private(set) var events = 0
    private var last = Position.origin

    public init(
        _ machine: StateMachine, of projection: ProjectionDescription, rules: RuleSet
    ) {
        self.machine = machine
        self.projection = projection
        self.rules = rules
    }

    public var entityCount: Int { entities.count }

    /// - Parameters:
    ///   - event: the next of the projection's, in its newest layout.
    ///   - key: an entity it is about.
    public mutating func take(
        _ event: borrowing EventView, _ key: String
    ) throws(FoldError) {
        if last != event.position { events += 1 }
        last = event.position
        var entity = entities.removeValue(forKey: key) ?? Entity(fold: projection.fold(rules))
        try entity.fold.apply(event)
        let state =
            entity.fold.leaves.first { $0.path == machine.field }
            .map { $0.value.filter { $0 != "\"" } } ?? StateMachine.beginning
        count(
            StateMachine.Transition(
                from: entity.state, event: String(event.kind.stem), to: state),
            event.position, key)
        let now = event.envelope.occurredAt.microseconds
        if state != entity.state {
            stay(in: entity.state, from: entity.sinceUs, to: now)
            entity.sinceUs = now
        }
        entity.state = state
        entities[key] = entity
    }

    private mutating func count(
        _ transition: StateMachine.Transition, _ position: Position, _ key: String
    ) {
        var count =
            counts[transition]
            ?? Count(transition: transition, isLegal: machine.legal.contains(transition))
        count.count += 1
        if count.first == nil {
            count.first = position
            count.key = key
        }
        count.last = position
        counts[transition] = count
    }

    private mutating func stay(in state: String, from: Int64?, to: Int64) {
        guard let from else { return }
        var stay = stays[state] ?? Stay(state: state)
        defer { stays[state] = stay }
        guard from <= to else {
            stay.backward += 1
            return
        }
        let length = Int64(clamping: Int128(to) - Int128(from))
        stay.ended += 1
        stay.totalUs = Int64(clamping: Int128(stay.totalUs) + Int128(length))
        stay.longestUs = max(stay.longestUs, length)
    }

    /// Everything that happened, and what is declared and never did.
    public var transitions: [Count] {
        var all = counts
        for transition in machine.legal where all[transition] == nil {
            all[transition] = Count(transition: transition, isLegal: true)
        }
        return all.values.sorted { $0.transition < $1.transition }
    }

    public var illegal: [Count] { transitions.filter { !$0.isLegal } }

    public var times: [Stay] {
        var all = stays
        for entity in entities.values {
            all[entity.state, default: Stay(state: entity.state)].open += 1
        }
        return all.values.sorted { $0.state < $1.state }
    }
}

extension TransitionMatrix {
    /// A matrix of states with the number of each transition; undeclared ones are red, and declared
    /// ones that never happened are dots.
    public var svg: String {
        let all = transitions
        let states = Set(all.flatMap { [$0.transition.from, $0.transition.to] }).sorted()
        let cell = 96
        let left = 150
        let top = 110
        let width = left + cell * states.count + 24
        let height = top + 40 * states.count + 40
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(width)" height="\(height)" font-family="Helvetica, Arial, sans-serif" \
            font-size="12" fill="#222">
            <title>Transitions of \(machine.projection)</title>
            <rect width="\(width)" height="\(height)" fill="#fff"/>
            <text x="24" y="34" font-size="20" font-weight="bold">\(machine.projection): \
            \(entities.count) of them, \(events.counted("event"))</text>
            <text x="24" y="56" fill="#555">from the left to the top; red is not declared, a dot \
            is declared and was never seen</text>

            """
        for (index, state) in states.enumerated() {
            svg += "<text x=\"\(left + cell * index + cell / 2)\" y=\"\(top - 12)\" "
            svg += "text-anchor=\"middle\">\(state.visible.escapedForXML)</text>\n"
            svg += "<text x=\"\(left - 12)\" y=\"\(top + 40 * index + 25)\" "
            svg += "text-anchor=\"end\">\(state.visible.escapedForXML)</text>\n"
        }
        for (row, from) in states.enumerated() {
            for (column, to) in states.enumerated() {
                let ways = all.filter { $0.transition.from == from && $0.transition.to == to }
                svg += Self.cell(
                    ways, x: left + cell * column, y: top + 40 * row, width: cell, height: 40)
            }
        }
        return svg + "</svg>\n"
    }

    private static func cell(
        _ ways: [Count], x: Int, y: Int, width: Int, height: Int
    ) -> String {
        let count = ways.reduce(0) { $0 + $1.count }
        let isIllegal = ways.contains { !$0.isLegal }
        let fill = isIllegal ? "#fde8e8" : count > 0 ? "#e8f1fb" : "#fff"
        let text = count > 0 ? "\(count)" : ways.isEmpty ? "" : "·"
        let title = ways.map {
            "\($0.count) \($0.transition.event)\($0.isLegal ? "" : " (not declared)")"
        }.joined(separator: ", ")
        return
            "<g><title>\(title.visible.escapedForXML)</title><rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" "
            + "height=\"\(height)\" fill=\"\(fill)\" stroke=\"#ddd\"/><text "
            + "x=\"\(x + width / 2)\" y=\"\(y + height / 2 + 4)\" text-anchor=\"middle\" "
            + "fill=\"\(isIllegal ? "#b42318" : "#222")\">\(text)</text></g>\n"
    }
}
