public import Daybook
import DaybookLog

/// A search in a log for the first event after which an expression holds.
public struct BisectSearch: Sendable {
    private let reading: ProjectionReading
    private let projection: ProjectionDescription
    private let rules: RuleSet
    private let expression: Expression

    private var entityReader: EntityReader { reading.entities }

    public init(
        over projection: ProjectionDescription, _ rules: RuleSet, until expression: Expression,
        in reading: ProjectionReading
    ) {
        self.reading = reading
        self.projection = projection
        self.rules = rules
        self.expression = expression
    }

    /// Finds the first event of an entity, or of any entity, after which the expression holds.
    ///
    /// - Parameters:
    ///   - key: any id of the entity; `nil` for all entities.
    ///   - monotone: `true` if the expression, once it holds for an entity, holds from then on. The
    ///     log is then bisected instead of read event by event.
    /// - Returns: `nil` if the expression never holds.
    /// - Throws: `QuestionError.unknownEntity` if the entity has no events, `unanswered` if the
    ///   expression turns out not to be monotone.
    public func first(of key: String?, monotone: Bool) throws -> Bisection.Answer? {
        let found = monotone ? try firstByBisection(key) : try firstByFolding(key)
        if let key, found == nil {
            let walk = try entityReader.walk(of: projection, key)
            if try entityReader.state(along: walk, rules).isEmpty {
                throw reading.noEventsError(projection, key)
            }
        }
        return found
    }

    /// Maximum number of entities that are bisected one by one; for more, folding all events is
    /// faster. Folding a state takes about as long as reading a few hundred events.
    private var maxBisectedEntities: Int { Int(entityReader.through.rawValue / 256) }

    /// Finds the event by folding every event and evaluating the expression after each.
    private func firstByFolding(_ key: String?) throws(LogError) -> Bisection.Answer? {
        let walk = try entityReader.walk(of: projection, key)
        var asked = Bisection.Walk(along: projection, rules, until: expression)
        var found: (key: String, position: Position)?
        try entityReader.forEach(along: walk) { (event, key) throws(LogError) in
            let holds = try folding { () throws(FoldError) in try asked.apply(event, key) }
            if holds { found = (key, event.position) }
            return !holds
        }
        guard let found else { return nil }
        let own = walk.narrowed(to: found.key)
        return try step(at: found.position, along: own, asked.probeCount)
    }

    /// Finds the event by bisecting the log, for an expression that holds from some event on.
    private func firstByBisection(_ key: String?) throws -> Bisection.Answer? {
        guard let key else { return try firstAmongAllEntities() }
        var probeCount = 0
        let walk = try entityReader.walk(of: projection, key)
        if let found = try first(along: walk, through: entityReader.through, &probeCount) {
            return found
        }
        try checkThatExpressionNeverHeld(key)
        return nil
    }

    /// Finds the first event after which the expression holds for any entity, by bisection.
    ///
    /// An entity is bisected only if the expression holds for it just before the earliest event
    /// found so far, which is rarely the case. The entities are visited in the order of a hash,
    /// because the order of the log could be the worst order.
    private func firstAmongAllEntities() throws -> Bisection.Answer? {
        let walk = try entityReader.walk(of: projection, nil)
        guard let keys = try entityReader.keys(along: walk, atMost: maxBisectedEntities) else {
            return try firstByFolding(nil)
        }
        var holding: [String] = []
        for key in keys {
            let own = walk.narrowed(to: key)
            let state = try entityReader.state(along: own, rules)
            if !state.isEmpty, expression.isTrue(for: state.fold) { holding.append(key) }
        }
        guard !holding.isEmpty else {
            try checkThatExpressionNeverHeld(nil)
            return nil
        }
        var probeCount = keys.count
        var best: Bisection.Answer?
        for key in holding.sorted(by: { ($0.shuffleKey, $0) < ($1.shuffleKey, $1) }) {
            let end = best.map { Position($0.step.event.position.rawValue - 1) }
            let walk = walk.narrowed(to: key)
            best = try first(along: walk, through: end ?? entityReader.through, &probeCount) ?? best
        }
        best?.probeCount = probeCount
        return best
    }

    /// Finds by bisection the event from which on the expression holds for one entity; `nil` if it
    /// does not hold at `end`.
    private func first(
        along walk: EntityWalk, through end: Position, _ probeCount: inout Int
    ) throws(LogError) -> Bisection.Answer? {
        var asked = probeCount
        let found = try Bisection.halve(through: end) { (position) throws(LogError) in
            asked += 1
            let state = try entityReader.state(along: walk, rules, through: position)
            return !state.isEmpty && expression.isTrue(for: state.fold)
        }
        probeCount = asked
        guard let found else { return nil }
        return try step(at: found, along: walk, asked)
    }

    /// Returns the event at a position with the changes that it made to an entity.
    private func step(
        at position: Position, along walk: EntityWalk, _ probeCount: Int
    ) throws(LogError) -> Bisection.Answer? {
        let before = Position(position.rawValue - 1)
        let state = try entityReader.state(along: walk, rules, through: before)
        var timeline = Timeline(from: state.fold, isEmpty: state.isEmpty)
        var step: Timeline.Step?
        try entityReader.forEachRecorded(along: walk, after: before, through: position) {
            (event, _) throws(LogError) in
            step = try folding { () throws(FoldError) in try timeline.advance(with: event) }
            return true
        }
        return step.map { Bisection.Answer(key: walk.key ?? "", step: $0, probeCount: probeCount) }
    }

    /// Throws `unanswered` if the expression held after an earlier event, but not at the end.
    private func checkThatExpressionNeverHeld(_ key: String?) throws {
        guard let held = try firstByFolding(key) else { return }
        let last = try entityReader.state(
            along: try entityReader.walk(of: projection, held.key), rules
        ).checkpoint.position
        let contradiction = Bisection.Contradiction.isNotMonotone(
            holdsAt: held.step.event.position, notAt: last)
        throw QuestionError.unanswered("\(contradiction)")
    }
}

extension String {
    /// Hash of the text; sorting by it gives a pseudo-random order, the same in each run.
    fileprivate var shuffleKey: UInt64 { withUTF8Bytes { unsafe $0.bytes.fnv1aHash } }
}
