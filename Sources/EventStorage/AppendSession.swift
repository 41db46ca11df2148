import CivilTime
import Crypto
import EventSourcing
import LMDB
import Synchronization

/// One write transaction that takes the commits of several tickets.
struct AppendSession: ~Copyable {
    private let log: EventLog
    private var transaction: LogWriting
    private var names: Names
    private var head: UInt64
    private var recordedAt: Instant
    /// Where it is too long, what is new is refused.
    private let clockLead: ClockLead?
    private var chain: [UInt8]
    /// The newest position before this transaction, and the events that it has added.
    private let start: UInt64
    private var added: [[UInt8]] = []
    /// The commits that it has added under keys.
    private var addedKeys: [String: (first: UInt64, commit: CommitRecord)] = [:]
    /// The last positions that this transaction has changed, written at its end.
    private var lastOfTag: [Tag: UInt64] = [:]
    private var lastOfKind: [UInt16: UInt64] = [:]

    init(_ log: EventLog) throws(AppendError) {
        do throws(LogError) {
            let transaction = try log.beginWriting()
            let names = try log.names(in: transaction)
            let head = try log.lastPosition(in: transaction)
            let last = try log.lastCommit(in: transaction)
            self.log = log
            self.names = names
            self.head = head
            start = head
            let now = log.clock()
            recordedAt = max(now, last?.recordedAt ?? now)
            clockLead =
                log.ignoresClockLead ? nil : ClockLead(recordedAt: recordedAt, now: now)
            chain = last?.chain ?? Array(repeating: 0, count: 32)
            self.transaction = transaction
        } catch {
            throw .log(error)
        }
    }

    /// Appends all requests of a ticket, or none and answers it with the reason.
    ///
    /// - Throws: what breaks the transaction for every ticket.
    mutating func append(_ ticket: AppendTicket) throws(AppendError) {
        var receipts: [Receipt?] = []
        var asked: [String: AppendRequest.Idempotency] = [:]
        // Events of earlier requests are there when a later one is written.
        var reached = Position(head)
        for (index, request) in ticket.requests.enumerated() {
            do throws(AppendError) {
                receipts.append(try admit(request, &asked, &reached))
            } catch .log(let error) {
                throw .log(error)
            } catch {
                return ticket.fail(BatchError(index: index, error: error))
            }
        }
        for (index, request) in ticket.requests.enumerated() where receipts[index] == nil {
            if let idempotency = request.idempotency {
                receipts[index] = try receipt(for: idempotency)
            }
            if receipts[index] == nil { receipts[index] = try write(request) }
        }
        ticket.succeed(receipts)
    }

    /// Makes everything durable, and its names known to readers.
    consuming func commit() throws(AppendError) {
        let log = log
        let names = names
        do throws(LogError) {
            var rows = TagRows()
            for (tag, position) in lastOfTag {
                unsafe rows.add(tag.text.utf8.span.bytes, position)
            }
            try rows.forEachTag { (tag, positions) throws(LogError) in
                guard let last = positions.last else { return }
                try transaction.put(last.bytes, for: tag, in: log.tables.tags)
            }
            for (kind, position) in lastOfKind {
                try transaction.put(position.bytes, for: UInt64(kind), in: log.tables.kinds)
            }
            try transaction.commit()
        } catch {
            throw .log(error)
        }
        log.names.withLock { if $0.rows.count < names.rows.count { $0 = names } }
    }

    /// The receipt of a request that was appended before; `nil` for one that may be appended now.
    private func admit(
        _ request: AppendRequest, _ asked: inout [String: AppendRequest.Idempotency],
        _ reached: inout Position
    ) throws(AppendError) -> Receipt? {
        if let idempotency = request.idempotency {
            if let receipt = try receipt(for: idempotency) { return receipt }
            if let earlier = asked[idempotency.key] {
                guard earlier == idempotency else {
                    throw .keyReused(key: idempotency.key, at: Position(head).next)
                }
                return nil
            }
            asked[idempotency.key] = idempotency
        }
        for condition in request.conditions {
            if let position = try conflict(with: condition) { throw .conflict(at: position) }
        }
        if let causation = request.metadata.causation,
            causation == .origin || causation > reached
        {
            throw .unstorable(
                "causation names position \(causation), and the log ends at \(reached)")
        }
        reached = Position(reached.rawValue + UInt64(request.events.count))
        return nil
    }

