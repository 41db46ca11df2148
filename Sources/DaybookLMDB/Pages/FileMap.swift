import CDaybookLMDB
import DaybookLibC

/// A data file mapped for reading, separately from LMDB's own map.
///
/// The map may reach beyond the end of the file, so that a growing file needs few new maps. Bytes
/// beyond the end must not be read; `PageMap` limits the page numbers.
@usableFromInline
final class FileMap: @unchecked Sendable {
    // The memory is never written through this map, and lives as long as the object.
    /// Address of the first byte of the file.
    let start: UnsafeRawPointer
    /// Size of the map in bytes, which may exceed the size of the file.
    let byteCount: Int

    private init(_ start: UnsafeRawPointer, _ byteCount: Int) {
        self.start = start
        self.byteCount = byteCount
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: start), byteCount) }

    /// Maps at least `byteCount` bytes of an open file, and half as much again if possible.
    static func map(_ file: CInt, covering byteCount: Int) throws(LMDBError) -> FileMap {
        let needed = roundedUp(max(byteCount, 1 << 20))
        for size in [roundedUp(needed + needed / 2), needed] {
            if let start = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0), start != MAP_FAILED {
                return FileMap(UnsafeRawPointer(start), size)
            }
        }
        throw LMDBError(rawValue: errno)
    }

    /// Returns `count` rounded up to a multiple of 64 KiB, which every page size divides.
    private static func roundedUp(_ count: Int) -> Int { (count + 65_535) & ~65_535 }

    static func size(of file: CInt) throws(LMDBError) -> Int {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw LMDBError(rawValue: errno) }
        return Int(status.st_size)
    }
}
