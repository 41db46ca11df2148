public import Daybook
import DaybookLog
public import DaybookScenarios

/// A search for the first event after which an expression holds for a report.
///
/// The report is computed again from all events up to each position that is evaluated.
public struct ReportBisect: Sendable {
    /// The report whose answers are evaluated.
    private let report: ReportDescription
    /// Arguments of the report, as an object.
    private let arguments: Tree
    /// Rule set by which the report computes its answers.
    private let rules: RuleSet
    /// The condition to search for.
    private let expression: Expression
    /// The log, read as of one point in time.
    private let reading: ProjectionReading
    /// The tz database.
    private let zones: ZoneSource

    /// The event found, and the fields of the report that it changed.
    public struct Answer: Sendable {
        /// The event and the fields of the report that it changed.
        public var step: Timeline.Step
        /// Number of reports that were computed.
        public var probeCount: Int
    }

    /// Maximum number of events of a log for which a report is computed after every event.
    private static let maxEvaluatedEvents = 20_000

    /// Creates a search over the answers of a report.
    ///
    /// - Parameter arguments: the arguments of the report, as an object.
    public init(
        over report: ReportDescription, _ arguments: Tree, _ rules: RuleSet,
        until expression: Expression, in reading: ProjectionReading, zones: ZoneSource
    ) {
        self.report = report
        self.arguments = arguments
        self.rules = rules
        self.expression = expression
        self.reading = reading
        self.zones = zones
    }

    /// Finds the first event after which the expression holds.
    ///
    /// - Parameter monotone: `true` if the expression, once it holds, holds from then on. The log
    ///   is then bisected.
    /// - Returns: `nil` if the expression never holds.
    /// - Throws: `QuestionError.invalid` if the arguments are wrong, `unanswered` if the report has
    ///   no answer even with all events, `tooManyEvents` if the log is too long for a report after
    ///   each event; `FoldError`.
    public func first(monotone: Bool) throws -> Answer? {
        let events = try reading.entities.events(matching: .all)
        // The report may fail as long as data is missing, but not with all events.
        if case .failure(let error) = result(events[...]) { throw try QuestionError(error) }
        var probeCount = 0
        func holds(after count: Int) -> Bool {
            probeCount += 1
            return expression.isTrue(for: leaves(events[..<count]))
        }
        var found: Int?
        if monotone {
            found = Bisection.halve(through: Position(UInt64(events.count))) {
                holds(after: Int($0.rawValue))
            }.map { Int($0.rawValue) }
        } else {
            guard events.count <= Self.maxEvaluatedEvents else {
                throw QuestionError.tooManyEvents(events.count)
            }
            found = events.indices.lazy.map { $0 + 1 }.first { holds(after: $0) }
        }
        guard let found else { return nil }
        let changes = FieldChange.between(
            leaves(events[..<(found - 1)]), leaves(events[..<found]), KeyedLists(report.fields)
        )
        // Fields that only describe the basis of the answer change with every event.
        .filter { !report.basisFields.contains($0.path) }
        return Answer(
            step: Timeline.Step(event: events[found - 1], changes: changes), probeCount: probeCount)
    }

    /// Returns the values of the answer computed from the given events; empty if there is no
    /// answer.
    private func leaves(_ events: ArraySlice<RecordedEvent>) -> [FlatFields.Leaf] {
        switch result(events) {
        case .success(let answer): answer.leaves
        case .failure: []
        }
    }

    /// Computes the report from the given first events of the log, as of the last given event.
    private func result(
        _ events: ArraySlice<RecordedEvent>
    ) -> Result<ReportAnswer.Content, ReportError> {
        let context = ReportContext(
            rules: rules, zones: zones, position: events.last?.position ?? .origin,
            knownAt: events.last?.envelope.recordedAt ?? Instant(microseconds: 0))
        do throws(ReportError) {
            return .success(
                try report.answer(arguments, "", .standard, Array(events), context))
        } catch {
            return .failure(error)
        }
    }
}
