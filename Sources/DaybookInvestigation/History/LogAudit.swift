public import Daybook
import DaybookLibC
public import DaybookLog
import DaybookScenarios
import Synchronization

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
        let audits = reading.catalogue.audits.values.sorted { $0.name < $1.name }
        let walk = AuditWalk(audits, context)
        try walk.readAhead(reading)
        events = try walk.readAll(reading)
        rules = audits.flatMap(\.rules)
        result = AuditResult(joining: walk.finish(), inOrderOf: rules)
    }
}

/// A walk over a log with several audits, of which each thread runs one at a time.
///
/// The calling thread reads some events; then the threads take the audits in turn, and each audit
/// reads these events.
private final class AuditWalk: Sendable {
    /// Number of events that are read before the audits run.
    private static let stride = 4_096

    /// Kinds of events that some audit reads before the walk.
    private let ahead: Set<EventKind>
    /// Kinds of events for which some audit needs the actor of the commit.
    private let actors: Set<EventKind>
    private let runs: [AuditInTurn]
    /// The numbers of the audits, with those of the most rules first.
    private let order: [Int]

    init(_ audits: [AuditDescription], _ context: AuditContext) {
        ahead = audits.reduce(into: []) { $0.formUnion($1.ahead) }
        actors = audits.reduce(into: []) { $0.formUnion($1.actors) }
        var context = context
        context.findAll = { checks in
            let turns = Turns(Array(checks.indices))
            let found = Mutex([[Finding]](repeating: [], count: checks.count))
            Threads.perform(min(Threads.coreCount, checks.count)) { _ in
                while let number = turns.next() {
                    let findings = checks[number]()
                    found.withLock { $0[number] = findings }
                }
            }
            return found.withLock { $0.flatMap(\.self) }
        }
        runs = audits.map { AuditInTurn($0.make(context)) }
        order = audits.indices.sorted {
            (audits[$1].rules.count, $0) < (audits[$0].rules.count, $1)
        }
    }

    /// Passes the events of the kinds in `ahead` to every audit.
    func readAhead(_ reading: ProjectionReading) throws(LogError) {
        guard !ahead.isEmpty else { return }
        let latest = reading.entities.validThrough ?? Instant(microseconds: .max)
        try reading.log.reader(
            Query(Query.Item(kinds: ahead)), ReadWindow(through: reading.through)
        ).forEach { (event) throws(LogError) in
            guard event.envelope.occurredAt <= latest else { return true }
            let newest = try folding { () throws(FoldError) in
                try reading.catalogue.upcast(event)
            }
            for run in runs { try folding { () throws(FoldError) in try run.readAhead(newest) } }
            return true
        }
    }

    /// Passes every event to every audit.
    ///
    /// - Returns: the number of events.
    func readAll(_ reading: ProjectionReading) throws(LogError) -> Int64 {
        let latest = reading.entities.validThrough ?? Instant(microseconds: .max)
        var eventCount: Int64 = 0
        var kinds = SeenKinds()
        var events: [AuditedEvent] = []
        var failure: LogError?
        do throws(LogError) {
            try reading.log.reader(.all, ReadWindow(through: reading.through)).forEachWithActor {
                (event, actor) throws(LogError) in
                guard event.envelope.occurredAt <= latest else { return true }
                let newest = try folding { () throws(FoldError) in
                    try reading.catalogue.upcast(event)
                }
                let name = actors.contains(newest.kind) ? try actor() : ""
                eventCount += 1
                events.append(
                    AuditedEvent(event: newest, kind: kinds.index(of: newest.kind), actor: name))
                guard events.count == Self.stride else { return true }
                let read = events
                events = []
                try run(on: read)
                return true
            }
        } catch {
            failure = error
        }
        // An audit may find a fault in the events before the one that cannot be read.
        try run(on: events)
        if let failure { throw failure }
        return eventCount
    }

    /// Runs every audit on the next events.
    ///
    /// - Throws: the error that a walk event by event would meet first.
    private func run(on events: [AuditedEvent]) throws(LogError) {
        onThreads { $0.take(events) }
        let first = runs.compactMap(\.failure).min { $0.index < $1.index }
        guard let first else { return }
        try folding { () throws(FoldError) in throw first.error }
    }

    /// Ends the audits, and returns the result of each, in order.
    func finish() -> [AuditResult] {
        onThreads { $0.finish() }
        return runs.map(\.result)
    }

    /// Calls `body` once for each audit; each thread takes the next audit when it is free.
    private func onThreads(_ body: @escaping @Sendable (AuditInTurn) -> Void) {
        let turns = Turns(order)
        Threads.perform(min(Threads.coreCount, runs.count)) { [runs] _ in
            while let number = turns.next() { body(runs[number]) }
        }
    }
}

/// An event to audit, in its newest layout, with the actor of its commit if an audit needs it.
private struct AuditedEvent: Sendable {
    var event: RecordedEvent
    /// Index of the event's kind among the kinds of the walk.
    var kind: Int
    var actor: String
}

/// Indices of kinds of events, in the order in which a walk met them.
private struct SeenKinds {
    private var indices: [EventKind: Int] = [:]
    private var last: (kind: EventKind, index: Int)?

    /// Returns the index of a kind; the next free index if the kind is new.
    mutating func index(of kind: EventKind) -> Int {
        if let last, last.kind == kind { return last.index }
        let index = indices[kind] ?? indices.count
        indices[kind] = index
        last = (kind, index)
        return index
    }
}

/// The numbers of the tasks that no thread has taken yet.
private final class Turns: Sendable {
    private let rest: Mutex<ArraySlice<Int>>

    init(_ numbers: [Int]) { rest = Mutex(numbers[...]) }

    func next() -> Int? { rest.withLock { $0.popFirst() } }
}

/// One audit, which one thread at a time runs.
private final class AuditInTurn: Sendable {
    private struct State {
        var audit: any Audit
        /// The first error of the audit, with the index of the event among the events given last.
        var failure: (index: Int, error: FoldError)?
        var result = AuditResult()
        /// Answers of the audit's `ignores(_:)`, by the index of the kind.
        var ignoresKind: [Bool?] = []

        mutating func ignores(_ event: borrowing AuditedEvent) -> Bool {
            let kind = event.kind
            while ignoresKind.count <= kind { ignoresKind.append(nil) }
            if let ignores = ignoresKind[kind] { return ignores }
            let ignores = audit.ignores(event.event.kind)
            ignoresKind[kind] = ignores
            return ignores
        }

        mutating func check(_ event: borrowing AuditedEvent) throws(FoldError) {
            try audit.check(event.event, actor: event.actor)
        }
    }

    private let state: Mutex<State>

    init(_ audit: any Audit) { state = Mutex(State(audit: audit)) }

    var failure: (index: Int, error: FoldError)? { state.withLock { $0.failure } }
    var result: AuditResult { state.withLock { $0.result } }

    func readAhead(_ event: RecordedEvent) throws(FoldError) {
        try state.withLock { (state) throws(FoldError) in try state.audit.readAhead(event) }
    }

    /// Passes events to the audit up to the first error.
    func take(_ events: [AuditedEvent]) {
        state.withLock { state in
            // A span lends the events without copies, whose counts all threads would change.
            let events = events.span
            for index in events.indices where !state.ignores(events[index]) {
                do throws(FoldError) {
                    try state.check(events[index])
                } catch {
                    state.failure = (index, error)
                    return
                }
            }
        }
    }

    func finish() { state.withLock { $0.result = $0.audit.finish() } }
}