    private mutating func write(_ request: AppendRequest) throws(AppendError) -> Receipt? {
        guard !request.events.isEmpty else { return nil }
        if let clockLead { throw .log(.clockBehind(clockLead)) }
        let knownNames = names.rows.count
        let first = head + 1
        var records: [[UInt8]] = []
        records.reserveCapacity(request.events.count)
        if request.events.count > 64 {
            lastOfTag.reserveCapacity(lastOfTag.count + request.events.count)
        }
        for (index, event) in request.events.enumerated() {
            records.append(try record(event, at: first + UInt64(index), index: UInt32(index)))
        }
        var commit = CommitRecord(
            recordedAt: recordedAt, eventCount: UInt32(records.count), metadata: request.metadata,
            key: request.idempotency?.key ?? "",
            asked: request.idempotency.map(log.digest) ?? Array(repeating: 0, count: 32))
        var running = Chain(
            after: chain, commit: commit, newNames: Array(names.rows[knownNames...]))
        do throws(LogError) {
            for (index, record) in records.enumerated() {
                running.add(record.rawSpan)
                try transaction.append(record, for: first + UInt64(index), to: log.tables.events)
            }
            commit.chain = running.value()
            try transaction.append(commit.bytes, for: first, to: log.tables.commits)
            if !commit.key.isEmpty {
                try transaction.put(
                    first.bytes, for: Array(commit.key.utf8).rawSpan, in: log.tables.keys)
                addedKeys[commit.key] = (first, commit)
            }
        } catch {
            throw .log(error)
        }
        chain = commit.chain
        added += records
        head += UInt64(records.count)
        return Receipt(
            first: Position(first), last: Position(head), recordedAt: recordedAt,
            isRepeated: false)
    }

    /// The row of one event, with its personal texts sealed and put away.
    private mutating func record(
        _ event: NewEvent, at position: UInt64, index: UInt32
    ) throws(AppendError) -> [UInt8] {
        let kind = try row(.kind, event.kind.name, names.row(of: event.kind), position)
        let zone = try row(.zone, event.zone, names.row(ofZone: event.zone), position)
        var payload = event.payload
        for (ordinal, personal) in event.personal.enumerated() {
            let seal = try seal(personal.text, position, UInt32(ordinal))
            payload.replaceSubrange(personal.offset..<personal.offset + seal.count, with: seal)
        }
        let tagByteCount = event.tags.reduce(0) { $0 + 1 + $1.text.utf8.count }
        let header = EventHeader(
            recordedAt: recordedAt, occurredAt: event.occurredAt, kind: kind, zone: zone,
            offsetS: event.offsetS, commitOffset: index, tagCount: UInt8(event.tags.count),
            tagByteCount: UInt16(tagByteCount))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(EventHeader.byteCount + tagByteCount + payload.count)
        header.append(to: &bytes)
        for tag in event.tags {
            bytes.append(UInt8(tag.text.utf8.count))
            bytes.append(contentsOf: tag.text.utf8)
            lastOfTag[tag] = position
        }
        bytes.append(contentsOf: payload)
        lastOfKind[kind] = position
        return bytes
    }

    private mutating func row(
        _ category: Name.Category, _ text: String, _ known: UInt16?, _ position: UInt64
    ) throws(AppendError) -> UInt16 {
        if let known { return known }
        let name = Name(category, text, firstUsedAt: position)
        guard let row = names.add(name) else {
            throw .unstorable("a log holds at most 65,535 kinds and zones")
        }
        do throws(LogError) {
            try transaction.put(name.bytes, for: UInt64(row), in: log.tables.names)
        } catch {
            throw .log(error)
        }
        return row
    }

    private mutating func seal(
        _ text: String, _ position: UInt64, _ ordinal: UInt32
    ) throws(AppendError) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let salt: [UInt8] = (0..<PersonalRow.saltByteCount).map { _ in generator.next() }
        let row = PersonalRow(salt: salt, text: text)
        do throws(LogError) {
            try transaction.put(
                row.bytes, for: PersonalRow.key(position, ordinal).rawSpan,
                in: log.tables.personal)
        } catch {
            throw .log(error)
        }
        return row.seal
    }
}

