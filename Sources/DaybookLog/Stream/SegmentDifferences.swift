import Daybook
import DaybookLMDB

/// The people and texts that segments of complete shipments have otherwise than the replica.
///
/// Most are outdated there, and a later shipment has them anew. What is left then is wrong on one
/// side: an earlier version of this program took it unchecked, or somebody has changed it.
struct SegmentDifferences {
    /// A record of a segment.
    private struct Record {
        var name: String
        var offset: Int
        /// The row without its key.
        var row: [UInt8]

        /// The error of a wrong record.
        func fault(_ reason: String) -> LogError {
            .stream(.segment(name: name, offset: offset, reason: reason))
        }
    }

    private var people: [UInt32: Record] = [:]
    private var texts: [[UInt8]: Record] = [:]
    /// The end of the segments that were read without a gap from the start of the log; `nil` if
    /// there is a gap.
    private var reached: Head? = .origin
    /// The last shipment that was read to its end.
    private var lastShipment: UInt64 = 0

    /// Notes the end of a segment.
    mutating func noteEnd(of reader: SegmentReader) {
        guard let reached, reader.header.after.position <= reached.position else {
            self.reached = nil
            return
        }
        if reader.end.head.position > reached.position { self.reached = reader.end.head }
        if reader.end.isLast { lastShipment = reader.header.shipment }
    }

    /// Compares a segment with a replica that has it already.
    mutating func add(_ segment: SegmentReader, in log: EventLog) throws(LogError) {
        noteEnd(of: segment)
        let transaction = try log.file.beginReading()
        var reader = segment
        while let record = try reader.next() {
            let offset = record.body.lowerBound - 5
            switch record.kind {
            case .person:
                let (number, _) = try reader.person(record)
                let row = reader.copy(record.body.dropFirst(4))
                let stored =
                    try transaction.row(UInt64(number), in: log.file.tables.people)?
                    .isEqual(to: row.rawSpan) ?? false
                people[number] =
                    stored ? nil : Record(name: reader.name, offset: offset, row: row)
            case .text:
                let (key, _) = try reader.text(record)
                let row = reader.copy(record.body.dropFirst(12))
                let stored =
                    try transaction.row(key.rawSpan, in: log.file.tables.texts)?
                    .isEqual(to: row.rawSpan) ?? false
                texts[key] = stored ? nil : Record(name: reader.name, offset: offset, row: row)
            case .name, .commit, .event, .batch, .end: break
            }
        }
    }

    /// Forgets what a newer batch has, which is written.
    mutating func remove(_ batch: ReplicaBatch, of reader: SegmentReader) {
        guard !people.isEmpty || !texts.isEmpty else { return }
        for body in batch.people { people[reader.content(body).integer(at: 0)] = nil }
        for body in batch.texts { texts[reader.copy(body.prefix(12))] = nil }
    }

    /// Replaces rows of a replica that are proven wrong by those of the segments.
    ///
    /// If the segments reach from the start of the log to the replica's last shipment, they have
    /// all that it must have. Then a wrong record is an error, and where neither side is proven,
    /// the segments count.
    ///
    /// - Returns: the number of rows that were replaced.
    func settle(
        in log: EventLog, _ check: SealCheck, completeThrough: UInt64
    ) throws(LogError) -> Int {
        guard !people.isEmpty || !texts.isEmpty else { return 0 }
        let isWhole = reached != nil && lastShipment == completeThrough
        var check = check
        // People first, because texts are checked with the keys of their people.
        let newPeople = try wrongPeople(in: log, check, isWhole)
        try log.file.writing { (transaction) throws(LogError) in
            for (number, row) in newPeople {
                try transaction.put(row, for: UInt64(number), in: log.file.tables.people)
            }
        }
        let newTexts = try wrongTexts(in: log, &check, isWhole)
        try log.file.writing { (transaction) throws(LogError) in
            for (key, row) in newTexts {
                try transaction.put(row, for: key.rawSpan, in: log.file.tables.texts)
            }
        }
        return newPeople.count + newTexts.count
    }

