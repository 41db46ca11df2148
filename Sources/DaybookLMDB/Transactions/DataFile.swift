import CDaybookLMDB
import DaybookLibC

/// The data file of an environment, for writes that bypass LMDB.
struct DataFile {
    private let descriptor: CInt

    init(of environment: Environment) throws(LMDBError) {
        var descriptor: CInt = -1
        try check(mdb_env_get_fd(environment.handle, &descriptor))
        self.descriptor = descriptor
    }

    func byteCount() throws(LMDBError) -> Int { try FileMap.size(of: descriptor) }

    func zero(_ range: Range<Int>) throws(LMDBError) {
        let zeros = [UInt8](repeating: 0, count: min(range.count, 1 << 20))
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(zeros.count, range.upperBound - offset)
            try overwrite(offset, with: zeros[..<count])
            offset += count
        }
    }

    func overwrite(_ start: Int, with bytes: ArraySlice<UInt8>) throws(LMDBError) {
        var rest = bytes
        var offset = start
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes {
                unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset))
            }
            if written > 0 {
                offset += written
                rest = rest.dropFirst(written)
            } else if written == 0 || errno != EINTR {
                throw LMDBError(rawValue: written == 0 ? EIO : errno)
            }
        }
    }

    func sync() throws(LMDBError) {
        #if canImport(Darwin)
            let code = fcntl(descriptor, F_FULLFSYNC)
        #else
            let code = fdatasync(descriptor)
        #endif
        guard code != -1 else { throw LMDBError(rawValue: errno) }
    }
}

extension WriteTransaction {
    /// Overwrites bytes of a large row with zeros directly in the file, bypassing the transaction.
    ///
    /// This changes the row in this state and in every earlier state that has the row. `sync` makes
    /// it durable; nothing rolls it back. The row must be larger than a page, so that it has
    /// overflow pages, and this transaction must not write the row.
    ///
    /// - Parameter range: byte offsets within the row's value.
    /// - Throws: `.incompatible` if the row shares its page with other rows; `.corrupted` if the
    ///   row is missing or shorter than `range`.
    public func zero(_ range: Range<Int>, ofRow key: UInt64, in table: Table) throws(LMDBError) {
        let place = try place(of: range, ofRow: key, in: table)
        try dataFile().zero(place)
    }

    /// Overwrites bytes of a large row directly in the file, as `zero(_:ofRow:in:)` does.
    ///
    /// - Parameter bytes: as many as `range` has.
    public func overwrite(
        _ range: Range<Int>, ofRow key: UInt64, with bytes: [UInt8], in table: Table
    ) throws(LMDBError) {
        precondition(bytes.count == range.count)
        let place = try place(of: range, ofRow: key, in: table)
        try dataFile().overwrite(place.lowerBound, with: bytes[...])
    }

    /// Returns the range of bytes in the file of a range of a large row.
    private func place(
        of range: Range<Int>, ofRow key: UInt64, in table: Table
    ) throws(LMDBError) -> Range<Int> {
        guard let data = try state.data(for: key, in: table), let start = data.baseAddress,
            range.lowerBound >= 0, range.upperBound <= data.count
        else { throw .corrupted }
        let offset = start - pages.start
        guard offset % pages.pageSize == PageFormat.headerBytes else { throw .incompatible }
        return offset + range.lowerBound..<offset + range.upperBound
    }

    /// Waits until the bytes that were written directly are on disk.
    public func sync() throws(LMDBError) { try dataFile().sync() }

    func dataFile() throws(LMDBError) -> DataFile {
        try DataFile(of: environment.takeUnretainedValue())
    }
}
