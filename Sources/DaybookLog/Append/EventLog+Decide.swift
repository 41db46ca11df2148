public import Daybook

/// The outcome of a command on a log.
public enum Decided: Hashable, Sendable {
    /// The command's events were appended, or an earlier commit with the same key was found.
    case appended(Receipt)
    /// The command produced no events.
    case nothing
    /// A rule refused the command, and nothing was appended.
    case refused(Daybook.Refusal)
}

extension EventLog {
    /// Decides a command on the events in the log and appends the resulting events.
    ///
    /// Appends only if no event that the decision depends on came in between; otherwise decides
    /// again.
    ///
    ///     let decided = try log.decide(Borrow(copy: "c1", reader: "ada"))
    ///
    /// - Parameters:
    ///   - now: the time at which the command was given, by the device's clock; by default the
    ///     log's time.
    ///   - zone: the IANA name of the device's time zone; empty if unknown.
    ///   - offsetS: the device's offset from UTC, in seconds east.
    /// - Throws: `.conflict` only after a hundred attempts in a row had a conflict.
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

    /// Decides a pending decision on the events in the log and appends the resulting events.
    ///
    /// Appends only if no event that the decision depends on came in between; otherwise decides
    /// again.
    ///
    /// - Parameters:
    ///   - catalogue: the catalogue that upcasts older events; by default the log's.
    ///   - memory: states cached by earlier decisions of the same writer; `nil` to fold from the
    ///     start.
    /// - Throws: `.conflict` only after a hundred attempts in a row had a conflict.
    package func decide(
        _ decision: any PendingDecision, metadata: CommitMetadata = CommitMetadata(),
        idempotency: AppendRequest.Idempotency? = nil, catalogue: Catalogue? = nil,
        memory: DecisionMemory? = nil
    ) throws(AppendError) -> Decided {
        try retryingConflicts(catalogue, memory) { (batch) throws(AppendError) in
            let outcome = try batch.decide(decision, metadata: metadata, idempotency: idempotency)
            if case .refused(let refused) = outcome { return .refused(refused) }
            let receipts = try batch.append()
            memory?.recordAppend(receipts.first ?? nil)
            return (receipts.first ?? nil).map(Decided.appended) ?? .nothing
        }
    }

    /// Calls `body` with a batch, and again with a new batch after each conflict.
    ///
    /// - Parameters:
    ///   - catalogue: the catalogue that upcasts older events; by default the log's.
    ///   - memory: states cached by earlier decisions of the same writer.
    ///   - body: decides on the batch and appends it.
    /// - Throws: `.conflict` only after a hundred attempts in a row had a conflict.
    package func retryingConflicts<Result>(
        _ catalogue: Catalogue? = nil, _ memory: DecisionMemory? = nil,
        _ body: (inout DecisionBatch) throws(AppendError) -> Result
    ) throws(AppendError) -> Result {
        var overtaken = AppendError.conflict(at: .origin)
        for _ in 0..<100 {
            var batch = DecisionBatch(self, catalogue, memory ?? DecisionMemory())
            defer { memory?.dropBatchStates() }
            do throws(AppendError) {
                return try body(&batch)
            } catch .conflict(let position) {
                overtaken = .conflict(at: position)
            }
        }
        throw overtaken
    }
}

/// Several decisions that are appended together in one transaction.
///
/// Each decision sees the events of the decisions before it, and either all commits are appended or
/// none.
public struct DecisionBatch {
    let log: EventLog
    private let catalogue: Catalogue
    private var requests: [AppendRequest] = []
    /// The events of the batch, with provisional positions.
    private var pending: [RecordedEvent] = []
    /// Finds the batch's events by kind and tag.
    private var index = QueryIndex()
    /// The idempotency keys of the batch.
    private var keys: Set<String> = []
    private var headAtStart: Position?
    /// The states that earlier decisions have cached.
    private let memory: DecisionMemory

    /// Creates an empty batch.
    ///
    /// - Parameter catalogue: the catalogue that upcasts older events; by default the log's.
    public init(_ log: EventLog, _ catalogue: Catalogue? = nil) {
        self.init(log, catalogue, DecisionMemory())
    }

    init(_ log: EventLog, _ catalogue: Catalogue?, _ memory: DecisionMemory) {
        self.log = log
        self.catalogue = catalogue ?? log.catalogue
        self.memory = memory
    }

