import Daybook
import DaybookLibC
import DaybookLog
import Synchronization

/// Passes the events of a log to several audits, which run on several threads.
///
/// The calling thread reads the events in batches. Each audit checks the batches in order, on any
/// thread that is free; different audits may check different batches at the same time.
final class AuditWalk: Sendable {
    private static let batchSize = 512

    /// Event kinds that some audit reads before all other events.
    private let readAheadKinds: Set<EventKind>
    /// Event kinds for which some audit needs the actor of the commit.
    private let actorKinds: Set<EventKind>
    private let audits: [LockedAudit]
    /// Indices of the audits in the order in which they get a free thread: most rules first.
    private let order: [Int]

    init(_ descriptions: [AuditDescription], _ context: AuditContext) {
        readAheadKinds = descriptions.reduce(into: []) { $0.formUnion($1.kindsReadAhead) }
        actorKinds = descriptions.reduce(into: []) { $0.formUnion($1.kindsNeedingActor) }
        var context = context
        context.findAll = Self.findAll
        audits = descriptions.map { LockedAudit($0.make(context)) }
        order = descriptions.indices.sorted {
            (descriptions[$1].rules.count, $0) < (descriptions[$0].rules.count, $1)
        }
    }

    /// Passes to every audit the events that some audit has to read before all other events.
    func readAhead(_ reading: ProjectionReading) throws(LogError) {
        guard !readAheadKinds.isEmpty else { return }
        let latest = reading.entities.validThrough ?? Instant(microseconds: .max)
        try reading.log.reader(
            Query(Query.Item(kinds: readAheadKinds)), ReadWindow(through: reading.through)
        ).forEach { (event) throws(LogError) in
            guard event.envelope.occurredAt <= latest else { return true }
            let newest = try folding { () throws(FoldError) in try reading.catalogue.upcast(event) }
            for audit in audits {
                try folding { () throws(FoldError) in try audit.readAhead(newest) }
            }
            return true
        }
    }

    /// Passes every event to every audit; returns their number or throws the earliest error.
    func readAll(_ reading: ProjectionReading) throws(LogError) -> Int64 {
        let schedule = AuditSchedule(order)
        let caller = pthread_self()
        var eventCount: Int64 = 0
        var failure: LogError?
        Threads.perform(beside: Threads.coreCount - 1) { [audits] _ in
            // If no thread can be started, the calling thread checks the batches as it reads.
            guard pthread_equal(caller, pthread_self()) == 0 else { return }
            Self.check(schedule, audits, until: .allChecked)
        } _: {
            do throws(LogError) { eventCount = try read(reading, into: schedule) } catch {
                failure = error
            }
            schedule.close()
            Self.check(schedule, audits, until: .allChecked)
        }
        // An audit may find a fault in the events before the one that cannot be read.
        let first = audits.compactMap(\.failure).min {
            ($0.batchNumber, $0.index) < ($1.batchNumber, $1.index)
        }
        if let first { try folding { () throws(FoldError) in throw first.error } }
        if let failure { throw failure }
        return eventCount
    }

    /// Reads every event in batches, up to the first error, and returns their number; checks some
    /// of them while many are unchecked.
    private func read(
        _ reading: ProjectionReading, into schedule: AuditSchedule
    ) throws(LogError) -> Int64 {
        let latest = reading.entities.validThrough ?? Instant(microseconds: .max)
        var eventCount: Int64 = 0
        var kinds = MetKinds(actorKinds)
        var batch = AuditBatch()
        defer { schedule.add(batch) }
        try reading.log.reader(.all, ReadWindow(through: reading.through)).forEachWithActor {
            (event, actor) throws(LogError) in
            guard event.envelope.occurredAt <= latest else { return true }
            let newest = try folding { () throws(FoldError) in try reading.catalogue.upcast(event) }
            let kind = kinds.met(newest.kind)
            let name = kind.needsActor ? try actor() : ""
            eventCount += 1
            batch.add(AuditedEvent(newest, kindIndex: kind.index, actor: name))
            guard batch.events.count == Self.batchSize else { return true }
            schedule.add(batch)
            batch = AuditBatch()
            Self.check(schedule, audits, until: .roomForBatch)
            return !schedule.hasFailed
        }
        return eventCount
    }

    /// Lets audits check the batches of a schedule on this thread, until the goal is reached.
    private static func check(
        _ schedule: AuditSchedule, _ audits: [LockedAudit], until goal: AuditSchedule.Goal
    ) {
        while let task = schedule.next(orUntil: goal) {
            schedule.end(task, hasFailed: audits[task.auditIndex].check(task))
        }
    }

