import Daybook
import DaybookCryptography
import DaybookLMDB

/// A writer of salvaged commits into a new log.
struct SalvageWriter {
    let log: EventLog
    /// Encrypts the texts of events that get another position.
    let sealer = AESGCMKey.Sealer()
    /// The rows of the damaged log, and the proven commits.
    let source: SalvageChain
    /// The people of the damaged log.
    let people: SalvagePeople
    /// The erasures that the commits to write record.
    let erasures: SalvageErasures
    let catalogue: Catalogue
    /// The data that is already in the new log.
    private(set) var written = Written()

    /// Counts and lists of the data that is already in the new log.
    struct Written {
        /// The last position in the new log.
        var lastPosition: UInt64 = 0
        /// The last position of an event that has the same position in the damaged log.
        var lastUnmovedPosition: UInt64 = 0
        /// The number of written commits.
        var commitCount: UInt64 = 0
        /// The chain value of the last written commit.
        var lastChainValue: [UInt8] = Array(repeating: 0, count: 32)
        /// The event kinds and time zones in the order of rows of the table `names`.
        var names: [Name] = []
        /// The number of people in `SalvagePeople.firstMentions` whom the written commits name.
        var mentionCount = 0
        /// The first positions of people in the new log, by person number.
        var firstPositions: [UInt32: UInt64] = [:]
        /// The number of written personal texts, by person number.
        var textCounts: [UInt32: UInt64] = [:]
        /// The number of written personal texts.
        var textCount: UInt64 = 0
        /// The positions in the new log of events with a personal text that was not found, and for
        /// which no erasure is known.
        var positionsWithoutText: [UInt64] = []
        /// The ranges of positions of the damaged log whose events got other positions.
        var moves: [SalvageMove] = []
        /// The digests of the written idempotency keys in hexadecimal digits; filled only if
        /// commits are moved.
        var keyDigests: Set<String> = []
        /// The commits that were skipped because an earlier commit has the same idempotency key.
        var skippedCommits: [SalvagedCommit] = []
    }

    init(
        _ log: EventLog, _ source: SalvageChain, _ people: SalvagePeople,
        _ erasures: SalvageErasures, _ catalogue: Catalogue
    ) {
        self.log = log
        self.source = source
        self.people = people
        self.erasures = erasures
        self.catalogue = catalogue
    }

    /// The number of events after which a transaction is committed.
    private static let eventsPerBatch: UInt64 = 20_000

    /// Appends commits to the new log; moved commits get the next free positions.
    ///
    /// - Parameters:
    ///   - skipsRepeatedKeys: `true` to skip a commit whose idempotency key is already written.
    ///   - progress: called after each transaction with the last position in the new log.
    mutating func append(
        _ commits: [SalvagedCommit], isMoved: Bool, skipsRepeatedKeys: Bool,
        _ progress: (UInt64) -> Void
    ) throws(LogError) {
        var done = 0
        while done < commits.count {
            let before = written
            var end = done
            var events: UInt64 = 0
            while end < commits.count, events < Self.eventsPerBatch {
                events += commits[end].last - commits[end].first + 1
                end += 1
            }
            let batch = commits[done..<end]
            var after = before
            try log.file.writing { (transaction) throws(LogError) in
                after = before
                var lasts = LastPositions()
                for commit in batch {
                    try append(
                        commit, isMoved: isMoved, skipsRepeatedKeys, to: &after, &transaction,
                        &lasts)
                }
                try lasts.write(to: &transaction, log.file.tables)
            }
            (written, done) = (after, end)
            progress(written.lastPosition)
        }
    }

    /// Writes the number of texts and the first position of each person into the person's row.
    func finish() throws(LogError) {
        try log.file.writing { (transaction) throws(LogError) in
            for number in Set(written.firstPositions.keys).union(written.textCounts.keys).sorted() {
                var row = try log.file.tables.person(number, in: transaction)
                row.firstPosition = written.firstPositions[number] ?? row.firstPosition
                row.textCount += written.textCounts[number] ?? 0
                try transaction.put(row.bytes, for: UInt64(number), in: log.file.tables.people)
            }
        }
    }

    /// The position of the newest event with each tag and of each kind that one transaction writes.
    struct LastPositions {
        /// The positions of the events with each tag, of which `write` stores the last one.
        var tags = TagRows()
        /// The position of the newest event of each kind, by the kind's row in `names`.
        var kinds: [UInt16: UInt64] = [:]

        /// Writes the positions to the tables `tags` and `kinds`.
        func write(to transaction: inout LogWriteTransaction, _ tables: Tables) throws(LogError) {
            for (kind, position) in kinds.sorted(by: { $0.key < $1.key }) {
                try transaction.put(position.bytes, for: UInt64(kind), in: tables.kinds)
            }
            try tags.forEachTag { (tag, positions) throws(LogError) in
                guard let last = positions.last else { return }
                try transaction.put(last.bytes, for: tag, in: tables.tags)
            }
        }
    }

