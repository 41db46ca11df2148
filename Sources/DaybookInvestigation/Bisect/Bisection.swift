public import Daybook
public import DaybookScenarios

/// Looks for the first event after which an expression holds for an entity.
public enum Bisection {
    /// The step at which a property first holds.
    public struct Answer: Sendable {
        public var key: String
        public var step: Timeline.Step
        /// Number of states made to evaluate the property.
        public var probes: Int

        public init(key: String, step: Timeline.Step, probes: Int) {
            self.key = key
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
                "it holds after position \(holds) and no longer after \(fails)"
            }
        }
    }

    /// Asks after every event. Feed it the events in order, each for every entity it is about.
    public struct Walk: Sendable {
        private let projection: ProjectionDescription
        private let rules: RuleSet
        private let expression: Expression
        private var folds: [String: Fold] = [:]
        /// How often it asked.
        public private(set) var probes = 0

        public init(
            along projection: ProjectionDescription, _ rules: RuleSet, until expression: Expression
        ) {
            self.projection = projection
            self.rules = rules
            self.expression = expression
        }

        /// Folds an event of an entity and returns `true` if the property holds after it.
        public mutating func take(
            _ event: borrowing EventView, _ key: String
        ) throws(FoldError) -> Bool {
            probes += 1
            try folds[key, default: projection.fold(rules)].apply(event)
            return folds[key].map(expression.holds) ?? false
        }
    }

    /// Halves the positions of a log, for an expression that holds from some event on and stays so.
    ///
    /// - Parameters:
    ///   - last: the greatest position to look at.
    ///   - holds: whether it does after the events up to a position.
    /// - Returns: the first position after which it holds; `nil` where it does not at the last.
    public static func halve<Failure: Error>(
        through last: Position, _ holds: (Position) throws(Failure) -> Bool
    ) throws(Failure) -> Position? {
        guard last > .origin, try holds(last) else { return nil }
        var (low, high) = (UInt64(0), last.rawValue)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if try holds(Position(middle)) { high = middle } else { low = middle }
        }
        return Position(high)
    }
}
