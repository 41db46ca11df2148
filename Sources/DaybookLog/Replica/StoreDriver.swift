import Daybook

/// Access to the logs in one kind of database, by their addresses.
///
/// `StoreDriver.postgreSQL` of DaybookPostgres is the one for PostgreSQL.
public struct StoreDriver: Sendable {
    /// Opens the log that an address names.
    ///
    /// A store without keys returns none, and takes no appends.
    package let connect:
        @Sendable (
            _ address: String, _ keys: StoreKeySource?
        ) throws(LogError) -> any EventStore
    private let installation: @Sendable (_ address: String) throws(LogError) -> StoreInstallation
    /// Returns the logs of a database, by name.
    package let logs: @Sendable (_ address: String) throws(LogError) -> [StoredLog]
    private let creation:
        @Sendable (_ address: String, _ keys: StoreKeySource) throws(LogError) -> Void
    /// Opens the log that an address names, to be filled with the contents of a file; creates a
    /// missing one.
    package let fill:
        @Sendable (
            _ address: String, _ keys: StoreKeySource, _ log: EventLog
        ) throws(LogError) -> any FillableStore

    package init(
        connect:
            @escaping @Sendable (
                _ address: String, _ keys: StoreKeySource?
            ) throws(LogError) -> any EventStore,
        install:
            @escaping @Sendable (_ address: String) throws(LogError) -> StoreInstallation,
        logs: @escaping @Sendable (_ address: String) throws(LogError) -> [StoredLog],
        createLog:
            @escaping @Sendable (
                _ address: String, _ keys: StoreKeySource
            ) throws(LogError) -> Void,
        fill:
            @escaping @Sendable (
                _ address: String, _ keys: StoreKeySource, _ log: EventLog
            ) throws(LogError) -> any FillableStore
    ) {
        self.connect = connect
        installation = install
        self.logs = logs
        creation = createLog
        self.fill = fill
    }

    /// Installs the tables, functions and roles in a database, unless it has them already.
    @discardableResult
    public func install(at address: String) throws(LogError) -> StoreInstallation {
        try installation(address)
    }

    /// Creates an empty log in a database.
    ///
    /// - Parameters:
    ///   - address: the address of the log, `postgres://USER@HOST/DATABASE?log=NAME`.
    ///   - keys: the place of the log's keys; a missing first key is created there.
    public func createLog(
        at address: String, keys: StoreKeySource
    ) throws(LogError) {
        try creation(address, keys)
    }
}

/// The result of an installation in a database.
public struct StoreInstallation: Hashable, Sendable {
    /// False if the database had the tables and functions already.
    public let isNew: Bool
    /// Settings of the server that its operator should change, a sentence each.
    public let advice: [String]

    package init(isNew: Bool, advice: [String]) {
        self.isNew = isNew
        self.advice = advice
    }
}

/// The place of the epoch keys, which encrypt a log's secret and its people's keys in a database.
public enum StoreKeySource: Hashable, Sendable {
    /// A file that only its owner may read.
    case file(String)
    /// A command that the shell runs, which prints a key.
    case command(String)
}

/// A log in a database, as a list of logs shows it.
package struct StoredLog: Hashable, Sendable {
    package var name: String
    /// The log's id, 16 bytes.
    package var id: [UInt8]
    package var end: StoreEnd
    /// `open`, `filling` or `closed`.
    package var state: String

    package init(name: String, id: [UInt8], end: StoreEnd, state: String) {
        self.name = name
        self.id = id
        self.end = end
        self.state = state
    }
}
