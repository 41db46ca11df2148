import Daybook
import DaybookLMDB

/// The records of a segment that a replica gets in one transaction.
struct ReplicaBatch {
    /// A commit that the replica does not have yet.
    struct Commit {
        var first: UInt64
        var record: CommitRecord
        var body: Range<Int>
        /// The bodies of its events so far.
        var events: [Range<Int>] = []
    }

    private(set) var people: [Range<Int>] = []
    private(set) var texts: [Range<Int>] = []
    private(set) var names: [Name] = []
    private(set) var commits: [Commit] = []
    /// The names that the next commit is the first to use.
    private var newNames: [Name] = []
    /// The commit whose events are being read; `nil` before the first one, and after a commit that
    /// the replica has.
    private var current: Commit?
    /// The number of events of the current commit that the replica has already.
    private var knownEventsLeft: UInt64 = 0
    private var chain = ChainHash()
    private var tags = TagRows()
    private(set) var lastPositionOfKind: [UInt16: UInt64] = [:]
    /// The position of the next event of the segment.
    private var next: UInt64
    /// The head with the commits of the batch.
    private(set) var head: Head
    private(set) var recordedAt: Instant
    private(set) var nameCount: Int
    /// The number of new events.
    private(set) var eventCount = 0

    /// Begins the first batch of a segment.
    init(
        after: Head, nameCount: Int, head: Head, recordedAt: Instant
    ) {
        next = after.position.rawValue + 1
        self.nameCount = nameCount
        self.head = head
        self.recordedAt = recordedAt
    }

    /// Forgets the records, after they were written.
    mutating func removeAll() {
        (people, texts, names, commits) = ([], [], [], [])
        (tags, lastPositionOfKind, eventCount) = (TagRows(), [:], 0)
    }

    /// Checks that the last commit of a segment is complete, and that the segment ends with it.
    func checkEnd(of reader: SegmentReader) throws(LogError) {
        guard current == nil, knownEventsLeft == 0, newNames.isEmpty else {
            throw .stream(
                .segment(
                    name: reader.name, offset: reader.offset,
                    reason: "the segment ends within a commit"))
        }
        let end = reader.end.head
        guard head.position > end.position || head == end else {
            throw .stream(
                .segment(
                    name: reader.name, offset: reader.offset,
                    reason:
                        "the segment ends with the head \(end), but its commits end with \(head)"))
        }
    }

    /// Checks a record and adds it.
    mutating func add(
        _ record: SegmentReader.Record, of reader: SegmentReader, in log: EventLog
    ) throws(LogError) {
        if record.kind != .event, current != nil || knownEventsLeft > 0 {
            throw reader.error(record, "the commit before has too few events")
        }
        switch record.kind {
        case .person:
            _ = try reader.person(record)
            people.append(record.body)
        case .text:
            _ = try reader.text(record)
            texts.append(record.body)
        case .name:
            let name = try reader.decoding(record) { (body) throws(CorruptRecord) in
                try Name(decoding: body)
            }
            if name.firstPosition > head.position.rawValue { newNames.append(name) }
        case .commit: try add(commit: record, of: reader, in: log)
        case .event: try add(event: record, of: reader)
        case .batch, .end: break
        }
    }

