import Daybook
import DaybookCryptography
import DaybookLMDB
import Synchronization

/// A write transaction that appends the commits of several tickets.
struct AppendSession: ~Copyable {
    let log: EventLog
    /// The write transaction; its reads do not see its own writes.
    var transaction: LogWriteTransaction
    /// The rows of this transaction for the store of a replica; `nil` for a log without one.
    let captured: CapturedRows?
    /// The event kinds and time zones of the log, including those that this transaction has added.
    private(set) var names: Names
    /// The actors and owners of personal texts that this transaction's requests name.
    var people: SessionPeople
    /// The position of the newest event, including the events of this transaction.
    private(set) var head: UInt64
    /// The recording time of this transaction's commits.
    private var recordedAt: Instant
    /// The lead of the newest commit over the clock, which blocks commits; `nil` if commits are
    /// allowed.
    private let clockLead: ClockLead?
    /// The chain value of the newest commit, including the commits of this transaction.
    private(set) var lastChainValue: [UInt8]
    /// The position of the newest event before this transaction.
    let headAtStart: UInt64
    /// The time that the transaction waited for other writers; zero without an observer.
    let waited: Duration
    /// The rows of this transaction's events, with checksums, in the order of positions.
    ///
    /// In the last ticket only those of the newest commit, because no condition is checked anymore.
    private(set) var addedRows: [[UInt8]] = []
    /// The commits of this transaction by idempotency key.
    private var addedCommits: [String: AddedCommit] = [:]
    /// Computes the chain values of this transaction's commits.
    private var chainHash = ChainHash()
    /// The tags of this transaction's events; `commit` stores the last position of each.
    private(set) var tagRows = TagRows()
    /// The position of this transaction's newest event of each kind, by the kind's row in the table
    /// `names`; `commit` stores the positions.
    private(set) var lastPositionOfKind: [UInt16: UInt64] = [:]

    /// A commit of this transaction that has an idempotency key.
    private struct AddedCommit {
        let first: UInt64
        let last: UInt64
        /// The bytes of the request; see `CommandKey.asked`.
        let asked: [UInt8]
    }

    /// A request that may be written.
    private struct CheckedRequest {
        /// The receipt of the earlier commit of a repeated request; `nil` for a new request.
        var receipt: Receipt?
        /// The digest of the idempotency key; `nil` without a key.
        var keyDigest: [UInt8]?
        /// True if an earlier request of the same ticket has the idempotency key.
        var repeatsEarlier = false
    }

    /// Begins a write transaction.
    ///
    /// - Parameter ignoresClockLead: true to write even if the log is far ahead of the clock.
    init(_ log: EventLog, ignoresClockLead: Bool = false) throws(LogError) {
        try log.kind.prepareForAppends(to: log)
        let start = log.operations.start
        var transaction = try log.kind.beginWriting(in: log.file)
        let waited = start.map { ContinuousClock.now - $0 } ?? .zero
        let captured = try log.kind.beginRows(of: log.file, in: transaction)
        let names = try log.file.names(in: transaction)
        let (head, last) = try log.file.tables.newest(in: transaction)
        transaction.receiver = captured
        self.captured = captured
        self.log = log
        self.waited = waited
        self.names = names
        people = SessionPeople(log, registeringAfter: captured?.batch.end)
        self.head = head
        headAtStart = head
        let now = log.kind.recordingTime(of: log.file)
        recordedAt = max(now, last?.recordedAt ?? now)
        let ignoresLead = ignoresClockLead || log.ignoresClockLead
        clockLead = ignoresLead ? nil : ClockLead(recordedAt: recordedAt, now: now)
        lastChainValue = last?.chain ?? Array(repeating: 0, count: 32)
        self.transaction = transaction
    }

    /// Loads people by name into `people`; returns `false` if one of them is not registered yet.
    mutating func loadPeople(_ names: some Sequence<String>) throws(LogError) -> Bool {
        try people.load(names, in: transaction)
    }