    /// Returns the rows of people to write.
    private func wrongPeople(
        in log: EventLog, _ check: SealCheck, _ isWhole: Bool
    ) throws(LogError) -> [(UInt32, [UInt8])] {
        let rows = SegmentRows(of: log)
        var wrong: [(UInt32, [UInt8])] = []
        for (number, record) in people.sorted(by: { $0.key < $1.key }) {
            let choice: Choice
            let transaction = try log.file.beginReading()
            let stored = try? rows.person(number, in: transaction)
            let given = try PersonRow(
                record.row.rawSpan, at: UInt64(number))
            let isErased = try LogErasures(log: log).recorded().people.contains(number)
            func standing(_ row: PersonRow?) throws(LogError) -> SealCheck.Standing {
                guard let row else { return .wrong("the row is missing") }
                guard (row.state == .erased) == isErased || row.state == .lost else {
                    return .wrong(
                        "position \(row.firstPosition): person \(number), who is named first "
                            + "there, is \(isErased ? "not " : "")marked as erased, but the "
                            + "erasure is \(isErased ? "" : "not ")recorded")
                }
                return try check.standing(of: number, row, rows, in: transaction)
            }
            // No seal covers the number of texts.
            var isCounted = false
            if let count = stored?.textCount, count != given.textCount {
                isCounted = try count == textCount(of: number, in: log, transaction)
            }
            choice = Choice(
                try standing(stored), try standing(given), isWhole && !isCounted)
            if try choice.isToReplace(record.fault) { wrong.append((number, record.row)) }
        }
        return wrong
    }

    /// Counts the texts of a person.
    private func textCount(
        of number: UInt32, in log: EventLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> UInt64 {
        var count: UInt64 = 0
        try transaction.scanRows(log.file.tables.texts, from: nil as RawSpan?) { (_, value) in
            if value.byteCount >= 4, value.integer(at: 0) == number { count += 1 }
            return true
        }
        return count
    }

    /// Returns the rows of texts to write.
    private func wrongTexts(
        in log: EventLog, _ check: inout SealCheck, _ isWhole: Bool
    ) throws(LogError) -> [([UInt8], [UInt8])] {
        var wrong: [([UInt8], [UInt8])] = []
        for (key, record) in texts.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let choice: Choice
            let transaction = try log.file.beginReading()
            let stored = try transaction.row(key.rawSpan, in: log.file.tables.texts)?.copied()
            choice = Choice(
                try standing(stored, at: key, in: log, &check, transaction),
                try standing(record.row, at: key, in: log, &check, transaction), isWhole)
            if try choice.isToReplace(record.fault) { wrong.append((key, record.row)) }
        }
        return wrong
    }

    /// Checks the row of a text; `nil` for a missing one.
    private func standing(
        _ bytes: [UInt8]?, at key: [UInt8], in log: EventLog, _ check: inout SealCheck,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> SealCheck.Standing {
        let rows = SegmentRows(of: log)
        let position = PersonalRow.position(of: key.rawSpan) ?? 0
        guard let bytes else { return .wrong("\(SealCheck.place(key)) is missing") }
        guard let event = try rows.event(at: position, in: transaction) else {
            return .wrong("\(SealCheck.place(key)) belongs to no event")
        }
        let row = try TextRow(bytes.rawSpan, at: key.rawSpan)
        guard !row.isLost else { return .unproven }
        var seals = StoredSeals(check.catalogue, try log.file.names(in: transaction))
        let ordinal = key.rawSpan.integer(at: 8, as: UInt32.self).byteSwapped
        let seal = try seals.read(event.rawSpan, at: position).seal(ordinal)
        let tags = try TaggedHeader(event.rawSpan, at: position).tags
        guard !row.isGone else {
            return try LogErasures(log: log).recorded().cover(position, tags)
                ? .right
                : .wrong(
                    "\(SealCheck.place(key)) is marked as erased, but no such erasure is recorded")
        }
        return try check.standing(ofTextAt: key, row, seal, rows, in: transaction)
    }

    /// A choice between the row of the replica and that of the segments.
    private struct Choice {
        let stored: SealCheck.Standing
        let given: SealCheck.Standing
        let isWhole: Bool

        init(_ stored: SealCheck.Standing, _ given: SealCheck.Standing, _ isWhole: Bool) {
            (self.stored, self.given, self.isWhole) = (stored, given, isWhole)
        }

        /// True if the row of the segments is to be written.
        ///
        /// - Parameter fault: makes the error of a wrong record.
        func isToReplace(_ fault: (String) -> LogError) throws(LogError) -> Bool {
            switch (stored, given) {
            case (_, .wrong(let reason)):
                if isWhole { throw fault(reason) }
                return false
            case (.wrong, _): return true
            case (.right, .unproven): return false
            case (.right, .right), (.unproven, _): return isWhole
            }
        }
    }
}
