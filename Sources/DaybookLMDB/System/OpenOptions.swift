/// The settings for opening a file.
public struct OpenOptions: Sendable {
    /// Size of the memory map in bytes: the size that the file may reach before the map must
    /// grow.
    ///
    /// The file itself stays as small as its content. `nil` means four times the size of the
    /// file and at least a gibibyte, or less if the process may not use so much address space.
    public var mapSize: Int?
    /// Number of read transactions that all processes together may have open.
    public var maxReaders: UInt32 = 1_024
    /// Largest number of tables that the environment may have open.
    public var maxTables: UInt32 = 32
    /// True to open an existing file for reading only.
    ///
    /// This works even without permission to write the lock file; see `Environment.hasNoLock`.
    public var isReadOnly = false
    /// True to create the file if it is missing or if its creation was interrupted.
    public var createsFile = true
    /// The longest time to wait for another writer, in any process, before `.locked` is thrown.
    public var writeWait: Duration = .seconds(10)

    public init() {}
}
