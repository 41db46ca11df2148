import CivilTime
import Domain
import EventSourcing
import EventStorage
import Investigation
import LMDB
import ReplayCommands

/// Reads of a log what runs and rankings need, as of a moment on either clock.
struct RunReading {
    let log: EventLog
    let catalogue: Catalogue
    /// The last position to read.
    let through: Position
    /// The end of valid time; `nil` for none.
    let validThrough: Instant?

    init(_ log: EventLog, _ moment: MomentOptions) throws {
        self.log = log
        catalogue = try ReplayTool.catalogue()
        through = try moment.through(log)
        validThrough = try moment.validThrough()
    }

    /// What is known of runners, by id.
    func runners(_ userIds: [String]) throws -> [String: Running.RunnerState] {
        var states: [String: Running.RunnerState] = [:]
        for userId in userIds {
            try log.fold(
                Running.RunnerView.self,
                matching: Query(
                    Query.Item(kinds: Running.historyKinds, tags: [Running.userTag(userId)])),
                into: &states[userId, default: Running.RunnerState.blank], through: through,
                validThrough: validThrough, upcasting: catalogue)
        }
        return states
    }

    /// Shows the events of a query in their newest layouts.
    private func forEach(
        _ query: Query, _ body: (RecordedEvent) throws(FoldError) -> Void
    ) throws {
        try log.read(query, through: through) { (event) throws(LogError) in
            if let validThrough, event.envelope.occurredAt > validThrough { return true }
            try folding { () throws(FoldError) in try body(try catalogue.upcast(event)) }
            return true
        }
    }
}

extension RunReading {
    /// What a run amounts to.
    func run(_ runId: String, _ rules: RuleSet) throws -> Running.Run {
        var run = Running.Run.blank
        let query = Query(Query.Item(kinds: Running.runKinds, tags: [Running.tag(runId)]))
        if rules == .source {
            try log.fold(
                Running.SourceRunView.self, matching: query, into: &run, through: through,
                validThrough: validThrough, upcasting: catalogue)
        } else {
            try log.fold(
                Running.RunView.self, matching: query, into: &run, through: through,
                validThrough: validThrough, upcasting: catalogue)
        }
        return run
    }

    /// A run: its locations in order, and what a file called it.
    func track(_ runId: String) throws -> (title: String?, batches: [Running.LocationsRecorded]) {
        var title: String?
        var batches: [Running.LocationsRecorded] = []
        var positions: [Position] = []
        let reader = KindReader<Running.Event>()
        try forEach(
            Query(
                Query.Item(
                    kinds: [Running.RunStarted.kind, Running.LocationsRecorded.kind],
                    tags: [Running.tag(runId)]))
        ) { (event) throws(FoldError) in
            switch try reader.read(event) {
            case .runStarted(let started): if started.title != nil { positions = [event.position] }
            case .locationsRecorded(let batch): batches.append(batch)
            default: break
            }
        }
        if let position = positions.last {
            title = try log.personalText(at: position, field: 0)
        }
        return (title, batches)
    }
}
