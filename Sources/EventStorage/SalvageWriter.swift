import EventSourcing
import LMDB

/// Writes what was salvaged into a new log.
struct SalvageWriter {
    private let log: EventLog
    private let source: SalvageChain
    private let catalogue: Catalogue
    private let takesStaleTexts: Bool
    private(set) var written = Written()

    /// The content of the new log so far.
    struct Written {
        var head: UInt64 = 0
        /// Positions up to here are those of the damaged log.
        var unmoved: UInt64 = 0
        var commits: UInt64 = 0
        var chain: [UInt8] = Array(repeating: 0, count: 32)
        var names: [Name] = []
        var texts: UInt64 = 0
        /// Texts that were left out, since they may have been erased.
        var staleTexts: UInt64 = 0
        /// Positions in the new log of events that seal a text which was not found.
        var withoutText: [UInt64] = []
        /// Ranges that got other positions, with the first of those.
        var moves: [SalvageMove] = []
        /// Idempotency keys, where commits are moved.
        var keys: Set<String> = []
        /// Moved commits whose key an earlier one has.
        var repeated: [SalvagedCommit] = []
    }

    init(
        _ log: EventLog, _ source: SalvageChain, _ catalogue: Catalogue, takesStaleTexts: Bool
    ) {
        self.log = log
        self.source = source
        self.catalogue = catalogue
        self.takesStaleTexts = takesStaleTexts
    }

    /// Events that one transaction takes, more or less.
    private static let batch: UInt64 = 20_000

    /// Appends commits, those behind a gap under the next positions.
    mutating func append(
        _ commits: [SalvagedCommit], notesKeys: Bool, _ progress: (UInt64) -> Void
    ) throws(LogError) {
        var done = 0
        while done < commits.count {
            let before = written
            var (after, reached) = (before, done)
            try log.writing { (transaction) throws(LogError) in
                (after, reached) = (before, done)
                var lasts = LastPositions()
                while reached < commits.count, after.head - before.head < Self.batch {
                    try append(commits[reached], notesKeys, to: &after, &transaction, &lasts)
                    reached += 1
                }
                try lasts.write(to: &transaction, log.tables)
            }
            (written, done) = (after, reached)
            progress(written.head)
        }
    }

    /// The last positions of tags and kinds that a transaction has seen.
    private struct LastPositions {
        var tags = TagRows()
        var kinds: [UInt16: UInt64] = [:]

        func write(to transaction: inout LogWriting, _ tables: Tables) throws(LogError) {
            for (kind, position) in kinds.sorted(by: { $0.key < $1.key }) {
                try transaction.put(position.bytes, for: UInt64(kind), in: tables.kinds)
            }
            try tags.forEachTag { (tag, positions) throws(LogError) in
                guard let last = positions.last else { return }
                try transaction.put(last.bytes, for: tag, in: tables.tags)
            }
        }
    }

    private func append(
        _ salvaged: SalvagedCommit, _ notesKeys: Bool, to written: inout Written,
        _ transaction: inout LogWriting, _ lasts: inout LastPositions
    ) throws(LogError) {
        let (tables, first) = (log.tables, written.head + 1)
        let isMoved = salvaged.first != first
        guard var commit = source.rows.commit(salvaged.row),
            let candidates = source.candidates(commit, salvaged.first...salvaged.last)
        else { throw .corrupt(table: tables.commits.name, key: salvaged.first, .missing) }
        if notesKeys, !commit.key.isEmpty {
            guard written.keys.insert(commit.key).inserted else {
                written.repeated.append(salvaged)
                return
            }
        }
        let known = written.names.count
        let names = try self.names(candidates, salvaged, isMoved, first, &written)
        if isMoved {
            commit.metadata.causation = commit.metadata.causation.flatMap(written.moved)
            written.move(salvaged.first, salvaged.last, to: first)
        }
        var chain = Chain(
            after: written.chain, commit: commit, newNames: Array(written.names[known...]),
            newSeals: [])
        for (index, name) in written.names.enumerated().dropFirst(known) {
            try transaction.put(name.bytes, for: UInt64(index) + 1, in: tables.names)
        }
        for (index, found) in candidates.enumerated() {
            guard var event = found.first else { continue }
            let position = first + UInt64(index)
            event.rename(names)
            chain.add(event.value.rawSpan)
            try transaction.append(event.value, for: position, to: tables.events)
            lasts.kinds[event.header.kind] = position
            do throws(CorruptRecord) {
                try event.header.forEachTag(in: event.value.rawSpan) {
                    lasts.tags.add($0, position)
                }
            } catch {
                throw .corrupt(table: tables.events.name, key: event.row.key, error)
            }
            try putTexts(of: event, at: position, &written, &transaction)
        }
        if !isMoved, chain.value() != commit.chain {
            throw .corrupt(table: tables.commits.name, key: first, .otherEvents)
        }
        commit.chain = chain.value()
        try transaction.append(commit.bytes, for: first, to: tables.commits)
        if !commit.key.isEmpty {
            let key = Array(commit.key.utf8)
            try transaction.put(first.bytes, for: key.rawSpan, in: tables.keys)
        }
        written.chain = commit.chain
        written.head += UInt64(candidates.count)
        if !isMoved { written.unmoved = written.head }
        written.commits += 1
    }

