public import Daybook

/// The outcome of a command on a log.
public enum Decided: Hashable, Sendable {
    case appended(Receipt)
    /// There was nothing to do.
    case nothing
    case refused(Daybook.Refusal)
}

extension EventLog {
    /// Decides a command on what the log holds, and appends its events on the condition that
    /// nothing it depends on came between.
    ///
    ///     let decided = try log.decide(Borrow(copy: "c1", reader: "ada"))
    ///
    /// - Parameters:
    ///   - now: when the command was given, by the device's clock; by default the log's time.
    ///   - zone: the IANA name of the device's zone, or empty where it is not known.
    ///   - offsetS: seconds east of UTC on the device.
    public func decide<Body: Command>(
        _ command: Body, at now: Instant? = nil, zone: String = "", offsetS: Int32 = 0,
        metadata: CommitMetadata = CommitMetadata(),
        idempotency: AppendRequest.Idempotency? = nil
    ) throws(AppendError) -> Decided {
        let context = CommandContext(now: now ?? clock(), zone: zone, offsetS: offsetS)
        return try decide(
            PendingCommand(command, context: context), metadata: metadata,
            idempotency: idempotency)
    }

    /// Decides one command on what the log holds, and appends its events on the condition that
    /// nothing it depends on came between.
    ///
    /// - Parameters:
    ///   - catalogue: upcasts older events; by default the log's.
    ///   - memory: of this writer's earlier decisions, on which it goes on.
    /// - Throws: `.conflict` only after a hundred decisions in a row were overtaken.
    public func decide(
        _ decision: any PendingDecision, metadata: CommitMetadata = CommitMetadata(),
        idempotency: AppendRequest.Idempotency? = nil, catalogue: Catalogue? = nil,
        memory: DecisionMemory? = nil
    ) throws(AppendError) -> Decided {
        try deciding(catalogue, memory) { (batch) throws(AppendError) in
            let outcome = try batch.decide(decision, metadata: metadata, idempotency: idempotency)
            if case .refused(let refused) = outcome { return .refused(refused) }
            let receipts = try batch.append()
            memory?.note(receipts.first ?? nil)
            return (receipts.first ?? nil).map(Decided.appended) ?? .nothing
        }
    }

    /// Calls `body` with a batch, and with a new one where others came between before it was
    /// appended.
    ///
    /// - Parameters:
    ///   - catalogue: upcasts older events; by default the log's.
    ///   - memory: of this writer's earlier decisions.
    /// - Throws: `.conflict` only after a hundred batches in a row were overtaken.
    public func deciding<Result>(
        _ catalogue: Catalogue? = nil, _ memory: DecisionMemory? = nil,
        _ body: (inout DecisionBatch) throws(AppendError) -> Result
    ) throws(AppendError) -> Result {
        var overtaken = AppendError.conflict(at: .origin)
        for _ in 0..<100 {
            var batch = DecisionBatch(self, catalogue, memory ?? DecisionMemory())
            defer { memory?.settle() }
            do throws(AppendError) {
                return try body(&batch)
            } catch .conflict(let position) {
                overtaken = .conflict(at: position)
            }
        }
        throw overtaken
    }
}

/// Several decisions that are appended together: each sees the events of those before it, and
/// either all commits are appended or none.
public struct DecisionBatch {
    let log: EventLog
    private let catalogue: Catalogue
    private var requests: [AppendRequest] = []
    private var pending: [RecordedEvent] = []
    private var index = QueryIndex()
    private var keys: Set<String> = []
    private var seenThrough: Position?
    private let memory: DecisionMemory

    /// - Parameter catalogue: upcasts older events; by default the log's.
    public init(_ log: EventLog, _ catalogue: Catalogue? = nil) {
        self.init(log, catalogue, DecisionMemory())
    }

    init(_ log: EventLog, _ catalogue: Catalogue?, _ memory: DecisionMemory) {
        self.log = log
        self.catalogue = catalogue ?? log.catalogue
        self.memory = memory
    }

    /// Decides a command on the log and what the batch holds so far. A refusal adds nothing.
    public mutating func decide(
        _ decision: any PendingDecision, metadata: CommitMetadata,
        idempotency: AppendRequest.Idempotency?
    ) throws(AppendError) -> Outcome {
        log.activity.add(1, .commandsDecided)
        let head = try start()
        if let idempotency, try isKnown(idempotency) {
            // The log tells the same request from another under the same key.
            requests.append(
                AppendRequest([], metadata: metadata, idempotency: idempotency))
            return .events([])
        }
        let (outcome, query) = try gather(decision, through: head)
        if case .events(let events) = outcome {
            try add(
                events, metadata: metadata,
                conditions: [AppendCondition(query, after: head)], idempotency: idempotency)
            requests[requests.count - 1].expectsNewKey = true
        }
        return outcome
    }

