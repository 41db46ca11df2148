public import Daybook
import DaybookLMDB

extension EventLog {
    /// Erases personal texts by overwriting their encryption keys in the file.
    ///
    /// An event of the kind `log.texts-erased.v1` records the erasure; stored events and chain
    /// values stay unchanged. Other texts of the same people are encrypted again under new keys.
    /// When the call returns, the old keys are gone from the disk, provided that the disk
    /// overwrites data in place. Backups and other copies of the file are not affected.
    ///
    /// - Parameters:
    ///   - reason: the reason for the erasure, stored as a personal text of the actor.
    ///   - catalogue: the catalogue that locates personal texts in the payloads of events; by
    ///     default the log's.
    public func erase(
        _ target: ErasureTarget, reason: String? = nil,
        metadata: CommitMetadata = CommitMetadata(), catalogue: Catalogue? = nil
    ) throws(AppendError) -> Erasure {
        try operations.observing(.erase) { () throws(AppendError) in
            try ErasureSteps(log: self).eraseAgain(
                target, reason, metadata, catalogue ?? self.catalogue)
        } _: { erasure, operation in
            operation.outcome = erasure.position == nil ? .nothing : .done
            operation.textCount = erasure.texts
            operation.position = erasure.position
        }
    }

    /// Returns the effect that an erasure would have, and writes nothing.
    public func erasure(
        of target: ErasureTarget, catalogue: Catalogue? = nil
    ) throws(LogError) -> Erasure {
        try requireKeys("an erasure finds")
        let transaction = try file.beginReading()
        let plan = try ErasurePlan(
            target, of: self, catalogue ?? self.catalogue, in: transaction)
        return plan.erasure
    }

    /// Sets all space of the file that is unused now to zero, as it may still hold deleted data.
    ///
    /// Other writers get in between two pieces of the work. In this process, an append for which the
    /// file must grow fails until the end with `LMDBError.mapFull`.
    ///
    /// - Returns: `false` if a running read transaction of any process still uses some of the
    ///   space.
    /// - Throws: `LogError.locked` if another writer does not end in time. What was overwritten
    ///   stays so, and the next scrub only has to read it.
    public func scrub() throws(LogError) -> Bool {
        func scrubOnce() throws(LogError) -> Bool {
            var scrub = try mappingStorageErrors(try Scrub.carriedOut(in: file.environment))
            if scrub.isComplete { return true }
            // An extra commit, because pages that the newest commit freed must be kept.
            try file.writing { (transaction) throws(LogError) in
                let key = Meta.identifier
                try transaction.put(file.identifier, for: key.rawSpan, in: file.tables.meta)
            }
            try mappingStorageErrors(try scrub.repeatAll())
            return scrub.isComplete
        }
        // The map was grown by another process, or is too small for the extra commit. It grows only
        // without the scrub's reader.
        return try file.growingMap(scrubOnce)
    }
}

extension Scrub {
    /// Returns a scrub after all of its steps.
    fileprivate static func carriedOut(in environment: Environment) throws(LMDBError) -> Scrub {
        var scrub = try Scrub(of: environment)
        while try scrub.step() {}
        return scrub
    }

    /// Starts again, and takes all steps.
    fileprivate mutating func repeatAll() throws(LMDBError) {
        try startAgain()
        while try step() {}
    }
}
