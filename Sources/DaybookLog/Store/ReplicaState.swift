import Daybook
import DaybookLMDB

/// The row of `meta` that makes a log a replica, with its progress along the original log.
struct ReplicaState: StoredRow, Hashable {
    static var tableName: String { "meta" }

    /// True if the replica has the log's secret and the encryption keys of its people.
    var hasKeys: Bool
    /// The last position of the shipment whose segments were applied last.
    ///
    /// While the replica ends before it, people and texts are ahead of the events.
    var target: UInt64
    /// The position of the last shipment that was applied completely; 0 for none.
    var completeThrough: UInt64 = 0

    /// The position of the shipment whose segment was applied last; 0 for none.
    var lastShipment: UInt64 = 0
    /// The number of segments of `lastShipment` that were applied, without gaps.
    var partCount: UInt32 = 0

    /// The number of bytes of the row.
    static let byteCount = 29

    /// False while a shipment is applied in part only, so that people, texts or keys are ahead of
    /// the events.
    var isComplete: Bool { target <= completeThrough }

    /// The stored row without its checksum.
    var bytes: [UInt8] {
        var bytes: [UInt8] = [hasKeys ? 1 : 0]
        bytes.append(littleEndian: target)
        bytes.append(littleEndian: completeThrough)
        bytes.append(littleEndian: lastShipment)
        bytes.append(littleEndian: partCount)
        return bytes
    }

    init(hasKeys: Bool, target: UInt64) {
        self.hasKeys = hasKeys
        self.target = target
    }

    init(decoding bytes: RawSpan) throws(CorruptRecord) {
        guard bytes.byteCount == Self.byteCount else {
            throw .size("replica", bytes.byteCount, expected: Self.byteCount)
        }
        let flag: UInt8 = bytes.integer(at: 0)
        guard flag <= 1 else {
            throw .invalid(field: "keys", found: "\(flag)", expected: "0 or 1")
        }
        hasKeys = flag == 1
        target = bytes.integer(at: 1)
        completeThrough = bytes.integer(at: 9)
        lastShipment = bytes.integer(at: 17)
        partCount = bytes.integer(at: 25)
    }
}

extension Meta {
    /// Reads the progress of a replica; `nil` for a log that is not one.
    static func replica(
        in transaction: borrowing some Transaction & ~Copyable, _ table: LogTable
    ) throws(LogError) -> ReplicaState? {
        let key = replica
        guard let value = try transaction.row(key.rawSpan, in: table) else { return nil }
        return try ReplicaState(value, at: key.rawSpan)
    }
}
