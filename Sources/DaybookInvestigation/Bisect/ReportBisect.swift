public import Daybook
import DaybookLog
public import DaybookScenarios

/// Finds the first event after which an expression holds for a report.
///
/// The report is made again from all events up to each position that is asked.
public struct ReportBisect: Sendable {
    private let report: ReportDescription
    private let arguments: Tree
    private let rules: RuleSet
    private let expression: Expression
    private let reading: ProjectionReading
    private let zones: ZoneSource

    /// The event found, and what it changed in the report.
    public struct Answer: Sendable {
        public var step: Timeline.Step
        /// How many reports were made.
        public var probes: Int
    }

    /// Beyond this many events a walk would take longer than anybody waits.
    private static let walkedEvents = 20_000

    /// - Parameter arguments: an object of what the report is asked with.
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
    /// - Parameter monotone: it holds from some event on, so that the log is halved.
    /// - Returns: `nil` where it never holds.
    /// - Throws: `QuestionError.invalid` for wrong arguments of the report, `unanswered` for a report
    ///   that has no answer at the end either, `tooManyEvents`; `FoldError`.
    public func first(monotone: Bool) throws -> Answer? {
        let events = try reading.entities.events(matching: .all)
        // A report without data yet is not a failure; one that even the end does not answer is.
        if case .failure(let error) = result(events[...]) { throw try QuestionError(error) }
        var probes = 0
        func holds(after count: Int) -> Bool {
            probes += 1
            return expression.holds(for: leaves(events[..<count]))
        }
        var found: Int?
        if monotone {
            found = Bisection.halve(through: Position(UInt64(events.count))) {
                holds(after: Int($0.rawValue))
            }.map { Int($0.rawValue) }
        } else {
            guard events.count <= Self.walkedEvents else {
                throw QuestionError.tooManyEvents(events.count)
            }
            found = events.indices.lazy.map { $0 + 1 }.first { holds(after: $0) }
        }
        guard let found else { return nil }
        let changes = FieldChange.between(
            leaves(events[..<(found - 1)]), leaves(events[..<found]), KeyedLists(report.fields)
        )
        // That it was made later says nothing of what changed.
        .filter { !report.basisFields.contains($0.path) }
        return Answer(
            step: Timeline.Step(event: events[found - 1], changes: changes), probes: probes)
    }

    private func leaves(_ events: ArraySlice<RecordedEvent>) -> [FlatFields.Leaf] {
        switch result(events) {
        case .success(let answer): answer.leaves
        case .failure: []
        }
    }

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
