public import Daybook

extension EventLog {
    /// Opens the replica of a log in a database, creates a missing one, and brings it up to date.
    ///
    ///     let log = try EventLog.replica(
    ///         of: "postgres://db.example/diary?log=home", in: .postgreSQL, path: "home.daybook",
    ///         keys: .file("home.keys"))
    ///
    /// Use the returned log like one in a file. Appends and decisions go to the database; a
    /// decision is made again if other writers' commits come first. Questions are answered from the
    /// replica: call `catchUp` before one whose answer must have the newest commits. Followers
    /// catch up while they wait. Processes of a machine may share a replica.
    ///
    /// - Parameters:
    ///   - address: the address of the log, `postgres://USER@HOST/DATABASE?log=NAME`.
    ///   - database: the kind of database.
    ///   - path: the path of the replica. Another log is not overwritten.
    ///   - keys: the place of the log's keys; `nil` for a replica that has no texts, names and
    ///     places, and takes no appends.
    ///   - catalogue: the areas of the app, for their upcasters and the nouns of people.
    ///   - clock: returns the time of this machine; commits are recorded by the database's clock.
    ///   - writeWait: the longest time to wait for another writer of the replica.
    ///   - observer: called with each operation of the log.
    ///   - label: the name of the replica, shown to users who erase texts; empty for none.
    /// - Throws: `.store` if the database does not answer, its history is not that of the replica,
    ///   or the file is no replica of this log.
    public static func replica(
        of address: String, in database: StoreDriver, path: String, keys: StoreKeySource? = nil,
        catalogue: Catalogue = .empty,
        clock: @escaping @Sendable () -> Instant = { EventLog.systemTime() },
        writeWait: Duration = .seconds(10), observer: (any LogObserver)? = nil, label: String = ""
    ) throws(LogError) -> EventLog {
        let store: any EventStore
        do throws(StoreError) {
            store = try database.connect(address, keys)
        } catch {
            throw .store(error)
        }
        do throws(StreamError) {
            return try replica(
                of: store, path: path, hasKeys: keys != nil, catalogue: catalogue, clock: clock,
                writeWait: writeWait, observer: observer, label: label)
        } catch {
            throw error.asLogError(ofReplica: path)
        }
    }

    /// Brings a replica up to the end of the log in its database, and carries out erasures.
    ///
    /// Several threads and processes may do so at once. Does nothing for a log in a file.
    ///
    /// - Returns: the head of the replica.
    @discardableResult
    public func catchUp() throws(LogError) -> Head {
        try catchUp(atMost: .max).head
    }
}

extension StreamError {
    /// The error as one of a log that is a replica.
    fileprivate func asLogError(ofReplica path: String) -> LogError {
        switch self {
        case .log(let error): error
        case .keys(_, let reason): .store(.keys(name: path, reason: reason))
        case .notReplica:
            .store(
                .refused(
                    name: path, code: "replica",
                    reason: "the file is a log of its own and no replica, so it is not overwritten"
                ))
        case .otherLog(_, let found, let expected):
            .store(
                .refused(
                    name: path, code: "replica",
                    reason: "the file is a replica of the log \(expected), but the log in the "
                        + "database is \(found)"))
        default: .store(.damaged(name: path, reason: description))
        }
    }
}
