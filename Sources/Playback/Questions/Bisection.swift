public import EventSourcing

/// Looks for the first event after which an expression holds for an entity.
public enum Bisection {
    /// What was found.
    public struct Answer: Sendable {
        public var step: Timeline.Step
        /// How often a state was made to ask it.
        public var probes: Int

        public init(step: Timeline.Step, probes: Int) {
            self.step = step
            self.probes = probes
        }
    }

    public enum Claim: Error, Hashable, Sendable, CustomStringConvertible {
        /// It was said to hold from some event on, and does not at a later one.
        case isNotMonotone(holdsAt: Position, notAt: Position)

        public var description: String {
            switch self {
            case .isNotMonotone(let holds, let fails):
                "it holds after position \(holds) and no longer after \(fails), so that "
                    + "--monotone does not"
            }
        }
    }

    /// One walk over an entity's events, asking after each.
    public static func walk(
        _ events: [RecordedEvent], _ projection: ProjectionDescription, _ rules: RuleSet,
        until expression: Expression
    ) throws(FoldError) -> Answer? {
        var timeline = Timeline(of: projection, rules: rules)
        for (index, event) in events.enumerated() {
            let step = try timeline.advance(with: event)
            if expression.holds(for: step.after) { return Answer(step: step, probes: index + 1) }
        }
        return nil
    }

    /// Halving, for an expression that holds from some event on and stays so.
    ///
    /// The claim is checked at the event found, the one before it, and the last.
    public static func halve(
        _ events: [RecordedEvent], _ projection: ProjectionDescription, _ rules: RuleSet,
        until expression: Expression
    ) throws -> Answer? {
        guard let last = events.last else { return nil }
        var probes = 0
        func holds(after count: Int) throws(FoldError) -> Bool {
            probes += 1
            var fold = projection.fold(rules)
            for event in events[..<count] { try fold.apply(event) }
            return expression.holds(for: fold.leaves)
        }
        guard try holds(after: events.count) else {
            // Where the last state does not answer with yes, an earlier one that does is a breach.
            var timeline = Timeline(of: projection, rules: rules)
            for event in events where expression.holds(for: try timeline.advance(with: event).after)
            {
                throw Claim.isNotMonotone(holdsAt: event.position, notAt: last.position)
            }
            return nil
        }
        var (low, high) = (0, events.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if try holds(after: middle) { high = middle } else { low = middle }
        }
        var timeline = Timeline(of: projection, rules: rules)
        var found: Timeline.Step?
        for event in events[..<high] { found = try timeline.advance(with: event) }
        guard let step = found else { return nil }
        if expression.holds(for: step.before), high > 1 {
            throw Claim.isNotMonotone(
                holdsAt: events[high - 2].position, notAt: step.event.position)
        }
        return Answer(step: step, probes: probes)
    }
}
