import Daybook
import DaybookLog

/// Opening of logs in databases by way of their replicas.
enum StoredLogs {
    /// Opens the replica of a log in the user's cache folder, after it was made if it is missing,
    /// and brought up to date.
    ///
    /// Appends go to the database.
    ///
    /// - Parameters:
    ///   - keys: place of the keys of the log; `nil` for a replica that shows no texts, names and
    ///     places, and takes no appends.
    ///   - wait: longest time in seconds to wait for another writer of the replica.
    ///   - force: appends even if the log is far ahead of this machine's clock.
    static func open(
        _ address: String, keys: StoreKeySource?, wait: Double, force: Bool
    ) throws -> EventLog {
        let people = Program.catalogue.people
        let store = try connect(address, keys)
        let cache = try ReplicaCache()
        try cache.create()
        let path = cache.path(of: store.logID, at: address, hasKeys: keys != nil)
        return try mappingErrors(ofReplica: path, isCached: true) { () throws(LogError) in
            try EventLog.replica(
                of: store, path: path, hasKeys: keys != nil,
                writeWait: .milliseconds(Int64(wait * 1_000)), ignoresClockLead: force,
                people: people, label: Terminal.variable("DAYBOOK_REPLICA") ?? ""
            ) { Progress.setCount(Int(clamping: $0.rawValue), "event") }
        }
    }

    static func connect(_ address: String, _ keys: StoreKeySource?) throws -> any EventStore {
        let driver = try StoreAddress.driver()
        return try mappingLogErrors { () throws(LogError) in
            try driver.connect(address, keys)
        }
    }

    /// Brings the replica of a log in a file of the user's own up to date, or creates it.
    static func pull(
        _ address: String, into path: String, keys: StoreKeySource?, wait: Double
    ) throws -> Pulled {
        let store = try connect(address, keys)
        return try mappingErrors(ofReplica: path, isCached: false) { () throws(LogError) in
            try Pull.run(
                store, into: path, hasKeys: keys != nil,
                writeWait: .milliseconds(Int64(wait * 1_000))
            ) { Progress.setCount(Int(clamping: $0.rawValue), "event") }
        }
    }

    /// Runs `body`; an error that concerns the histories of a replica and its store names the
    /// replica, which may be deleted.
    private static func mappingErrors<Result>(
        ofReplica path: String, isCached: Bool, _ body: () throws(LogError) -> Result
    ) throws(Failure) -> Result {
        do throws(LogError) {
            return try body()
        } catch {
            var message = error.message(followedBy: nil)
            let advice =
                isCached
                ? "delete the replica \(path) to follow the database as it is now"
                : "pull into another file to follow the database as it is now"
            let isForeign =
                switch error {
                case .store(.parted), .store(.restored), .stream(.otherLog), .stream(.notReplica):
                    true
                default: false
                }
            if case .stream(.otherLog(_, let found, let expected)) = error {
                message =
                    "\(path): the replica is of the log \(expected), but the log in the "
                    + "database is \(found)"
            }
            if case .stream(.keys) = error, !isCached {
                message += "; name their file with --texts"
            }
            throw Failure(error.code, isForeign ? "\(message); \(advice)" : message)
        }
    }
}