    /// Decides a command on the events of the log and of the batch so far.
    ///
    /// A refusal adds nothing to the batch. A known idempotency key adds a request without events,
    /// whose receipt is that of the earlier commit.
    public mutating func decide(
        _ decision: any PendingDecision, metadata: CommitMetadata,
        idempotency: AppendRequest.Idempotency?
    ) throws(AppendError) -> Outcome {
        log.activity.add(1, .commandsDecided)
        let head = try decisionHead()
        if let idempotency, try isKnown(idempotency) {
            // The append returns the earlier receipt, or throws if the key was used for another
            // request.
            requests.append(AppendRequest([], metadata: metadata, idempotency: idempotency))
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

    /// Feeds a decision the events that it depends on, and returns its outcome and final query.
    ///
    /// For each query of the decision, folding resumes from the state that an earlier decision of
    /// the same command has cached for the same events.
    private func gather(
        _ decision: some PendingDecision, through head: Position
    ) throws(AppendError) -> (Outcome, Query) {
        var decision = decision
        let command = decision.commandType
        var rounds = 0
        var fed: DecisionMemory.CachedState?
        let memory = memory
        let query = try decision.gatherNewest(
            beforeRestart: { decision in
                if let command { memory.store(&decision, fed, of: command, round: rounds) }
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
        if let command { memory.store(&decision, fed, of: command, round: rounds) }
        return (outcome, query)
    }

    /// Feeds a decision the events that match a query.
    ///
    /// Resumes from a cached state for the same events and folds only newer events.
    private func feed(
        _ query: Query, to decision: inout some PendingDecision, of command: ObjectIdentifier?,
        round: Int, through head: Position
    ) throws(AppendError) -> DecisionMemory.CachedState {
        var now = DecisionMemory.CachedState(query: query, through: head, pending: pending.count)
        var (after, first) = (Position.origin, 0)
        do throws(LogError) {
            if let command, let kept = memory.removeState(command, query, round: round),
                let folded = kept.folded, try selectsSameEvents(kept, query),
                decision.resume(from: folded)
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

    /// True if a query selects exactly the events that the cached state has folded.
    ///
    /// The queries of two edits may differ in items, for example in the slot that each edit names.
    /// Items of only one of the queries must select no events, or only events that the other query
    /// selects too.
    private func selectsSameEvents(
        _ kept: DecisionMemory.CachedState, _ query: Query
    ) throws(LogError) -> Bool {
        guard kept.query != query else { return true }
        guard let known = kept.query.items, let wanted = query.items else { return false }
        guard try isCovered(Set(wanted).subtracting(known), by: kept.query, kept)
        else { return false }
        return try isCovered(Set(known).subtracting(wanted), by: query, kept)
    }

    /// True if a query selects all events of some items, up to the position of a cached state.
    private func isCovered(
        _ items: Set<Query.Item>, by query: Query, _ kept: DecisionMemory.CachedState
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

    /// Feeds a decision the events that match a query; for some items, only the newest event.
    private func feed(
        _ query: Query, _ newest: Set<Query.Item>, to decision: inout some PendingDecision,
        through head: Position
    ) throws(AppendError) {
        do throws(LogError) {
            // `rest` is `nil` if all items need only their newest event.
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

    /// Returns the newest stored event of each item, in the order of positions.
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

    /// Adds events without a decision, as one commit.
    public mutating func add(
        _ events: [NewEvent], metadata: CommitMetadata, conditions: [AppendCondition] = [],
        idempotency: AppendRequest.Idempotency?
    ) throws(AppendError) {
        let head = try decisionHead()
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

    /// Makes the append fail if an event that matches a query was appended after the first
    /// decision of the batch.
    ///
    /// For values that the caller derived from the log once for all decisions of the batch.
    public mutating func require(noneSince query: Query?) throws(AppendError) {
        guard let query else { return }
        let head = try decisionHead()
        requests.append(AppendRequest([], conditions: [AppendCondition(query, after: head)]))
    }

    /// True if the batch or the log has the idempotency key.
    ///
    /// - Throws: `.keyReused` if the log has the key for another request.
    func isKnown(_ idempotency: AppendRequest.Idempotency) throws(AppendError) -> Bool {
        if keys.contains(idempotency.key) { return true }
        return try log.receipt(for: idempotency) != nil
    }

    /// Returns the batch's events in a range that match a query.
    ///
    /// - Parameters:
    ///   - first: the index of the first event of the range.
    ///   - end: the index after the last event of the range; the number of events if `nil`.
    private func matchingPending(
        _ query: Query, from first: Int, to end: Int? = nil
    ) -> [RecordedEvent] {
        let end = end ?? pending.count
        let places = index.places(for: query, from: first) ?? Array(first..<end)
        return places.prefix { $0 < end }.map { pending[$0] }.filter { event in
            query.matches(kind: catalogue.newest(event.kind) ?? event.kind, tags: event.tags)
        }
    }

    /// Returns the batch's events that match a query, and the newest event of each of some items.
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
    /// - Returns: a receipt for each request, in the order of calls; `nil` for a request without
    ///   events.
    public func append() throws(AppendError) -> [Receipt?] {
        do throws(BatchError) {
            return try log.append(requests)
        } catch {
            throw error.error
        }
    }

    /// Returns the newest position at the first decision, which is used for all later decisions.
    mutating func decisionHead() throws(AppendError) -> Position {
        if let headAtStart { return headAtStart }
        do throws(LogError) {
            let head = try log.head()
            headAtStart = head
            memory.begin(at: head)
            return head
        } catch {
            throw .log(error)
        }
    }
}

extension PendingDecision {
    /// Folds an event after converting it to the newest schema version of its kind.
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
