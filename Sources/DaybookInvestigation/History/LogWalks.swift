public import Daybook
public import DaybookLog
import DaybookScenarios

extension OrderSafety {
    /// Tests pairs of adjacent events of all histories, and of generated events, in both orders.
    public static func measured(
        of projection: ProjectionDescription, _ rules: RuleSet, in reading: ProjectionReading
    ) throws(LogError) -> OrderSafety {
        var safety = OrderSafety(of: projection, rules, in: reading.catalogue)
        let walk = try reading.entities.walk(of: projection, nil)
        try reading.entities.forEachRecorded(along: walk) { (event, keys) throws(LogError) in
            try folding { () throws(FoldError) in try safety.take(event, keys) }
            return true
        }
        try folding { () throws(FoldError) in try safety.generate() }
        return safety
    }
}

extension TransitionMatrix {
    /// Counts the transitions of a state machine in the histories of a log.
    public static func observed(
        _ machine: StateMachine, of projection: ProjectionDescription, _ rules: RuleSet,
        in reading: ProjectionReading
    ) throws(LogError) -> TransitionMatrix {
        var matrix = TransitionMatrix(machine, of: projection, rules: rules)
        let walk = try reading.entities.walk(of: projection, nil)
        try reading.entities.forEach(along: walk) { (event, key) throws(LogError) in
            try folding { () throws(FoldError) in try matrix.take(event, key) }
            return true
        }
        return matrix
    }
}

/// A check of a log against the rules of a catalogue's audits.
public struct LogAudit: Sendable {
    /// The findings, in the order of the rules.
    public let result: AuditResult
    /// All rules that were applied.
    public let rules: [AuditRule]
    /// The number of events that were read.
    public let events: Int64

    /// Walks over the whole log, as of the moment of the reading.
    public init(_ context: AuditContext, in reading: ProjectionReading) throws(LogError) {
        let catalogue = reading.catalogue
        var run = AuditRun(catalogue.audits.values.sorted { $0.name < $1.name }, context)
        let latest = reading.entities.validThrough ?? Instant(microseconds: .max)
        let ahead = run.ahead
        if !ahead.isEmpty {
            try reading.log.reader(
                Query(Query.Item(kinds: ahead)), ReadWindow(through: reading.through)
            ).forEach { (event) throws(LogError) in
                guard event.envelope.occurredAt <= latest else { return true }
                try folding { () throws(FoldError) in try run.foresee(try catalogue.upcast(event)) }
                return true
            }
        }
        var commit: RecordedCommit?
        var events: Int64 = 0
        try reading.log.reader(.all, ReadWindow(through: reading.through)).forEach {
            (event) throws(LogError) in
            guard event.envelope.occurredAt <= latest else { return true }
            events += 1
            let newest = try folding { () throws(FoldError) in try catalogue.upcast(event) }
            if run.actors.contains(newest.kind), event.position > commit?.last ?? .origin {
                commit = try reading.log.commits.at(event.position)
            }
            let isKnown = event.position <= commit?.last ?? .origin
            let actor = isKnown ? commit?.metadata.actor ?? "" : ""
            try folding { () throws(FoldError) in try run.take(newest, actor: actor) }
            return true
        }
        self.events = events
        rules = run.rules
        result = run.finish()
    }
}
