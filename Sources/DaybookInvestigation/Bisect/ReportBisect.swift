public import Daybook
import DaybookInput
import DaybookLog

/// A search for the first event after which an expression holds for a report.
///
/// The report is computed again from all events up to each position that is evaluated.
public struct ReportBisect: Sendable {
    private let report: ReportDescription
    /// Arguments of the report, as an object.
    private let arguments: Tree
    private let rules: RuleSet
    private let expression: Expression
    private let reading: ProjectionReading
    private let zones: ZoneSource

    public struct Answer: Sendable {
        public var step: Timeline.Step
        public var probeCount: Int
    }

    /// Maximum number of events of a log for which a report is computed after every event.
    private static let maxEvaluatedEvents = 20_000

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
        let query: ReportQuery
        do throws(InputError) {
            let asked = try report.prepare(arguments, rules: .standard, context(.origin, nil))
            query = asked.firstQuery
        } catch { throw try QuestionError(.input(error)) }
        let asked = try Asked(query, in: reading)
        let events = asked.events
        func leaves(_ events: ArraySlice<RecordedEvent>) -> [FlatFields.Leaf] {
            switch result(events, asked.names) {
            case .success(let answer): answer.leaves
            case .failure: []
            }
        }
        // The report may fail as long as data is missing, but not with all events.
        if case .failure(let error) = result(events[...], asked.names) {
            throw try QuestionError(error)
        }
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

    /// The events of a search.
    private struct Asked {
        /// All events that had happened by the reading's time, or introduced the entity.
        var events: [RecordedEvent]
        /// The events that gave the report's entity another id, which hold for all time.
        var names: [RecordedEvent] = []

        init(_ query: ReportQuery, in reading: ProjectionReading) throws(LogError) {
            let all = try reading.log.reader(.all, ReadWindow(through: reading.through)).collect()
            events = try reading.upcasted(all, of: query)
            guard let bookkeeping = query.bookkeeping else { return }
            names = events.filter { event in
                bookkeeping.renaming.contains(event.kind)
                    && event.tags.contains { $0.noun == bookkeeping.noun }
            }
            names += try reading.laterNames(query)
        }
    }

    /// Computes the report from some events, as of the last one, and those that named its entity.
    private func result(
        _ events: ArraySlice<RecordedEvent>, _ names: [RecordedEvent]
    ) -> Result<ReportAnswer.Content, ReportError> {
        let last = events.last?.position ?? .origin
        let context = context(last, events.last?.envelope.recordedAt)
        do throws(ReportError) {
            return .success(
                try report.answer(
                    arguments, "", .standard, Array(events) + names.filter { $0.position > last },
                    context))
        } catch { return .failure(error) }
    }

    private func context(_ position: Position, _ recordedAt: Instant?) -> ReportContext {
        ReportContext(
            rules: rules, zones: zones, position: position,
            knownAt: recordedAt ?? Instant(microseconds: 0), validAt: reading.entities.validThrough)
    }
}
