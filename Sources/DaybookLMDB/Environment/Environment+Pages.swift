import CDaybookLMDB
import Synchronization

/// The memory map from which an environment's transactions read pages. A larger map replaces it
/// when the file outgrows it.
final class CurrentMap: Sendable {
    private let map = Mutex<FileMap?>(nil)

    /// Returns a memory map that covers at least `byteCount` bytes of the file. A transaction keeps
    /// the map that it began with.
    func fileMap(covering byteCount: Int, of file: CInt) throws(LMDBError) -> FileMap {
        try map.withLock { (map) throws(LMDBError) in
            if let map, map.byteCount >= byteCount { return map }
            let larger = try FileMap.map(file, covering: byteCount)
            map = larger
            return larger
        }
    }
}

extension Environment {
    /// The number of the newest transaction in the map; `nil` if it cannot be read.
    var newestMappedState: UInt64? {
        do throws(LMDBError) {
            let byteCount = try FileMap.size(of: binding.dataDescriptor)
            let map = try currentMap.fileMap(covering: byteCount, of: binding.dataDescriptor)
            return try PageMap(newestOf: map, fileBytes: byteCount).meta.transaction
        } catch { return nil }
    }

    /// Returns the pages of the state that the transaction with this number committed.
    ///
    /// A transaction on this state must be open, so that LMDB does not reuse the pages.
    func pages(of transaction: Int) throws(LMDBError) -> PageMap {
        var file: CInt = -1
        try check(mdb_env_get_fd(handle, &file))
        let byteCount = try FileMap.size(of: file)
        return try PageMap(
            currentMap.fileMap(covering: byteCount, of: file), fileBytes: byteCount,
            transaction: UInt64(truncatingIfNeeded: transaction))
    }
}
