import CDaybookLMDB
import Synchronization

/// The map that the transactions of an environment read, replaced as the file outgrows it.
final class CurrentMap: Sendable {
    private let map = Mutex<FileMap?>(nil)

    /// Returns a map that covers `byteCount` bytes of the file. Transactions keep the one that they
    /// began with.
    func covering(_ byteCount: Int, of file: CInt) throws(LMDBError) -> FileMap {
        try map.withLock { (map) throws(LMDBError) in
            if let map, map.byteCount >= byteCount { return map }
            let larger = try FileMap.map(file, covering: byteCount)
            map = larger
            return larger
        }
    }
}

extension Environment {
    /// The pages of the state that LMDB gave a number, which a transaction must keep from being
    /// reused.
    func pages(of transaction: Int) throws(LMDBError) -> PageMap {
        var file: CInt = -1
        try check(mdb_env_get_fd(handle, &file))
        let byteCount = try FileMap.size(of: file)
        return try PageMap(
            currentMap.covering(byteCount, of: file), fileBytes: byteCount,
            transaction: UInt64(truncatingIfNeeded: transaction))
    }
}