extension AppendSession {
    /// The position of an event that the condition forbids, or `nil` if it holds.
    private func conflict(with condition: AppendCondition) throws(AppendError) -> Position? {
        let after = condition.after.rawValue
        guard head > after else { return nil }
        guard let items = names.everyLayout(condition.query).items else { return Position(head) }
        for item in items {
            let bound = try lastPossible(item)
            guard bound > after else { continue }
            // One tag alone, or kinds alone: the last position is exact.
            if item.tags.count + (item.kinds.isEmpty ? 0 : 1) <= 1 { return Position(bound) }
            do throws(LogError) {
                if let position = try firstMatch(item, after: after, through: bound) {
                    return Position(position)
                }
            } catch {
                throw .log(error)
            }
        }
        return nil
    }

    /// The first event behind a position that matches, in the log or among those just added.
    private func firstMatch(
        _ item: Query.Item, after: UInt64, through: UInt64
    ) throws(LogError) -> UInt64? {
        let stored = min(through, start)
        if let position = try log.firstMatch(
            item, after: after, through: stored, names, in: transaction)
        {
            return position
        }
        let filter = StoredFilter(Query(item), names)
        let first = max(after, start)
        guard first < through else { return nil }
        for position in first + 1...through {
            let record = added[Int(position - start) - 1]
            if try filter.match(position, record.rawSpan) != nil { return position }
        }
        return nil
    }

    /// The receipt of what was appended under the key, in the log or just now.
    private func receipt(
        for idempotency: AppendRequest.Idempotency
    ) throws(AppendError) -> Receipt? {
        guard let (first, commit) = addedKeys[idempotency.key] else {
            return try log.receipt(for: idempotency, in: transaction)
        }
        return try log.receipt(for: idempotency, first, commit)
    }

    /// No event behind this position matches the item; one at it may.
    private func lastPossible(_ item: Query.Item) throws(AppendError) -> UInt64 {
        var bound = head
        do throws(LogError) {
            for tag in item.tags {
                bound = min(bound, try lastPosition(of: tag))
                if bound == 0 { return 0 }
            }
            guard !item.kinds.isEmpty else { return bound }
            var lastKind: UInt64 = 0
            for row in item.kinds.compactMap({ names.row(of: $0) }) {
                lastKind = max(lastKind, try lastPosition(ofKind: row))
            }
            return min(bound, lastKind)
        } catch {
            throw .log(error)
        }
    }
}

extension AppendSession {
    /// The newest position of a tag, in the log or among the events just added; 0 for none.
    private func lastPosition(of tag: Tag) throws(LogError) -> UInt64 {
        if let added = lastOfTag[tag] { return added }
        return try log.lastPosition(of: IndexKey(tag), in: transaction) ?? 0
    }

    private func lastPosition(ofKind row: UInt16) throws(LogError) -> UInt64 {
        if let added = lastOfKind[row] { return added }
        return try log.lastPosition(ofKind: row, in: transaction) ?? 0
    }
}

extension EventLog {
    /// What was appended under the key before.
    func receipt(
        for idempotency: AppendRequest.Idempotency,
        in transaction: borrowing some LogTransaction & ~Copyable
    ) throws(AppendError) -> Receipt? {
        let first: UInt64
        let commit: CommitRecord
        do throws(LogError) {
            let key = Array(idempotency.key.utf8)
            guard let known = try firstPosition(ofKey: key, in: transaction) else { return nil }
            first = known
            commit = try self.commit(startingAt: known, in: transaction)
        } catch {
            throw .log(error)
        }
        return try receipt(for: idempotency, first, commit)
    }

    /// The receipt of a commit under the key, where the same was asked.
    func receipt(
        for idempotency: AppendRequest.Idempotency, _ first: UInt64, _ commit: CommitRecord
    ) throws(AppendError) -> Receipt {
        guard commit.asked == digest(idempotency) else {
            throw .keyReused(key: idempotency.key, at: Position(first))
        }
        guard let last = commit.lastPosition(startingAt: first) else {
            throw .log(.corrupt(table: tables.commits.name, key: first, .otherEvents))
        }
        return Receipt(
            first: Position(first), last: Position(last), recordedAt: commit.recordedAt,
            isRepeated: true)
    }

    func digest(_ idempotency: AppendRequest.Idempotency) -> [UInt8] {
        var code = HMAC<SHA256>(key: SymmetricKey(data: secret))
        code.update(data: idempotency.asked)
        return Array(code.finalize())
    }
}
