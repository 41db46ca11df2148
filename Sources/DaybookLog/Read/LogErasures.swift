import Daybook
import DaybookLMDB
import Synchronization

/// The erasures that a log records.
struct LogErasures {
    let log: EventLog

    /// Returns what the events up to the newest one record of erasures; an event that cannot be
    /// read records none.
    func recorded() throws(LogError) -> RecordedErasures {
        var known = log.file.knownErasures.withLock(\.self)
        let head = try log.head()
        guard known.through < head.rawValue else { return known }
        let window = ReadWindow(after: Position(known.through), through: head)
        try forEach(window) { (event, record) in
            if case .success(let record) = record {
                known.add(record, at: event.position.rawValue)
            }
        }
        known.through = head.rawValue
        let read = known
        log.file.knownErasures.withLock { if $0.through < read.through { $0 = read } }
        return known
    }

    /// True if a recorded erasure fits; reads the newest events only if none before them does.
    ///
    /// Only a reader that meets an erased text or name calls it.
    func isRecorded(_ fits: (RecordedErasures) -> Bool) throws(LogError) -> Bool {
        if fits(log.file.knownErasures.withLock(\.self)) { return true }
        return fits(try recorded())
    }

    /// Throws an error if the row of a person is marked as erased, but no recorded erasure names
    /// the person.
    func check(
        of number: UInt32, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) {
        guard try log.file.tables.person(number, in: transaction).state == .erased,
            try !isRecorded({ $0.people.contains(number) })
        else { return }
        throw try errorOfAbsence(
            .corrupt(table: log.file.tables.people.name, key: UInt64(number), .unrecorded))
    }

    /// Throws an error if the text with a row key is marked as erased, but no recorded erasure
    /// covers it.
    func check(
        ofTextAt key: [UInt8], in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) {
        let position = PersonalRow.position(of: key.rawSpan) ?? 0
        guard let event = try transaction.row(position, in: log.file.tables.events) else {
            throw .corrupt(table: log.file.tables.events.name, key: position, .missing)
        }
        let tags = try TaggedHeader(event, at: position).tags
        guard try !isRecorded({ $0.cover(position, tags) }) else { return }
        throw try errorOfAbsence(.damaged(table: log.file.tables.texts.name, row: key, .unrecorded))
    }

    /// Returns the error for personal data that is not as the events say: that of an interrupted
    /// pull, whose people, texts or keys are ahead of the events; else the damage.
    func errorOfAbsence(_ damage: LogError) throws(LogError) -> LogError {
        let transaction = try log.file.beginReading()
        guard let state = try Meta.replica(in: transaction, log.file.tables.meta), !state.isComplete
        else {
            return damage
        }
        return .incomplete(
            path: log.path, end: Position(try log.file.tables.lastPosition(in: transaction)),
            target: Position(state.target))
    }
}

extension LogErasures {
    /// Calls `body` with each event that records an erasure, in order.
    ///
    /// - Parameter body: gets the event and what it records, or the error of a payload that cannot
    ///   be read.
    func forEach(
        _ window: ReadWindow = ReadWindow(),
        _ body: (RecordedEvent, Result<TextsErased, CorruptPayload>) throws(LogError) -> Void
    ) throws(LogError) {
        try log.reader(Query(Query.Item(kinds: [TextsErased.kind])), window).forEach {
            (event) throws(LogError) in
            let record = Result { () throws(CorruptPayload) in
                try BinaryReader.read(TextsErased.self, from: event.payload.rawSpan)
            }
            try body(event, record)
            return true
        }
    }

    /// Returns what the events in a window record of erasures; throws an error if one cannot be
    /// read.
    func records(_ window: ReadWindow = ReadWindow()) throws(LogError) -> [TextsErased] {
        var erasures: [TextsErased] = []
        try forEach(window) { (event, record) throws(LogError) in
            switch record {
            case .success(let erasure): erasures.append(erasure)
            case .failure(let error): throw .fold(.corrupt(event.position, event.kind, error))
            }
        }
        return erasures
    }
}

extension LogErasures {
    /// Overwrites the encryption keys of recorded erasures, including interrupted ones.
    func finish() throws(LogError) {
        let key = Meta.erasing
        guard try log.file.hasMetaRow(key) else { return }
        try log.file.writing { (transaction) throws(LogError) in
            let slots = try log.file.tables.slots(listedIn: key, in: transaction)
            try checkAreRecorded(slots)
            for slot in slots {
                try transaction.zero(
                    Vault.range(of: slot), ofRow: Vault.block(of: slot), in: log.file.tables.vault)
            }
            try transaction.sync()
            try transaction.remove(key.rawSpan, from: log.file.tables.meta)
        }
    }

    /// Throws `.damaged` if a slot occurs in no recorded erasure, so that damage deletes no key.
    private func checkAreRecorded(_ slots: [UInt32]) throws(LogError) {
        var unrecorded = Set(slots)
        try forEach { (_, record) in
            // An unreadable record proves no erasure of any slot.
            if case .success(let record) = record { unrecorded.subtract(record.slotNumbers) }
        }
        guard let slot = unrecorded.min() else { return }
        throw .damaged(
            table: log.file.tables.meta.name, row: Meta.erasing,
            .invalid(
                field: "slots", found: "key slot \(slot), which no recorded erasure names",
                expected: "only key slots of recorded erasures"))
    }

    /// Returns the position of the last recorded erasure; 0 if there is none.
    func lastPosition() throws(LogError) -> Position {
        let transaction = try log.file.beginReading()
        let names = try log.file.names(in: transaction)
        guard let row = names.row(of: TextsErased.kind) else { return .origin }
        return Position(try log.file.tables.lastPosition(ofKind: row, in: transaction) ?? 0)
    }
}
