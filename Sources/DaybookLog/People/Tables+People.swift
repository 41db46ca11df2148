import DaybookLMDB

extension Tables {
    /// Returns the row of the person with a person number.
    func person(
        _ number: UInt32, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> PersonRow {
        guard let value = try transaction.row(UInt64(number), in: people) else {
            throw .corrupt(table: people.name, key: UInt64(number), .missing)
        }
        return try mappingRecordErrors(
            of: people.name, UInt64(number), try PersonRow(decoding: value))
    }

    /// Returns the number of allocated key slots of the table `vault`.
    func allocatedSlotCount(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt32 {
        let key = Meta.slots
        guard let value = try transaction.row(key.rawSpan, in: meta) else { return 0 }
        guard value.byteCount == 4 else {
            throw .damaged(
                table: meta.name, row: key, .size("slots", value.byteCount, expected: 4))
        }
        return value.integer(at: 0)
    }

    /// Returns the person number for the digest of a stored name; `nil` if the person is unknown or
    /// erased.
    func personNumber(
        ofDigest key: [UInt8], in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt32? {
        guard let value = try transaction.row(key.rawSpan, in: peopleByDigest) else { return nil }
        guard value.byteCount == 4 else {
            throw .damaged(
                table: peopleByDigest.name, row: key,
                .size("person", value.byteCount, expected: 4))
        }
        return value.integer(at: 0, as: UInt32.self)
    }
}
