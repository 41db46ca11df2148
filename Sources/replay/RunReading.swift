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

    /// From so many runners on, one scan is cheaper than reading each.
    private static let scanLimit = 2_000

    init(_ log: EventLog, _ moment: MomentOptions) throws {
        self.log = log
        catalogue = try ReplayTool.catalogue()
        through = try moment.through(log)
        validThrough = try moment.validThrough()
    }

    /// The ranking of a week, from the runs of that week and the one before alone.
    func ranking(
        _ week: Running.RankingWeek, _ zone: Zone, tzdata: String, top: Int, knownAt: Instant
    ) throws -> Running.RankingAnswer {
        let before = week.previous(in: zone)
        var standings = Running.Standings.blank
        try fold(Running.Ranking.closings(of: [week.name, before.name]), into: &standings)
        // Where the week before was closed, nobody asks what it is worth now.
        let isClosed = standings.closing(of: before.name, zone.name) != nil
        try fold(Running.Ranking.runs(of: isClosed ? [week] : [before, week]), into: &standings)
        return Running.RankingAnswer(
            standings, week, zone, tzdata: tzdata, top: top,
            ReportContext(rules: .standard, zones: nil, position: through, knownAt: knownAt))
    }

    private func fold(_ query: Query, into standings: inout Running.Standings) throws {
        try log.fold(
            Running.Ranking.self, matching: query, into: &standings, through: through,
            validThrough: validThrough, upcasting: catalogue)
    }

    /// What is known of runners, by id; of many by one scan.
    func runners(_ userIds: [String]) throws -> [String: Running.RunnerState] {
        var states: [String: Running.RunnerState] = [:]
        guard userIds.count > Self.scanLimit else {
            for userId in userIds {
                try log.fold(
                    Running.RunnerView.self,
                    matching: Query(
                        Query.Item(
                            kinds: Running.historyKinds, tags: [Running.userTag(userId)])),
                    into: &states[userId, default: Running.RunnerState.blank], through: through,
                    validThrough: validThrough, upcasting: catalogue)
            }
            return states
        }
        for userId in userIds { states[userId] = Running.RunnerState.blank }
        let reader = KindReader<Running.Event>()
        try forEach(Query(Query.Item(kinds: Running.historyKinds))) {
            (event) throws(FoldError) in
            guard let userId = event.tags.first(where: { $0.noun == "user" })?.id,
                let known = try reader.read(event)
            else { return }
            let id = String(userId)
            guard states[id] != nil else { return }
            Running.RunnerView.evolve(&states[id, default: .blank], with: known, event.envelope)
        }
        return states
    }

    /// What a ranking shows of a runner.
    struct Card {
        var name: String?
        var imageUrl: String?
        var totalDistanceMm: Int64 = 0
        var totalRuns: Int64 = 0
    }

    func cards(of userIds: [String]) throws -> [String: Card] {
        var cards = try profiles(of: userIds)
        for (userId, runner) in try runners(userIds) {
            cards[userId, default: Card()].totalDistanceMm = runner.totalDistanceMm
            cards[userId, default: Card()].totalRuns = runner.totalRuns
        }
        return cards
    }

    /// The names that were told and not erased.
    func names(of userIds: [String]) throws -> [String: String] {
        try profiles(of: userIds).compactMapValues(\.name)
    }

    private func profiles(of userIds: [String]) throws -> [String: Card] {
        let asked = Set(userIds)
        let reader = KindReader<Running.Event>()
        var changes: [(Position, Running.RunnerProfileChanged)] = []
        let queries =
            userIds.count > Self.scanLimit
            ? [Query(Query.Item(kinds: [Running.RunnerProfileChanged.kind]))]
            : userIds.map(Running.profileQuery)
        for query in queries {
            try forEach(query) { (event) throws(FoldError) in
                guard case .runnerProfileChanged(let changed) = try reader.read(event),
                    asked.contains(changed.userId)
                else { return }
                changes.append((event.position, changed))
            }
        }
        var cards: [String: Card] = [:]
        for (position, changed) in changes {
            // Personal texts are numbered in the order of the payload's fields.
            if changed.name != nil {
                cards[changed.userId, default: Card()].name =
                    try log.personalText(at: position, field: 0)
            }
            if changed.imageUrl != nil {
                cards[changed.userId, default: Card()].imageUrl = try log.personalText(
                    at: position, field: changed.name == nil ? 0 : 1)
            }
        }
        return cards
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

    /// All events of a run, in their newest layouts.
    func events(of runId: String) throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        try forEach(Query(Query.Item(kinds: Running.runKinds, tags: [Running.tag(runId)]))) {
            (event) throws(FoldError) in
            events.append(event)
        }
        return events
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