    /// Adds a commit, or compares it with the same commit of the replica.
    private mutating func add(
        commit record: SegmentReader.Record, of reader: SegmentReader, in log: EventLog
    ) throws(LogError) {
        let commit = try reader.decoding(record) { (body) throws(CorruptRecord) in
            try CommitRecord(decoding: body)
        }
        guard let last = commit.lastPosition(startingAt: next), last < UInt64(Int64.max) else {
            throw reader.error(record, "\(commit.invalidEventCount)")
        }
        guard last > head.position.rawValue else {
            let stored = try log.file.commitHead(at: Position(next))?.head
            guard stored == Head(unchecked: Position(last), commit.chain) else {
                throw .stream(.parted(name: reader.name, at: Position(next)))
            }
            knownEventsLeft = UInt64(commit.eventCount)
            return
        }
        guard next == head.position.rawValue + 1 else {
            throw .stream(.parted(name: reader.name, at: Position(next)))
        }
        guard newNames.allSatisfy({ (next...last).contains($0.firstPosition) }) else {
            throw reader.error(record, "a name before the commit is not first used by it")
        }
        guard commit.recordedAt >= recordedAt else {
            throw reader.error(record, "the commit was recorded before the commit before it")
        }
        guard commit.bytes == reader.copy(record.body) else {
            throw reader.error(record, "the commit is not in canonical form")
        }
        chain.begin(after: head.chain, row: reader.content(record.body), newNames: newNames)
        nameCount += newNames.count
        guard nameCount <= Int(UInt16.max) else {
            throw reader.error(record, "\(LogError.namesFull)")
        }
        names += newNames
        newNames = []
        recordedAt = commit.recordedAt
        current = Commit(first: next, record: commit, body: record.body)
    }

    /// Adds an event of the current commit; the last one ends the commit.
    private mutating func add(
        event record: SegmentReader.Record, of reader: SegmentReader
    ) throws(LogError) {
        if knownEventsLeft > 0 {
            knownEventsLeft -= 1
            next += 1
            return
        }
        guard var commit = current else {
            throw reader.error(record, "the event belongs to no commit")
        }
        current = nil
        let position = next
        let header = try reader.decoding(record) { (body) throws(CorruptRecord) in
            let header = try EventHeader(decoding: body)
            try header.forEachTag(in: body) { tags.add($0, position) }
            return header
        }
        guard header.recordedAt == commit.record.recordedAt,
            Int(header.commitOffset) == commit.events.count, header.kind > 0,
            Int(max(header.kind, header.zone)) <= nameCount
        else { throw reader.error(record, "the event does not belong to its commit") }
        lastPositionOfKind[header.kind] = position
        chain.add(reader.content(record.body))
        commit.events.append(record.body)
        next += 1
        guard commit.events.count == Int(commit.record.eventCount) else {
            current = commit
            return
        }
        let value = chain.finish()
        guard value == commit.record.chain else {
            throw reader.error(
                record,
                "the chain value of the commit is \(Hexadecimal.text(commit.record.chain)), "
                    + "but its events lead to \(Hexadecimal.text(value))")
        }
        head = Head(unchecked: Position(position), value)
        eventCount += commit.events.count
        commits.append(commit)
    }
}

extension ReplicaBatch {
    /// Writes the records to a replica.
    func write(
        _ reader: SegmentReader, to transaction: inout LogWriteTransaction, _ log: EventLog
    ) throws(LogError) {
        let tables = log.file.tables
        for body in people {
            let span = reader.content(body)
            try transaction.put(
                span.extracting(4...).copied(), for: UInt64(span.integer(at: 0, as: UInt32.self)),
                in: tables.people)
        }
        for (index, name) in names.enumerated() {
            let row = UInt64(nameCount - names.count + index + 1)
            try transaction.put(name.bytes, for: row, in: tables.names)
        }
        for commit in commits {
            try transaction.append(
                reader.copy(commit.body), for: commit.first, to: tables.commits)
            for (index, event) in commit.events.enumerated() {
                try transaction.append(
                    reader.copy(event), for: commit.first + UInt64(index), to: tables.events)
            }
            guard commit.record.hasKey else { continue }
            let digest = Array(commit.record.keyDigest.prefix(16))
            try transaction.put(
                commit.first.bytes, for: digest.rawSpan, in: tables.keysByDigest)
        }
        for body in texts {
            let span = reader.content(body)
            try transaction.put(
                span.extracting(12...).copied(), for: span.extracting(..<12), in: tables.texts)
        }
        try tags.forEachLastPosition { (tag, position) throws(LogError) in
            try transaction.put(position.bytes, for: tag, in: tables.tags)
        }
        for (kind, position) in lastPositionOfKind.sorted(by: { $0.key < $1.key }) {
            try transaction.put(position.bytes, for: UInt64(kind), in: tables.kinds)
        }
    }
}