    /// Ends the audits, and returns the result of each, in order.
    func finish() -> [AuditResult] {
        Threads.forEach(in: order) { [audits] in audits[$0].finish() }
        return audits.map(\.result)
    }

    /// Calls independent checks on several threads; returns all findings in the checks' order.
    private static func findAll(_ checks: [@Sendable () -> [Finding]]) -> [Finding] {
        let found = Mutex([[Finding]](repeating: [], count: checks.count))
        Threads.forEach(in: Array(checks.indices)) { index in
            let findings = checks[index]()
            found.withLock { $0[index] = findings }
        }
        return found.withLock { $0.flatMap(\.self) }
    }
}

/// An event to audit, with the actor of its commit. A class, so that audits on several threads do
/// not copy the event, whose reference counts they would all change.
final class AuditedEvent: Sendable {
    /// The event, in its newest schema version.
    let event: RecordedEvent
    let kindIndex: Int
    /// Actor of the event's commit; empty if no audit needs it.
    let actor: String

    init(_ event: RecordedEvent, kindIndex: Int, actor: String) {
        self.event = event
        self.kindIndex = kindIndex
        self.actor = actor
    }
}

/// Events that each audit checks at one go.
struct AuditBatch: Sendable {
    private(set) var events: [AuditedEvent] = []
    /// One event of each kind in the batch.
    private(set) var examples: [AuditedEvent] = []

    mutating func add(_ event: AuditedEvent) {
        events.append(event)
        if !examples.contains(where: { $0.kindIndex == event.kindIndex }) { examples.append(event) }
    }
}

/// The event kinds that a walk meets, numbered from 0 in the order of their first events.
private struct MetKinds {
    /// An event kind that the walk has met.
    struct MetKind {
        let kind: EventKind
        let index: Int
        /// True if some audit needs the actors of the kind's commits.
        let needsActor: Bool
    }

    private let actorKinds: Set<EventKind>
    private var kinds: [EventKind: MetKind] = [:]
    /// The event kind that was looked up last.
    private var last: MetKind?

    /// Creates the list without kinds; some audit needs the actors of `actorKinds`.
    init(_ actorKinds: Set<EventKind>) { self.actorKinds = actorKinds }

    /// Returns an event kind with its index, the next free one if the kind is new.
    mutating func met(_ kind: EventKind) -> MetKind {
        if let last, last.kind == kind { return last }
        let met =
            kinds[kind]
            ?? MetKind(kind: kind, index: kinds.count, needsActor: actorKinds.contains(kind))
        kinds[kind] = met
        last = met
        return met
    }
}

/// One audit with its state, guarded by a lock.
private final class LockedAudit: Sendable {
    private struct State {
        var audit: any Audit
        /// The audit's first error, with the number of the batch and the event's index in it.
        var failure: (batchNumber: Int, index: Int, error: FoldError)?
        /// Findings of the audit; empty before it ends.
        var result = AuditResult()
        /// Results of the audit's `ignores(_:)`, by the index of the event kind, where known.
        private var ignoresKind: [Bool?] = []

        init(_ audit: any Audit) { self.audit = audit }

        mutating func ignores(_ event: AuditedEvent) -> Bool {
            let kind = event.kindIndex
            while ignoresKind.count <= kind { ignoresKind.append(nil) }
            if let ignores = ignoresKind[kind] { return ignores }
            let ignores = audit.ignores(event.event.kind)
            ignoresKind[kind] = ignores
            return ignores
        }

        mutating func check(_ event: AuditedEvent) throws(FoldError) {
            try audit.check(event.event, actor: event.actor)
        }
    }

    private let state: Mutex<State>

    init(_ audit: any Audit) { state = Mutex(State(audit)) }

    var failure: (batchNumber: Int, index: Int, error: FoldError)? { state.withLock { $0.failure } }
    /// The findings; empty before `finish`.
    var result: AuditResult { state.withLock { $0.result } }

    /// Passes an event to the audit ahead of all other events.
    func readAhead(_ event: RecordedEvent) throws(FoldError) {
        try state.withLock { (state) throws(FoldError) in try state.audit.readAhead(event) }
    }

    /// Passes the events of a batch to the audit up to an error; returns true if there is one.
    func check(_ task: AuditSchedule.Task) -> Bool {
        state.withLock { state in
            guard task.batch.examples.contains(where: { !state.ignores($0) }) else { return false }
            for (index, event) in task.batch.events.enumerated() where !state.ignores(event) {
                do throws(FoldError) { try state.check(event) } catch {
                    state.failure = (task.batchNumber, index, error)
                    return true
                }
            }
            return false
        }
    }

    func finish() { state.withLock { $0.result = $0.audit.finish() } }
}
