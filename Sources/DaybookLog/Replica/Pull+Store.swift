package import Daybook

extension Pull {
    /// Brings the replica of a store's log up to date, creates a missing one, and indexes it.
    ///
    /// The next pull continues an interrupted one. Each commit is checked by its chain value, and
    /// erasures are carried out.
    ///
    /// - Parameters:
    ///   - path: the path of the replica. Another log is not overwritten.
    ///   - hasKeys: true to keep the encryption keys of people, which makes texts, names and places
    ///     readable.
    ///   - writeWait: the longest time to wait for another process that creates or writes the
    ///     replica.
    ///   - progress: called after each part with the replica's last position.
    package static func run(
        _ store: any EventStore, into path: String, hasKeys: Bool,
        writeWait: Duration = .seconds(10), progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> Pulled {
        let log = try EventLog.replica(
            of: store, path: path, hasKeys: hasKeys, writeWait: writeWait, catchesUp: false)
        let pulled = try CatchUp.run(log, progress: progress)
        try log.reindex()
        return pulled
    }
}
