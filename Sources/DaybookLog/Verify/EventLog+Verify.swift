public import Daybook

extension EventLog {
    /// Reads the whole log and checks it against the rules of the format and of the catalogue.
    ///
    /// The rules:
    ///
    /// - `page`: each page is used exactly once or is free, and its content fits its place in a
    ///   tree.
    /// - `checksum`: each row matches its checksum.
    /// - `damage`: every part of the log can be read.
    /// - `table`: the file has only tables of the format.
    /// - `meta`: the table `meta` has only rows of the format, and they match the log.
    /// - `replica`: a replica has all of the shipment that was pulled last. The texts of a replica
    ///   without encryption keys are only counted.
    /// - `gap`: positions have no gaps.
    /// - `record`: rows follow the format.
    /// - `clock`: `recordedAt` never decreases.
    /// - `chain`: the commits and events hash to the stored chain values.
    /// - `last`: the stored newest position of each tag and kind is correct.
    /// - `index`: the index contains exactly the positions of the events of each tag and kind.
    /// - `tree`: the stored tree has the hashes of the commits that it covers.
    /// - `key`: a lookup by idempotency key finds each commit that has such a key.
    /// - `seal`: personal texts match their seals, the SHA-256 digests that events store.
    /// - `person`: people are numbered without gaps and can be found by name.
    /// - `vault`: encryption keys match their checksums, and each is assigned to one person.
    /// - `erasure`: each missing text and overwritten key has a recorded erasure, and each recorded
    ///   erasure has overwritten its keys.
    /// - `payload`: payloads are in canonical form.
    /// - `tags`: events carry the tags that their payloads require, in normalisation form C.
    /// - `snapshot`: a fold of an entity's events reproduces the states in its snapshots.
    ///
    /// - Parameters:
    ///   - catalogue: the catalogue that decodes payloads; by default the log's.
    ///   - progress: called occasionally with the number of events checked so far, as a position.
    /// - Returns: the counts and faults. Damage does not throw an error, but is a fault.
    public func verify(
        against catalogue: Catalogue? = nil, progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> Verification {
        try operations.observing(.verify) { () throws(LogError) in
            try VerificationRun(log: self).verifyUnchanged(catalogue ?? self.catalogue, progress)
        } _: { result, operation in
            operation.eventCount = Int(clamping: result.events)
            operation.findingCount = result.findings.count
        }
    }
}