    /// Appends all requests of a ticket, or appends none and stores the error in the ticket.
    ///
    /// - Parameter isLast: true if the transaction has no further tickets.
    /// - Throws: an error that aborts the transaction for every ticket.
    mutating func append(_ ticket: AppendTicket, isLast: Bool) throws(LogError) {
        let keyCount = ticket.requests.count { $0.idempotency != nil }
        guard let checked = try check(ticket, keyCount) else { return }
        var receipts: [Receipt?] = []
        receipts.reserveCapacity(checked.count)
        if keyCount > 1 { addedCommits.reserveCapacity(addedCommits.count + keyCount) }
        for (request, checked) in zip(ticket.requests, checked) {
            // Only an earlier request of the ticket can have added a commit since the check.
            var receipt = checked.receipt
            if checked.repeatsEarlier { receipt = addedCommit(of: request.idempotency)?.receipt }
            if receipt == nil { receipt = try write(request, keyDigest: checked.keyDigest) }
            receipts.append(receipt)
            if isLast { addedRows.removeAll(keepingCapacity: true) }
        }
        captured?.add(ticket.requests.lazy.flatMap(\.conditions), names)
        ticket.succeed(receipts)
    }

    /// Checks all requests of a ticket before the first is written; if one must not be written,
    /// stores the error in the ticket and returns `nil`.
    private func check(
        _ ticket: AppendTicket, _ keyCount: Int
    ) throws(LogError) -> [CheckedRequest]? {
        var checked: [CheckedRequest] = []
        checked.reserveCapacity(ticket.requests.count)
        var earlierRequests: [String: AppendRequest.Idempotency] = [:]
        if keyCount > 1 { earlierRequests.reserveCapacity(keyCount) }
        // The last position after the requests so far, which later requests may name as causation.
        var reached = Position(head)
        for (index, request) in ticket.requests.enumerated() {
            switch try check(request, &earlierRequests, &reached) {
            case .success(let request): checked.append(request)
            case .failure(let error):
                ticket.fail(BatchError(index: index, error: error))
                return nil
            }
        }
        return checked
    }

    /// Ends the transaction and writes nothing.
    consuming func abort() {}

    /// Writes the changed rows of tags, kinds and people, commits the transaction to disk, and
    /// then updates the log's cache of event kinds and time zones.
    consuming func commit() throws(LogError) {
        try storeLastRows()
        try commitStoredRows()
    }

    /// Commits the transaction to disk, and then updates the log's cache of event kinds and time
    /// zones.
    consuming func commitStoredRows() throws(LogError) {
        let log = log
        let names = names
        try transaction.commit()
        log.file.keep(names)
    }

    /// Checks the idempotency key, conditions and causation of a request before it is written.
    ///
    /// - Parameters:
    ///   - earlierRequests: the earlier requests of the same ticket, by idempotency key.
    ///   - reached: the position at which the log ends after the earlier requests of the ticket.
    /// - Returns: the error of a request that must not be written.
    private func check(
        _ request: AppendRequest, _ earlierRequests: inout [String: AppendRequest.Idempotency],
        _ reached: inout Position
    ) throws(LogError) -> Result<CheckedRequest, AppendError> {
        var checked = CheckedRequest()
        if let idempotency = request.idempotency {
            let digest = request.keyDigest ?? log.file.digests.key(idempotency.key)
            checked.keyDigest = digest
            var earlier = addedCommit(of: idempotency)
            if earlier == nil { earlier = try storedCommit(of: idempotency, digest) }
            if let earlier {
                guard request.expectsNewKey, earlier.isSameRequest else {
                    return earlier.outcome.map { CheckedRequest(receipt: $0) }
                }
                return .failure(.conflict(at: earlier.receipt.first))
            }
            let earlierRequest = earlierRequests.updateValue(idempotency, forKey: idempotency.key)
            if let earlier = earlierRequest {
                checked.repeatsEarlier = true
                return earlier == idempotency
                    ? .success(checked) : .failure(.keyReused(key: idempotency.key, at: .origin))
            }
        }
        for condition in request.conditions {
            if let position = try conflict(with: condition) {
                return .failure(.conflict(at: position))
            }
        }
        if let causation = request.metadata.causation,
            causation == .origin || causation > reached
        {
            return .failure(
                .unstorable(
                    "the commit gives position \(causation) as its cause, but the log has no event "
                        + "at this position; the log ends at position \(reached)"))
        }
        reached = Position(reached.rawValue + UInt64(request.events.count))
        return .success(checked)
    }