    /// Feeds the decision everything it depends on.
    ///
    /// For each query that it comes to ask for, it goes on from what an earlier decision of the
    /// same command has folded for the same events.
    private func gather(
        _ decision: some PendingDecision, through head: Position
    ) throws(AppendError) -> (Outcome, Query) {
        var decision = decision
        let command = decision.commandType
        var rounds = 0
        var fed: DecisionMemory.Kept?
        let memory = memory
        let query = try decision.gatherNewest(
            leaving: { decision in
                if let command { memory.keep(&decision, fed, of: command, round: rounds) }
            },
            { (query, newest, decision) throws(AppendError) in
                rounds += 1
                fed = nil
                guard newest.isEmpty else {
                    return try feed(query, newest, to: &decision, through: head)
                }
                fed = try feed(query, to: &decision, of: command, round: rounds, through: head)
            })
        let outcome = decision.outcome()
        if let command { memory.keep(&decision, fed, of: command, round: rounds) }
        return (outcome, query)
    }

    /// Feeds a decision that has folded nothing what matches a query, or what came since an earlier
    /// one has folded it.
    private func feed(
        _ query: Query, to decision: inout some PendingDecision, of command: ObjectIdentifier?,
        round: Int, through head: Position
    ) throws(AppendError) -> DecisionMemory.Kept {
        var now = DecisionMemory.Kept(query: query, through: head, pending: pending.count)
        var (after, first) = (Position.origin, 0)
        do throws(LogError) {
            if let command, let kept = memory.take(command, query, round: round),
                let folded = kept.folded, try isSame(kept, query), decision.resume(from: folded)
            {
                (after, first, now.events) = (kept.through, kept.pending, kept.events)
            }
            if after < head {
                let reader = log.reader(query, ReadWindow(after: after, through: head))
                try reader.forEachInPlace { (event) throws(LogError) in
                    try decision.fold(event, catalogue)
                    now.events += 1
                    return true
                }
            }
            for event in matchingPending(query, from: first) {
                try decision.fold(event.view, catalogue)
                now.events += 1
            }
        } catch {
            throw .log(error)
        }
        return now
    }

    /// True where a query selects just the events that were folded, of those up to then.
    ///
    /// Another edit may name another slot or id beside the entity: what only one of both queries
    /// asks for must be without events, or have those that the other one selects too.
    private func isSame(
        _ kept: DecisionMemory.Kept, _ query: Query
    ) throws(LogError) -> Bool {
        guard kept.query != query else { return true }
        guard let known = kept.query.items, let wanted = query.items else { return false }
        guard try isCovered(Set(wanted).subtracting(known), by: kept.query, kept)
        else { return false }
        return try isCovered(Set(known).subtracting(wanted), by: query, kept)
    }

    /// True where all events of some items, of those up to then, are selected by a query.
    private func isCovered(
        _ items: Set<Query.Item>, by query: Query, _ kept: DecisionMemory.Kept
    ) throws(LogError) -> Bool {
        guard let items = Query(items: Array(items)) else { return true }
        let isSelected = { [catalogue] (event: RecordedEvent) in
            query.matches(kind: catalogue.newest(event.kind) ?? event.kind, tags: event.tags)
        }
        let inBatch = matchingPending(items, from: 0, to: kept.pending)
        guard inBatch.allSatisfy(isSelected) else { return false }
        var isCovered = true
        try log.reader(items, ReadWindow(through: kept.through)).forEach {
            (event) throws(LogError) in
            isCovered = isSelected(event)
            return isCovered
        }
        return isCovered
    }

    /// Feeds a decision what matches a query, and the newest event alone of some of its items.
    private func feed(
        _ query: Query, _ newest: Set<Query.Item>, to decision: inout some PendingDecision,
        through head: Position
    ) throws(AppendError) {
        do throws(LogError) {
            // No item is left where the newest event of each is enough.
            let items = query.items?.filter { !newest.contains($0) }
            let rest = items.map(Query.init(items:)) ?? query
            var last = try lastEvents(of: newest, through: head)[...]
            if let rest {
                let reader = log.reader(rest, ReadWindow(through: head))
                try reader.forEachInPlace { (event) throws(LogError) in
                    while let next = last.first, next.position <= event.position {
                        if next.position < event.position {
                            try decision.fold(next.view, catalogue)
                        }
                        last.removeFirst()
                    }
                    try decision.fold(event, catalogue)
                    return true
                }
            }
            for event in last { try decision.fold(event.view, catalogue) }
            for event in pending(rest, newest) { try decision.fold(event.view, catalogue) }
        } catch {
            throw .log(error)
        }
    }

