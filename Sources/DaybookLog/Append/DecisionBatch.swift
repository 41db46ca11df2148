package import Daybook

/// A batch of decisions whose events are appended together in one transaction.
///
/// Each decision takes the events of earlier decisions of the batch into account.
package struct DecisionBatch {
    let log: EventLog
    private let catalogue: Catalogue
    private(set) var requests: [AppendRequest] = []
    /// The events of the batch, with the positions that they get if no other writer appends.
    private var pendingEvents: [RecordedEvent] = []
    /// Finds the indices of the batch's events by event kind and tag.
    private var pendingIndex = QueryIndex()
    /// The requests that the batch's idempotency keys identify, by key; `nil` for a key that the
    /// caller has only looked up, and that the log lacks.
    private(set) var keyedRequests: [String: AppendRequest.Idempotency?] = [:]
    /// The newest position of the log at the first decision; `nil` until then.
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

    /// Calls `body` with a new batch, and repeats this after each conflict.
    ///
    /// - Parameters:
    ///   - catalogue: the catalogue that upcasts older events; by default the log's.
    ///   - memory: states cached by earlier decisions of the same writer.
    ///   - body: adds decisions to the batch and appends the batch.
    /// - Throws: `.conflict` only after a hundred attempts in a row had a conflict.
    package static func retryingConflicts<Result>(
        in log: EventLog, _ catalogue: Catalogue? = nil, _ memory: DecisionMemory? = nil,
        _ body: (inout DecisionBatch) throws(AppendError) -> Result
    ) throws(AppendError) -> Result {
        var overtaken = AppendError.conflict(at: .origin)
        for _ in 0..<100 {
            var batch = DecisionBatch(log, catalogue, memory ?? DecisionMemory())
            defer { memory?.dropBatchStates() }
            do throws(AppendError) {
                return try body(&batch)
            } catch .conflict(let position) {
                overtaken = .conflict(at: position)
            }
        }
        throw overtaken
    }

    /// Decides a command on the events of the log and of the batch so far, and adds its events.
    ///
    /// A refusal adds nothing. A known idempotency key adds a request without events, for which
    /// `append` returns the receipt of the earlier commit.
    public mutating func decide(
        _ decision: consuming some PendingDecision, metadata: CommitMetadata,
        idempotency: AppendRequest.Idempotency?
    ) throws(AppendError) -> Outcome {
        log.file.activity.add(1, .commandsDecided)
        let head = try decisionHead()
        let keyDigest = idempotency.map { log.file.digests.key($0.key) }
        if let idempotency, try isKnown(idempotency, keyDigest) {
            // The append returns the earlier receipt, or throws if the key was used for another
            // request.
            requests.append(AppendRequest([], metadata: metadata, idempotency: idempotency))
            return .events([])
        }
        var gathered = consume decision
        let (outcome, query) = try AppendError.mappingLogErrors(
            try gather(&gathered, through: head))
        if case .events(let events) = outcome {
            try add(
                events, metadata: metadata,
                conditions: [AppendCondition(query, after: head)], idempotency: idempotency)
            requests[requests.count - 1].expectsNewKey = true
            requests[requests.count - 1].keyDigest = keyDigest
        }
        return outcome
    }

    /// Feeds a decision the events that its queries select; returns the outcome and the last query.
    ///
    /// Each query resumes from the state that an earlier decision on the same command type cached.
    private func gather(
        _ decision: inout some PendingDecision, through head: Position
    ) throws(LogError) -> (Outcome, Query) {
        let command = decision.commandType
        var rounds = 0
        var fed: DecisionMemory.CachedState?
        let memory = memory
        let query = try decision.gatherNewest(
            beforeRestart: { decision in
                if let command { memory.store(&decision, fed, of: command, round: rounds) }
            },
            { (query, newest, decision) throws(LogError) in
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

    /// Feeds a decision the events that match a query; resumes from a cached state if possible.
    ///
    /// - Returns: a description of the events that the decision has now folded.
    private func feed(
        _ query: Query, to decision: inout some PendingDecision, of command: ObjectIdentifier?,
        round: Int, through head: Position
    ) throws(LogError) -> DecisionMemory.CachedState {
        var now = DecisionMemory.CachedState(
            query: query, through: head, pendingCount: pendingEvents.count)
        var (after, first) = (Position.origin, 0)
        if let command, let kept = memory.removeState(command, query, round: round),
            let folded = kept.folded, try selectsSameEvents(kept, query),
            decision.resume(from: folded)
        {
            (after, first, now.eventCount) = (kept.through, kept.pendingCount, kept.eventCount)
        }
        if after < head {
            let reader = log.reader(query, ReadWindow(after: after, through: head))
            try reader.forEachInPlace { (event) throws(LogError) in
                try decision.fold(event, catalogue)
                now.eventCount += 1
                return true
            }
        }
        for place in matchingPending(query, from: first) {
            try decision.fold(pendingEvents[place].view, catalogue)
            now.eventCount += 1
        }
        return now
    }

    /// True if a query selects exactly the events that the cached state has folded.
    ///
    /// The two queries may still differ in items, if the items that only one of them has select no
    /// events, or only events that the other query selects too.
    private func selectsSameEvents(
        _ kept: DecisionMemory.CachedState, _ query: Query
    ) throws(LogError) -> Bool {
        guard kept.query != query else { return true }
        guard let known = kept.query.items, let wanted = query.items else { return false }
        guard try isCovered(Set(wanted).subtracting(known), by: kept.query, kept)
        else { return false }
        return try isCovered(Set(known).subtracting(wanted), by: query, kept)
    }

    /// True if, up to a cached state's position, a query selects every event that the items select.
    private func isCovered(
        _ items: Set<Query.Item>, by query: Query, _ kept: DecisionMemory.CachedState
    ) throws(LogError) -> Bool {
        guard let items = Query(items: Array(items)) else { return true }
        let isSelected = { [catalogue] (event: RecordedEvent) in
            query.matches(kind: catalogue.newest(event.kind) ?? event.kind, tags: event.tags)
        }
        let inBatch = matchingPending(items, from: 0, to: kept.pendingCount)
        guard inBatch.allSatisfy({ isSelected(pendingEvents[$0]) }) else { return false }
        var isCovered = true
        try log.reader(items, ReadWindow(through: kept.through)).forEach {
            (event) throws(LogError) in
            isCovered = isSelected(event)
            return isCovered
        }
        return isCovered
    }

    /// Feeds a decision the events that match a query, but only the newest for an item of `newest`.
    private func feed(
        _ query: Query, _ newest: Set<Query.Item>, to decision: inout some PendingDecision,
        through head: Position
    ) throws(LogError) {
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
        for event in pendingMatches(rest, newest) { try decision.fold(event.view, catalogue) }
    }

    /// Returns the newest stored event for each query item, in the order of positions.
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

    /// Adds events without a decision to the batch, as one commit.
    public mutating func add(
        _ events: [NewEvent], metadata: CommitMetadata, conditions: [AppendCondition] = [],
        idempotency: AppendRequest.Idempotency?
    ) throws(AppendError) {
        let head = try decisionHead()
        let now = log.file.clock()
        for event in events {
            let position = Position(head.rawValue + UInt64(pendingEvents.count) + 1)
            pendingIndex.add(
                catalogue.newest(event.kind) ?? event.kind, event.tags, at: pendingEvents.count)
            pendingEvents.append(
                RecordedEvent(
                    envelope: Envelope(
                        position: position, occurredAt: event.occurredAt, recordedAt: now,
                        offsetS: event.offsetS),
                    kind: event.kind, tags: event.tags, zone: event.zone, payload: event.payload))
        }
        if let idempotency { keyedRequests[idempotency.key] = idempotency }
        requests.append(
            AppendRequest(
                events, metadata: metadata, conditions: conditions, idempotency: idempotency))
    }

    /// Adds idempotency keys that the caller has looked up and that the log lacks.
    mutating func addNewKeys(_ keys: some Collection<String>) {
        keyedRequests.reserveCapacity(keyedRequests.count + keys.count)
        keyedRequests.merge(keys.lazy.map { ($0, nil) }) { known, _ in known }
    }

    /// Makes `append` throw `.conflict` if an event that matches a query was appended after the
    /// first decision of the batch.
    ///
    /// Used for values that the caller derived from the log once for all decisions.
    public mutating func require(noneSince query: Query?) throws(AppendError) {
        guard let query else { return }
        let head = try decisionHead()
        requests.append(AppendRequest([], conditions: [AppendCondition(query, after: head)]))
    }

    /// Returns the indices of the batch's events, from a range, that match a query.
    ///
    /// - Parameters:
    ///   - first: the index of the first event in the range.
    ///   - end: the index after the last event of the range; `nil` for the end of the batch.
    private func matchingPending(
        _ query: Query, from first: Int, to end: Int? = nil
    ) -> [Int] {
        let end = end ?? pendingEvents.count
        var places = pendingIndex.places(for: query, from: first) ?? Array(first..<end)
        places.removeAll { place in
            guard place < end else { return true }
            let kind = pendingEvents[place].kind
            return !query.matches(
                kind: catalogue.newest(kind) ?? kind, tags: pendingEvents[place].tags)
        }
        return places
    }

    /// Returns the batch's events that match `query`, and for each item of `newest` the newest one.
    func pendingMatches(_ query: Query?, _ newest: Set<Query.Item>) -> [RecordedEvent] {
        let matches = { [pendingEvents, catalogue] (query: Query, place: Int) in
            let event = pendingEvents[place]
            return query.matches(
                kind: catalogue.newest(event.kind) ?? event.kind, tags: event.tags)
        }
        var places = newest.compactMap { item in
            pendingIndex.newest(of: item) { matches(Query(item), $0) }
        }
        if let query {
            places += (pendingIndex.places(for: query) ?? Array(pendingEvents.indices)).filter {
                matches(query, $0)
            }
        }
        return Set(places).sorted().map { pendingEvents[$0] }
    }

    /// Appends the events of all decisions in one transaction, or none of them, and begins a new
    /// batch.
    ///
    /// - Returns: the receipt of each request, in the order of calls; `nil` for a request without
    ///   events, unless an earlier commit has its idempotency key.
    public mutating func append() throws(AppendError) -> [Receipt?] {
        let requests = requests
        // Frees what only decisions need, before the append needs memory for as many rows.
        self = DecisionBatch(log, catalogue, memory)
        return try AppendTurn(log: log).append(requests)
    }

    /// Returns the newest position at the first decision, up to which every decision reads the log.
    mutating func decisionHead() throws(AppendError) -> Position {
        if let headAtStart { return headAtStart }
        do throws(LogError) {
            try log.kind.prepareForAppends(to: log)
            let head = try log.head()
            headAtStart = head
            memory.clearIfOutdated(at: head)
            return head
        } catch {
            throw .log(error)
        }
    }
}

extension PendingDecision {
    /// Folds an event after upcasting it to the newest schema version of its kind.
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
