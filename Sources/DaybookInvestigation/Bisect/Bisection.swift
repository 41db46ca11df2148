public import Daybook

/// A search for the first event after which an expression holds for an entity.
public enum Bisection {
    /// The event after which an expression first holds.
    public struct Answer: Sendable {
        /// Newest id of the entity.
        public var key: String
        public var step: Timeline.Step
        /// Number of states for which the expression was evaluated.
        public var probeCount: Int

        public init(key: String, step: Timeline.Step, probeCount: Int) {
            self.key = key
            self.step = step
            self.probeCount = probeCount
        }
    }

    /// Evidence against the assumption that an expression, once it holds, holds from then on.
    public enum Contradiction: Error, Equatable, Sendable, CustomStringConvertible {
        /// The expression holds after a position, but no longer after a later one.
        case isNotMonotone(holdsAt: Position, notAt: Position)

        public var description: String {
            switch self {
            case .isNotMonotone(let holds, let fails):
                "the expression is true after position \(holds), but not after the later "
                    + "position \(fails)"
            }
        }
    }

    /// A search that evaluates the expression after every event.
    ///
    /// Pass the events to `apply` in order, each event once for every entity that it is about.
    public struct Walk: Sendable {
        private let expression: Expression
        private var folds: EntityFolds<Void>
        public private(set) var probeCount = 0

        public init(
            along projection: ProjectionDescription, _ rules: RuleSet, until expression: Expression
        ) {
            self.expression = expression
            folds = EntityFolds(of: projection, rules)
        }

        /// Folds an event of the entity with newest id `key`; true if the expression then holds.
        public mutating func apply(
            _ event: borrowing EventView, _ key: String
        ) throws(FoldError) -> Bool {
            probeCount += 1
            let number = folds.number(of: key)
            try folds.entities[number].fold.apply(event)
            return expression.isTrue(for: folds.entities[number].fold)
        }
    }

    /// Bisects the positions of a log, for an expression that holds from some event on.
    ///
    /// - Returns: the first position after which it holds; `nil` if it does not hold after `last`.
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