    /// The newest stored events of some items, in the order of their positions.
    private func lastEvents(
        of items: Set<Query.Item>, through head: Position
    ) throws(LogError) -> [RecordedEvent] {
        var events: [Position: RecordedEvent] = [:]
        for item in items {
            let window = ReadWindow(through: head, .descending)
            for event in try log.reader(Query(item), window).collect(limit: 1) {
                events[event.position] = event
            }
        }
        return events.values.sorted { $0.position < $1.position }
    }

    /// Adds events as recorded facts, which no rule has judged.
    public mutating func add(
        _ events: [NewEvent], metadata: CommitMetadata, conditions: [AppendCondition] = [],
        idempotency: AppendRequest.Idempotency?
    ) throws(AppendError) {
        let head = try start()
        let now = log.clock()
        for event in events {
            let position = Position(head.rawValue + UInt64(pending.count) + 1)
            index.add(catalogue.newest(event.kind) ?? event.kind, event.tags, at: pending.count)
            pending.append(
                RecordedEvent(
                    envelope: Envelope(
                        position: position, occurredAt: event.occurredAt, recordedAt: now,
                        offsetS: event.offsetS),
                    kind: event.kind, tags: event.tags, zone: event.zone, payload: event.payload))
        }
        if let idempotency { keys.insert(idempotency.key) }
        requests.append(
            AppendRequest(
                events, metadata: metadata, conditions: conditions, idempotency: idempotency))
    }

    /// Appends nothing where an event that matches came after what the first decision has seen.
    ///
    /// For what a caller worked out from the log itself, once for all decisions.
    public mutating func require(noneSince query: Query?) throws(AppendError) {
        guard let query else { return }
        let head = try start()
        requests.append(
            AppendRequest([], conditions: [AppendCondition(query, after: head)]))
    }

    func isKnown(
        _ idempotency: AppendRequest.Idempotency
    ) throws(AppendError) -> Bool {
        if keys.contains(idempotency.key) { return true }
        return try log.receipt(for: idempotency) != nil
    }

    /// The batch's events that match a query, of those from one on and before another.
    private func matchingPending(
        _ query: Query, from first: Int, to end: Int? = nil
    ) -> [RecordedEvent] {
        let end = end ?? pending.count
        let places = index.places(for: query, from: first) ?? Array(first..<end)
        return places.prefix { $0 < end }.map { pending[$0] }.filter { event in
            query.matches(kind: catalogue.newest(event.kind) ?? event.kind, tags: event.tags)
        }
    }

    /// The batch's events that match a query, and the newest one of each of some items.
    func pending(_ query: Query?, _ newest: Set<Query.Item>) -> [RecordedEvent] {
        let matches = { [pending, catalogue] (query: Query, place: Int) in
            let event = pending[place]
            return query.matches(
                kind: catalogue.newest(event.kind) ?? event.kind, tags: event.tags)
        }
        var places = newest.compactMap { item in
            index.newest(of: item) { matches(Query(item), $0) }
        }
        if let query {
            places += (index.places(for: query) ?? Array(pending.indices)).filter {
                matches(query, $0)
            }
        }
        return Set(places).sorted().map { pending[$0] }
    }

    /// Appends everything in one transaction, or nothing.
    ///
    /// - Returns: a receipt for each decision or fact, `nil` where it had no events.
    public func append() throws(AppendError) -> [Receipt?] {
        do throws(BatchError) {
            return try log.append(requests)
        } catch {
            throw error.error
        }
    }

    /// The position the first decision has seen; all others see the same.
    mutating func start() throws(AppendError) -> Position {
        if let seenThrough { return seenThrough }
        do throws(LogError) {
            let head = try log.head()
            seenThrough = head
            memory.begin(at: head)
            return head
        } catch {
            throw .log(error)
        }
    }
}

extension PendingDecision {
    fileprivate mutating func fold(
        _ event: borrowing EventView, _ catalogue: Catalogue
    ) throws(LogError) {
        do throws(FoldError) {
            guard catalogue.isOutdated(event.kind) else { return try fold(event) }
            let copy = RecordedEvent(
                envelope: event.envelope, kind: event.kind, tags: [], zone: "",
                payload: event.payload.copied())
            try fold(try catalogue.upcast(copy))
        } catch {
            throw .fold(error)
        }
    }
}