    /// Adds the names that a commit is the first to use.
    ///
    /// - Returns: the new numbers of the names of its events, by the old ones.
    private func names(
        _ candidates: [[EventCandidate]], _ salvaged: SalvagedCommit, _ isMoved: Bool,
        _ first: UInt64, _ written: inout Written
    ) throws(LogError) -> [UInt16: UInt16] {
        guard isMoved else {
            for name in source.proven.names[written.names.count...] {
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
                    throw .corrupt(table: log.tables.names.name, key: UInt64(old), .missing)
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

    private func putTexts(
        of event: EventCandidate, at position: UInt64, _ written: inout Written,
        _ transaction: inout LogWriting
    ) throws(LogError) {
        var found: Set<UInt32> = []
        var stale: Set<UInt32> = []
        let hasAll = source.rows.hasAllTexts
        let seals = seals(of: event, written.names)
        for text in source.rows.texts(at: event.row.key) where !found.contains(text.ordinal) {
            // Where all that were left are reached, the others are those that were erased.
            guard text.isReached || !hasAll, let row = source.rows.text(text, seals, event)
            else { continue }
            guard text.isReached || takesStaleTexts else {
                stale.insert(text.ordinal)
                continue
            }
            found.insert(text.ordinal)
            let key = PersonalRow.key(position, text.ordinal)
            try transaction.put(row.bytes, for: key.rawSpan, in: log.tables.personal)
        }
        written.texts += UInt64(found.count)
        written.staleTexts += UInt64(stale.count)
        if !hasAll, found.count < seals?.count ?? 0 {
            written.withoutText.append(position)
        }
    }

    /// The seals of an event, in the order of its fields; `nil` for a kind that the catalogue does
    /// not know.
    private func seals(of event: EventCandidate, _ names: [Name]) -> [[UInt8]]? {
        let number = Int(event.header.kind)
        guard number > 0, number <= names.count, let kind = EventKind(names[number - 1].text),
            let known = catalogue.events[kind]
        else { return nil }
        do throws(CorruptPayload) {
            return try known.seals(
                event.value.rawSpan.extracting(event.header.payloadOffset...))
        } catch {
            return nil
        }
    }
}

extension SalvageWriter.Written {
    /// The new position of an event; `nil` where it is lost.
    func moved(_ position: Position) -> Position? {
        if position.rawValue <= unmoved { return position }
        let index = moves.lowerBound(where: { $0.last >= position })
        guard index < moves.count, moves[index].first <= position else { return nil }
        let distance = position.rawValue - moves[index].first.rawValue
        return Position(moves[index].movedTo.rawValue + distance)
    }

    fileprivate mutating func move(_ first: UInt64, _ last: UInt64, to position: UInt64) {
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
    /// Replaces the numbers of its kind and zone.
    fileprivate mutating func rename(_ numbers: [UInt16: UInt16]) {
        guard !numbers.isEmpty, let kind = numbers[header.kind], let zone = numbers[header.zone]
        else { return }
        header.kind = kind
        header.zone = zone
        var bytes: [UInt8] = []
        header.append(to: &bytes)
        value.replaceSubrange(..<EventHeader.byteCount, with: bytes)
    }
}

extension SalvageRows {
    /// A text, where it fits its field's seal; of a kind that is not known, a seal that stands
    /// somewhere in the payload.
    func text(
        _ text: SweptText, _ seals: [[UInt8]]?, _ event: EventCandidate
    ) -> PersonalRow? {
        guard let stored = value(text.row) else { return nil }
        // One without a checksum, or with a checksum that does not fit.
        let forms =
            text.row.form == .plain
            ? [stored, stored.dropLast(RowChecksum.byteCount) + []] : [stored]
        return forms.lazy.map { PersonalRow($0) }.first { row in
            guard let seals else {
                return event.value[event.header.payloadOffset...].contains(row.seal)
            }
            let field = Int(text.ordinal)
            return field < seals.count && seals[field] == row.seal
        }
    }
}

extension ArraySlice<UInt8> {
    /// True where these bytes stand somewhere in the slice.
    fileprivate func contains(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, count >= bytes.count else { return false }
        return (startIndex...(endIndex - bytes.count)).contains { start in
            self[start] == first && self[start..<start + bytes.count].elementsEqual(bytes)
        }
    }
}
