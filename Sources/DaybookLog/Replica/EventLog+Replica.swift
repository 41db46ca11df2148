public import Daybook
import DaybookLibC

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
        clock: @escaping @Sendable () -> Instant = { .now },
        writeWait: Duration = .seconds(10), observer: (any LogObserver)? = nil, label: String = ""
    ) throws(LogError) -> EventLog {
        let store = try database.connect(address, keys)
        do throws(LogError) {
            return try replica(
                of: store, path: path, hasKeys: keys != nil, catalogue: catalogue, clock: clock,
                writeWait: writeWait, observer: observer, label: label)
        } catch {
            throw error.ofReplica(path)
        }
    }

    /// Brings a replica up to the end of the log in its database, and carries out erasures.
    ///
    /// Several threads and processes may do so at once. Does nothing for a log in a file.
    ///
    /// - Returns: the head of the replica.
    @discardableResult
    public func catchUp() throws(LogError) -> Head {
        try kind.catchUp(self, atMost: .max) { _ in }
        return try chainHead()
    }

    /// Opens the replica of a store's log, creates a missing one, and brings it up to date.
    ///
    /// A replica with keys takes appends, which go to the store. Use the returned log like any
    /// other, but nothing reads the store by itself: call `catchUp` before a question whose answer
    /// must have the newest commits. Followers catch up while they wait.
    ///
    /// - Parameters:
    ///   - path: the path of the replica. Another log is not overwritten.
    ///   - hasKeys: true to keep the encryption keys of people here, which makes texts, names and
    ///     places readable and allows appends.
    ///   - clock: returns the time of this machine; commits are recorded by the store's clock.
    ///   - longestDoubt: the longest time to settle commits after a lost answer.
    ///   - label: the name of the replica, shown to users who erase texts; empty for none.
    ///   - catchesUp: false to leave the replica as it is.
    ///   - progress: called with the replica's last position while it is brought up to date.
    package static func replica(
        of store: any EventStore, path: String, hasKeys: Bool, catalogue: Catalogue = .empty,
        clock: @escaping @Sendable () -> Instant = { .now },
        mapSize: Int? = nil, writeWait: Duration = .seconds(10), ignoresClockLead: Bool = false,
        people: PersonNouns? = nil, headFile: HeadFile? = nil, observer: (any LogObserver)? = nil,
        longestDoubt: Duration = .seconds(10), label: String = "", catchesUp: Bool = true,
        progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> EventLog {
        func opened(_ link: StoreLink) throws(LogError) -> EventLog {
            try ReplicaFile.opened(path) { () throws(LogError) in
                let settings = LogSettings(
                    catalogue: catalogue, clock: { link.now() }, mapSize: mapSize,
                    writeWait: writeWait, ignoresClockLead: ignoresClockLead, people: people,
                    headFile: headFile, observer: observer, kind: LinkedReplica(link))
                return try EventLog(opening: path, .write, settings)
            }
        }
        var status = stat()
        let deadline = ContinuousClock.now + writeWait
        while unsafe lstat(path, &status) != 0, errno == ENOENT {
            do throws(LogError) {
                try ReplicaFile.create(path, store.logID)
            } catch .file(.exists) {
                // Another process has created it meanwhile.
                break
            } catch .file(.busy) where ContinuousClock.now < deadline {
                // Another process is creating it.
                usleep(2_000)
            }
        }
        func link() -> StoreLink {
            StoreLink(store, longestDoubt: longestDoubt, label: label, clock: clock)
        }
        // Opened anew to use new keys, because an open log keeps the secret that it was opened with.
        func prepared(_ link: StoreLink) throws(LogError) -> EventLog? {
            let log = try opened(link)
            guard try !ReplicaOpening(log: log).checkFollows(store, hasKeys: hasKeys) else {
                return log
            }
            try ReplicaOpening(log: log).adoptKeys(of: store)
            return nil
        }
        var known = link()
        var ready = try prepared(known)
        if ready == nil {
            known = link()
            ready = try opened(known)
        }
        guard let log = ready else { throw .stream(.notReplica(path: path)) }
        known.note(try store.end())
        if catchesUp { try CatchUp(log, known).run(progress: progress) }
        if catchesUp, log.file.holdsKeys, let store = store as? any ErasingStore {
            StoreContact(log, known).finishInterruptedErasures(of: store)
        }
        return log
    }
}

extension EventLog: WatchedReplica {
    func fetchNews() throws(LogError) -> Position { try catchUp().position }

    func noteAnswer() { kind.noteAnswer(to: self) }
}

extension LogError {
    /// The error as one of a log that is a replica.
    fileprivate func ofReplica(_ path: String) -> LogError {
        switch self {
        case .stream(.keys(_, let reason)): .store(.keys(name: path, reason: reason))
        case .stream(.notReplica):
            .store(
                .refused(
                    name: path, code: "replica",
                    reason: "the file is a log of its own and no replica, so it is not overwritten"
                ))
        case .stream(.otherLog(_, let found, let expected)):
            .store(
                .refused(
                    name: path, code: "replica",
                    reason: "the file is a replica of the log \(expected), but the log in the "
                        + "database is \(found)"))
        case .stream, .file: .store(.damaged(name: path, reason: description))
        default: self
        }
    }
}
