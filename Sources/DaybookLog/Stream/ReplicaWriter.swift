import Daybook
import DaybookCryptography
import DaybookLMDB

/// A writer of segments into a replica.
struct ReplicaWriter {
    let log: EventLog
    /// True if the segments come from a store, in which the commits are durable already.
    private let isFromStore: Bool
    private(set) var state: ReplicaState
    /// The state that is stored, which another process may change.
    private var storedState: ReplicaState?
    /// The head of the replica with the commits of the batches so far.
    private(set) var head: Head
    private var recordedAt: Instant
    private var nameCount: Int
    private(set) var pulled = Pulled()
    /// Holds people and texts to their seals before anything is written.
    private(set) var check: SealCheck
    /// The statements of the shipment that only its last commits prove.
    private var marks = ShipmentMarks()
    /// The rows of complete shipments that the replica has otherwise.
    private(set) var differences = SegmentDifferences()

    /// The number of events after which a batch is written; a batch of the segment is not divided.
    private static let eventsPerBatch = 20_000

    /// Opens the replica for more segments.
    ///
    /// - Parameters:
    ///   - isFromStore: true if the segments come from the replica's store.
    ///   - keys: the keys that came with the segments; `nil` to use those of the replica.
    ///   - catalogue: the events of which it is known how many personal texts they have.
    init(
        _ log: EventLog, isFromStore: Bool = false, keys: ReplicaKeys? = nil,
        catalogue: Catalogue? = nil
    ) throws(LogError) {
        self.log = log
        self.isFromStore = isFromStore
        check = SealCheck(of: log, keys, catalogue ?? log.catalogue)
        let transaction = try log.file.beginReading()
        let found = try Meta.replica(in: transaction, log.file.tables.meta)
        state = found ?? ReplicaState(hasKeys: false, target: 0)
        storedState = found
        let newest = try log.file.tables.chainHead(in: transaction)
        head = newest.head
        recordedAt = newest.recordedAt ?? Instant(microseconds: .min)
        nameCount = try log.file.names(in: transaction).rows.count
        guard found != nil else { throw .stream(.notReplica(path: log.path)) }
        pulled.head = head
        pulled.hasKeys = state.hasKeys
    }

    /// Applies a segment: checks that it continues the replica's history, and writes what is new.
    mutating func apply(_ segment: SegmentReader) throws(LogError) {
        var reader = segment
        try check(reader)
        // People and texts of a complete shipment are known, and perhaps outdated.
        guard reader.header.shipment > state.completeThrough else {
            if !isFromStore { try differences.add(reader, in: log) }
            return
        }
        let (shipment, part) = (reader.header.shipment, reader.header.part)
        guard part == 0 || (shipment == state.lastShipment && part <= state.partCount) else {
            throw .stream(.missingPart(name: reader.name, part: part))
        }
        if shipment != state.lastShipment { (state.lastShipment, state.partCount) = (shipment, 0) }
        state.target = max(state.target, shipment)
        if log.file.holdsKeys, let keys = check.keys {
            // The keys of new people come last.
            state.target = max(state.target, keys.head.position.rawValue)
        }
        var batch = ReplicaBatch(
            after: reader.header.after, nameCount: nameCount, head: head, recordedAt: recordedAt)
        while let record = try reader.next() {
            try batch.add(record, of: reader, in: log)
            if record.kind == .batch, batch.eventCount >= Self.eventsPerBatch {
                try write(&batch, reader)
            }
        }
        try batch.checkEnd(of: reader)
        differences.noteEnd(of: reader)
        state.partCount = max(state.partCount, part + 1)
        if reader.end.isLast { state.completeThrough = shipment }
        try write(&batch, reader)
        pulled.segmentCount += 1
    }

    /// Notes a segment that was applied when the replica was made.
    mutating func noteWritten(_ segment: SegmentReader) { differences.noteEnd(of: segment) }

    /// Checks that a segment is of the replica's log, that none is missing before it, and that the
    /// replica has the heads at its ends, as far as it reaches.
    private func check(_ reader: SegmentReader) throws(LogError) {
        guard reader.header.logID == log.file.identifier else {
            throw .stream(
                .otherLog(
                    name: reader.name, found: Hexadecimal.text(reader.header.logID),
                    expected: log.id))
        }
        let after = reader.header.after
        guard after.position <= head.position else {
            throw .stream(.gap(name: reader.name, end: head.position, after: after.position))
        }
        guard try log.mismatch(with: after) == nil else {
            throw .stream(.parted(name: reader.name, at: after.position))
        }
        let end = reader.end.head
        guard end.position <= head.position,
            try log.mismatch(with: end) != nil
        else { return }
        var reader = reader
        throw .stream(
            .parted(
                name: reader.name, at: try reader.firstDifference(from: log) ?? end.position))
    }

    /// Writes a batch in one transaction, and begins the next one.
    private mutating func write(
        _ batch: inout ReplicaBatch, _ reader: SegmentReader
    ) throws(LogError) {
        let state = state
        try check.check(batch, of: reader)
        try marks.add(batch, of: reader)
        if state.completeThrough == reader.header.shipment {
            try marks.check(
                with: batch, of: reader, in: log, isFromStore: isFromStore)
        }
        var isAlone = true
        try log.file.writing(isDurable: !isFromStore) { (transaction) throws(LogError) in
            // Another pull may have written meanwhile.
            let last = try log.file.tables.lastPosition(in: transaction)
            let stored = try Meta.replica(in: transaction, log.file.tables.meta)
            isAlone = last == head.position.rawValue && stored == storedState
            guard isAlone else { return }
            try batch.write(reader, to: &transaction, log)
            if isFromStore { try batch.writeKeys(reader, to: &transaction, log) }
            let key = Meta.replica
            try transaction.put(state.bytes, for: key.rawSpan, in: log.file.tables.meta)
        }
        guard isAlone else { throw .file(.busy(path: log.path)) }
        storedState = state
        pulled.eventCount += batch.head.position.rawValue - head.position.rawValue
        (head, recordedAt) = (batch.head, batch.recordedAt)
        nameCount = batch.nameCount
        pulled.head = head
        differences.remove(batch, of: reader)
        batch.removeAll()
    }
}