    /// Appends a checked request as one commit; returns `nil` for a request without events.
    ///
    /// - Parameter keyDigest: the digest of the request's idempotency key; `nil` without a key.
    mutating func write(
        _ request: AppendRequest, keyDigest: [UInt8]? = nil
    ) throws(LogError) -> Receipt? {
        guard !request.events.isEmpty else { return nil }
        if let lead = clockLead {
            throw .clockBehind(recordedAt: lead.recordedAt, now: lead.now)
        }
        let knownNames = names.rows.count
        let first = head + 1
        let firstRow = addedRows.count
        var salts: [UInt8] = []
        for (index, event) in request.events.enumerated() {
            let position = first + UInt64(index)
            addedRows.append(
                try eventRow(event, of: request, at: position, index: UInt32(index), &salts))
        }
        let idempotency = request.idempotency
        let actor = try actorNumber(of: request, at: first)
        let commit = CommitRecord(
            recordedAt: recordedAt, eventCount: UInt32(request.events.count),
            metadata: request.metadata,
            actor: actor, newPeople: people.removeNewPeople(),
            keyDigest: keyDigest,
            requestDigest: idempotency.map { log.file.digests.request($0, salts) })
        var row = commit.bytes
        chainHash.begin(
            after: lastChainValue, row: row.rawSpan, newNames: Array(names.rows[knownNames...]))
        for index in firstRow..<addedRows.count {
            let event = addedRows[index]
            chainHash.add(event.rawSpan.extracting(..<(event.count - RowChecksum.byteCount)))
            try transaction.append(
                row: event, for: first + UInt64(index - firstRow), to: log.file.tables.events)
        }
        lastChainValue = chainHash.finish()
        row.replaceSubrange(CommitRecord.chainRange, with: lastChainValue)
        try transaction.append(row, for: first, to: log.file.tables.commits)
        if captured != nil { try people.storeOfCommit(in: &transaction) }
        if let idempotency {
            let digest = commit.keyDigest
            try transaction.put(
                position: first, for: digest.rawSpan.extracting(..<16),
                in: log.file.tables.keysByDigest)
            addedCommits[idempotency.key] = AddedCommit(
                first: first, last: head + UInt64(request.events.count), asked: idempotency.asked)
        }
        head += UInt64(request.events.count)
        log.file.activity.add(request.events.count, .eventsWritten)
        return Receipt(
            first: Position(first), last: Position(head), recordedAt: recordedAt,
            isRepeated: false)
    }

    /// Returns the person number of a request's actor; 0 for a request without an actor.
    ///
    /// - Parameter first: the first position of the request's commit.
    private mutating func actorNumber(
        of request: AppendRequest, at first: UInt64
    ) throws(LogError) -> UInt32 {
        let actor = request.metadata.actor
        return actor.isEmpty ? 0 : try personNumber(PersonName.actor(actor), at: first)
    }

    /// Returns the person number of a person whom the event at a position names.
    private mutating func personNumber(
        _ name: String, at position: UInt64
    ) throws(LogError) -> UInt32 {
        try people.number(name, at: position)
    }