    /// Appends one commit with its events, personal texts, names and idempotency key.
    private func append(
        _ salvaged: SalvagedCommit, isMoved: Bool, _ skipsRepeatedKeys: Bool,
        to written: inout Written, _ transaction: inout LogWriteTransaction,
        _ lasts: inout LastPositions
    ) throws(LogError) {
        let (tables, first) = (log.file.tables, written.lastPosition + 1)
        guard var commit = source.rows.commit(salvaged.row),
            let candidates = source.candidates(commit, salvaged.first...salvaged.last)
        else { throw .corrupt(table: tables.commits.name, key: salvaged.first, .missing) }
        let digest = Array(commit.keyDigest.prefix(16))
        if skipsRepeatedKeys, commit.hasKey {
            guard written.keyDigests.insert(Hexadecimal.text(digest)).inserted else {
                written.skippedCommits.append(salvaged)
                return
            }
        }
        let known = written.names.count
        let names = try self.names(candidates, salvaged, isMoved, first, &written)
        if isMoved {
            commit.metadata.causation = commit.metadata.causation.flatMap(written.newPosition(of:))
            written.addMove(salvaged.first, salvaged.last, to: first)
        }
        addNewPeople(&commit, salvaged, isMoved: isMoved, first, &written)
        var chain = ChainHash(
            after: written.lastChainValue, commit: commit, newNames: Array(written.names[known...]))
        for (index, name) in written.names.enumerated().dropFirst(known) {
            try transaction.put(name.bytes, for: UInt64(index) + 1, in: tables.names)
        }
        for (index, found) in candidates.enumerated() {
            guard var event = found.first else { continue }
            let position = first + UInt64(index)
            event.replaceNameRows(names)
            chain.add(event.value.rawSpan)
            try transaction.append(event.value, for: position, to: tables.events)
            lasts.kinds[event.header.kind] = position
            try event.header.forEachTag(in: event.value.rawSpan, at: event.row.key) {
                lasts.tags.add($0, position)
            }
            try putTexts(of: event, isMoved: isMoved, at: position, &written, &transaction)
        }
        if !isMoved, chain.value() != commit.chain {
            throw .corrupt(
                table: tables.commits.name, key: first,
                .invalid(
                    field: "chain", found: Hexadecimal.text(commit.chain),
                    expected: Hexadecimal.text(chain.value())))
        }
        commit.chain = chain.value()
        try transaction.append(commit.bytes, for: first, to: tables.commits)
        if commit.hasKey {
            try transaction.put(first.bytes, for: digest.rawSpan, in: tables.keysByDigest)
        }
        written.lastChainValue = commit.chain
        written.lastPosition += UInt64(candidates.count)
        if !isMoved { written.lastUnmovedPosition = written.lastPosition }
        written.commitCount += 1
    }

    /// Notes in `written` the people whom a commit is the first to name in the new log.
    ///
    /// Adds them to a moved commit, too, because the commit that first named them may be lost.
    private func addNewPeople(
        _ commit: inout CommitRecord, _ salvaged: SalvagedCommit, isMoved: Bool, _ first: UInt64,
        _ written: inout Written
    ) {
        var numbers: [UInt32] = []
        while written.mentionCount < people.firstMentions.count {
            let (position, number) = people.firstMentions[written.mentionCount]
            guard position <= salvaged.last else { break }
            written.firstPositions[number] = isMoved ? first : position
            numbers.append(number)
            written.mentionCount += 1
        }
        guard isMoved else { return }
        commit.newPeople = numbers.sorted().map {
            CommitRecord.NewPerson(number: $0, seal: people.people[Int($0) - 1].row.seal)
        }
    }

    /// Adds to `written` the kinds and zones that a commit is the first to use in the new log.
    ///
    /// - Returns: the new row number of each name that the commit's events use, by the old row
    ///   number; empty if the commit is not moved.
    private func names(
        _ candidates: [[EventCandidate]], _ salvaged: SalvagedCommit, _ isMoved: Bool,
        _ first: UInt64, _ written: inout Written
    ) throws(LogError) -> [UInt16: UInt16] {
        guard isMoved else {
            for name in source.provenState.names[written.names.count...] {
                guard name.firstPosition <= salvaged.last else { break }
                written.names.append(name)
            }
            return [:]
        }
        var numbers: [UInt16: UInt16] = [0: 0]
        for (index, event) in candidates.enumerated() {
            guard let header = event.first?.header else { continue }
            for old in [header.kind, header.zone] where numbers[old] == nil {
                guard var name = source.name(old) else {
                    throw .corrupt(table: log.file.tables.names.name, key: UInt64(old), .missing)
                }
                let known = written.names.firstIndex {
                    $0.category == name.category && $0.text == name.text
                }
                if known == nil {
                    name.firstPosition = first + UInt64(index)
                    written.names.append(name)
                }
                numbers[old] = UInt16(truncatingIfNeeded: (known ?? written.names.count - 1) + 1)
            }
        }
        return numbers
    }
}

extension SalvageWriter.Written {
    /// Returns the position in the new log of an event of the damaged log; `nil` if it is lost.
    func newPosition(of position: Position) -> Position? {
        if position.rawValue <= lastUnmovedPosition { return position }
        let index = moves.lowerBound(where: { $0.last >= position })
        guard index < moves.count, moves[index].first <= position else { return nil }
        let distance = position.rawValue - moves[index].first.rawValue
        return Position(moves[index].movedTo.rawValue + distance)
    }

    /// Records that the events of a range were written from another position on.
    fileprivate mutating func addMove(_ first: UInt64, _ last: UInt64, to position: UInt64) {
        if let before = moves.last, before.last.rawValue + 1 == first {
            moves[moves.count - 1].last = Position(last)
        } else {
            moves.append(
                SalvageMove(
                    first: Position(first), last: Position(last), movedTo: Position(position)))
        }
    }
}

extension EventCandidate {
    /// Replaces the row numbers of the event's kind and time zone by the new ones in `numbers`;
    /// does nothing if `numbers` is empty.
    fileprivate mutating func replaceNameRows(_ numbers: [UInt16: UInt16]) {
        guard !numbers.isEmpty, let kind = numbers[header.kind], let zone = numbers[header.zone]
        else { return }
        header.kind = kind
        header.zone = zone
        var bytes: [UInt8] = []
        header.append(to: &bytes)
        value.replaceSubrange(..<EventHeader.byteCount, with: bytes)
    }
}
