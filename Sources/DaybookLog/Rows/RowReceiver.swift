/// A receiver of the rows that a write transaction adds.
protocol RowReceiver: AnyObject {
    /// True if the receiver needs the stored row that a row replaces.
    func needsReplacedRow(_ key: UInt64, in table: LogTable) -> Bool

    /// Receives a row with its checksum.
    ///
    /// - Parameter replaced: the stored row that this row replaces; `nil` for a new row, and for one
    ///   that the receiver does not need.
    func add(_ row: [UInt8], for key: UInt64, in table: LogTable, replacing replaced: [UInt8]?)

    /// Receives a row with a byte key and its checksum.
    func add(_ row: [UInt8], for key: RawSpan, in table: LogTable)

    /// Receives a block of keys of new people.
    func add(block: [UInt8], in table: LogTable)
}
