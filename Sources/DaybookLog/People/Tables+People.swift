import DaybookLMDB

extension Tables {
    /// Returns the row of the person with a person number.
    func person(
        _ number: UInt32, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> PersonRow {
        guard let value = try transaction.row(UInt64(number), in: people) else {
            throw .corrupt(table: people.name, key: UInt64(number), .missing)
        }
        return try PersonRow(value, at: UInt64(number))
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

    /// Returns the key slots that a row of `meta` lists; none if there is no such row.
    ///
    /// - Throws: `.damaged` if the row lists a slot that is not allocated.
    func slots(
        listedIn key: [UInt8], in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [UInt32] {
        guard let value = try transaction.row(key.rawSpan, in: meta) else { return [] }
        guard value.byteCount % 4 == 0 else {
            throw .damaged(
                table: meta.name, row: key,
                .invalid(
                    field: "slots", found: "\(value.byteCount) bytes",
                    expected: "a multiple of 4 bytes, 4 for each key slot"))
        }
        let slots = stride(from: 0, to: value.byteCount, by: 4).map {
            value.integer(at: $0, as: UInt32.self)
        }
        let given = try allocatedSlotCount(in: transaction)
        guard slots.allSatisfy({ (1...max(given, 1)).contains($0) }) else {
            throw .damaged(
                table: meta.name, row: key,
                .invalid(
                    field: "slots", found: slots.map { "\($0)" }.joined(separator: " "),
                    expected: "numbers from 1 to \(given)"))
        }
        return slots
    }
}
