import DaybookLMDB

extension EventLog {
    /// Runs `body` in a write transaction and commits it; repeats this in a larger map if the map
    /// is full.
    func writing(
        isDurable: Bool = true, _ body: (inout LogWriteTransaction) throws(LogError) -> Void
    ) throws(LogError) {
        while true {
            do throws(LogError) {
                var transaction = try beginWriting(isDurable: isDurable)
                try body(&transaction)
                return try transaction.commit()
            } catch .storage(.mapFull) {
                try growMap()
            }
        }
    }

    /// Enlarges the memory map, so that the file can grow.
    func growMap() throws(LogError) {
        try mappingStorageErrors(try environment.growMap())
    }

    /// True if the table `meta` has a row with this key.
    func hasMetaRow(_ key: [UInt8]) throws(LogError) -> Bool {
        let transaction = try beginReading()
        return try transaction.row(key.rawSpan, in: tables.meta) != nil
    }
}