    /// Returns the stored form of an event with its checksum, and writes its encrypted personal
    /// texts to the table `texts`.
    ///
    /// - Parameters:
    ///   - index: the index of the event in its commit, from 0.
    ///   - salts: receives the salts of the event's personal texts.
    private mutating func eventRow(
        _ event: NewEvent, of request: AppendRequest, at position: UInt64, index: UInt32,
        _ salts: inout [UInt8]
    ) throws(LogError) -> [UInt8] {
        let kind = try nameRow(.kind, event.kind.name, names.row(of: event.kind), position)
        let zone = try nameRow(.zone, event.zone, names.row(ofZone: event.zone), position)
        var payload = event.payload
        let owner =
            event.hasPersonalData
            ? log.personNouns.textOwner(of: event.tags, actor: request.metadata.actor) : ""
        for (ordinal, personal) in event.personal.enumerated() {
            let row = PersonalRow(personal.text.utf8, saltedBy: people.sealer)
            try store(row, of: owner, position, UInt32(ordinal))
            salts += row.salt
            let seal = row.seal
            payload.replaceSubrange(personal.offset..<personal.offset + seal.count, with: seal)
        }
        let tagByteCount = event.tags.reduce(0) { $0 + 1 + $1.text.utf8.count }
        let header = EventHeader(
            recordedAt: recordedAt, occurredAt: event.occurredAt, kind: kind, zone: zone,
            offsetS: event.offsetS, commitOffset: index, tagCount: UInt8(event.tags.count),
            parts: event.partsByte, tagByteCount: UInt16(tagByteCount))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            EventHeader.byteCount + tagByteCount + payload.count + event.longestPartsGrowth
                + RowChecksum.byteCount)
        header.append(to: &bytes)
        for tag in event.tags {
            bytes.append(UInt8(tag.text.utf8.count))
            let start = bytes.count
            bytes.append(contentsOf: tag.text.utf8)
            tagRows.add(bytes.rawSpan.extracting(start...), position)
        }
        try append(payload, of: event, ownedBy: owner, at: position, to: &bytes, &salts)
        lastPositionOfKind[kind] = position
        return bytes.asRow(log.file.tables.events, position)
    }

    /// Appends a payload to `bytes`, with a placeholder of two bytes for each name of a person and
    /// each personal integer.
    ///
    /// Then appends the offset and person number of each name, and the SHA-256 digest of the salted
    /// integers. The integers themselves are written encrypted to the table `texts`.
    private mutating func append(
        _ payload: [UInt8], of event: NewEvent, ownedBy owner: String, at position: UInt64,
        to bytes: inout [UInt8], _ salts: inout [UInt8]
    ) throws(LogError) {
        guard !event.parts.isEmpty else { return bytes.append(contentsOf: payload) }
        let start = bytes.count
        var names: [UInt8] = []
        var numbers = SealedNumbers()
        var copied = 0
        for part in event.parts {
            bytes.append(contentsOf: payload[copied..<part.range.lowerBound])
            let offset = bytes.count - start
            if let name = part.person {
                names.append(littleEndian: UInt32(offset))
                names.append(littleEndian: try personNumber(PersonName.actor(name), at: position))
            } else {
                numbers.append(payload[part.range], at: offset)
            }
            bytes.append(contentsOf: ErasedMark.bytes)
            copied = part.range.upperBound
        }
        bytes.append(contentsOf: payload[copied...])
        bytes.append(contentsOf: names)
        guard !numbers.bytes.isEmpty else { return }
        let row = PersonalRow(numbers.bytes, saltedBy: people.sealer)
        try store(row, of: owner, position, SealedNumbers.ordinal)
        salts += row.salt
        bytes.append(contentsOf: row.seal)
    }

    /// Returns the row number of an event kind or time zone in the table `names`; adds a row if it
    /// is new.
    ///
    /// - Parameters:
    ///   - known: the row number; `nil` if the log does not have the kind or zone yet.
    ///   - position: the position of the event that uses the kind or zone.
    private mutating func nameRow(
        _ category: Name.Category, _ text: String, _ known: UInt16?, _ position: UInt64
    ) throws(LogError) -> UInt16 {
        if let known { return known }
        let name = Name(category, text, firstUsedAt: position)
        guard let row = names.add(name) else { throw .namesFull }
        try transaction.put(name.bytes, for: UInt64(row), in: log.file.tables.names)
        return row
    }

    /// Encrypts a personal text or the personal integers of the event at `position` with the key of
    /// the person `owner`, and writes the result to the table `texts`.
    ///
    /// - Parameter ordinal: the index of the text in the event, or `SealedNumbers.ordinal`.
    private mutating func store(
        _ text: PersonalRow, of owner: String, _ position: UInt64, _ ordinal: UInt32
    ) throws(LogError) {
        let key = PersonalRow.key(position, ordinal)
        let row = try people.encrypt(text, of: owner, at: key, position: position)
        try transaction.append(row, for: key.rawSpan, to: log.file.tables.texts)
    }

    /// Returns the commit of this transaction with an idempotency key; `nil` without one.
    private func addedCommit(of idempotency: AppendRequest.Idempotency?) -> EarlierCommit? {
        guard let idempotency, let added = addedCommits[idempotency.key] else { return nil }
        return EarlierCommit(
            key: idempotency.key, first: added.first, last: added.last, recordedAt: recordedAt,
            isSameRequest: added.asked == idempotency.asked)
    }

    /// Returns the commit with an idempotency key in the log before this transaction; `nil` if
    /// there is none.
    private func storedCommit(
        of idempotency: AppendRequest.Idempotency, _ keyDigest: [UInt8]
    ) throws(LogError) -> EarlierCommit? {
        guard let found = try EarlierCommit.find(idempotency, keyDigest, in: log, transaction)
        else { throw .damaged(table: log.file.tables.vault.name, .keyGone) }
        return found
    }
}
