import Daybook

extension TraceComparison {
    /// Compares the traces of two sides to their ends: of one log by position, else event by event.
    ///
    /// - Throws: `QuestionError.invalid` if the sides have different projections.
    public mutating func compare(_ first: any TraceSide, _ second: any TraceSide) throws {
        guard first.header.projection == second.header.projection else {
            throw QuestionError.invalid(
                "expected two traces of the same projection; the first trace is of "
                    + "\(first.header.projection), the second of \(second.header.projection)")
        }
        if !first.header.logID.isEmpty, first.header.logID == second.header.logID {
            if let first = first as? LogTrace, let second = second as? LogTrace,
                let comparison = StateComparison(of: first, and: second)
            {
                addEqual(
                    entityCount: comparison.equalEntityCount,
                    eventCount: comparison.equalEventCount)
                guard !comparison.unequalKeys.isEmpty else { return finish() }
                first.restart(only: comparison.unequalKeys)
                second.restart(only: comparison.unequalKeys)
            }
            try Self.merge(first, second, &self)
        } else {
            try Self.match(first, second, &self)
        }
        finish()
    }

    /// Adds the entries of the traces of two different logs to the comparison, one of each in turn,
    /// so that few entries wait for their match.
    private static func match(
        _ first: any TraceSide, _ second: any TraceSide, _ comparison: inout TraceComparison
    ) throws {
        var (a, b) = (try next(first, comparison), try next(second, comparison))
        while a != nil || b != nil {
            if let a { try comparison.add(a, of: [first, second], isSecond: false) }
            if let b { try comparison.add(b, of: [first, second], isSecond: true) }
            (a, b) = (try next(first, comparison), try next(second, comparison))
        }
        try comparison.addUnmatched(of: [first, second])
    }

    /// Adds the next line of one of two traces of different logs.
    ///
    /// An entity's first line in one trace is matched with its first in the other, and so on.
    private mutating func add(_ bytes: [UInt8], of sides: [any TraceSide], isSecond: Bool) throws {
        let (own, other) = isSecond ? (1, 0) : (0, 1)
        let isPlain = line.read(bytes, nameBytes)
        let added: WaitingLine
        if isPlain {
            added = .plain(
                WaitingLine.PlainLine(
                    bytes: bytes, contentStart: line.contentStart, position: line.position,
                    number: sides[own].lineNumber))
        } else {
            added = .entry(try sides[own].entry(bytes))
        }
        let key = if case .entry(let entry) = added { entry.key } else { line.key }
        guard divergedKeys.isEmpty || !divergedKeys.contains(key) else { return }
        guard let match = undivergedEntities[key]?.waitingLines[other].first else {
            undivergedEntities[key, default: ComparedEntity()].waitingLines[own].append(added)
            return
        }
        undivergedEntities[key]?.waitingLines[other].removeFirst()
        matchedCount += 1
        if case .plain(let plain) = added, case .plain(let waiting) = match,
            plain.hasEqualContent(waiting)
        {
            let position = isSecond ? waiting.position : plain.position
            let kind = kindName(bytes[line.kindRange])
            let isAdded = undivergedEntities[key]?
                .addEqual(line, bytes, at: position, kind, names.count)
            if isAdded == true { return }
        }
        let parsed = try (match.parsed(from: sides[other]), added.parsed(from: sides[own]))
        var entity = undivergedEntities.removeValue(forKey: key) ?? ComparedEntity()
        compare(isSecond ? parsed.0 : parsed.1, isSecond ? parsed.1 : parsed.0, key, &entity)
    }

    /// Compares the lines that still wait for a match as lines that only one trace has.
    private mutating func addUnmatched(of sides: [any TraceSide]) throws {
        for key in undivergedEntities.keys.sorted() {
            // An entity has unmatched lines in one of the traces only.
            for side in sides.indices {
                guard let unmatched = undivergedEntities[key]?.waitingLines[side] else { break }
                undivergedEntities[key]?.waitingLines[side] = []
                for line in unmatched {
                    let entry = try line.parsed(from: sides[side])
                    guard var entity = undivergedEntities.removeValue(forKey: key) else { break }
                    compare(side == 0 ? entry : nil, side == 0 ? nil : entry, key, &entity)
                }
            }
        }
    }

    /// Adds the entries of two traces of the same log in pairs by position and entity.
    private static func merge(
        _ first: any TraceSide, _ second: any TraceSide, _ comparison: inout TraceComparison
    ) throws {
        var (a, b) = (try first.next(), try second.next())
        while a != nil || b != nil {
            if let line = a, line == b, comparison.addEqual(line) {
                (a, b) = (try next(first, comparison), try next(second, comparison))
                continue
            }
            var (inFirst, inSecond) = (try a.map(first.entry), try b.map(second.entry))
            guard let position = [inFirst, inSecond].compactMap({ $0?.position }).min() else {
                return
            }
            var entries: [String: (Trace.Entry?, Trace.Entry?)] = [:]
            while let entry = inFirst, entry.position == position {
                entries[entry.key, default: (nil, nil)].0 = entry
                a = try next(first, comparison)
                inFirst = try a.map(first.entry)
            }
            while let entry = inSecond, entry.position == position {
                entries[entry.key, default: (nil, nil)].1 = entry
                b = try next(second, comparison)
                inSecond = try b.map(second.entry)
            }
            for (key, pair) in entries.sorted(by: { $0.key < $1.key }) {
                let count = comparison.divergedKeys.count
                comparison.add(pair.0, pair.1)
                guard comparison.divergedKeys.count > count else { continue }
                first.leaveOut(key)
                second.leaveOut(key)
            }
        }
    }

    /// Returns a side's next line about an entity that has not differed so far; `nil` at the end.
    private static func next(
        _ side: any TraceSide, _ comparison: TraceComparison
    ) throws -> [UInt8]? {
        while let line = try side.next() {
            if !comparison.isAboutDivergedEntity(line) { return line }
        }
        return nil
    }
}
