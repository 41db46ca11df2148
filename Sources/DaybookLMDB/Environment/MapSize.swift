import DaybookLibC

/// Sizes of an environment's memory map, in bytes.
enum MapSize {
    /// The smallest map that an environment tries, in bytes.
    static let minimum = 1 << 20
    static let smallestGrowth = 1 << 20
    /// The smallest initial size of a map, in bytes: a gibibyte.
    private static let defaultMinimum = 1 << 30

    /// Returns four times the file's size, rounded up to a power of two, and at least a gibibyte.
    static func initialSize(fileByteCount: Int) -> Int {
        var size = defaultMinimum
        while size / 4 < fileByteCount, size < 1 << 46 { size *= 2 }
        return size
    }

    /// True if the process can map this many bytes in addition to its present maps.
    static func isPossible(_ byteCount: Int) -> Bool {
        guard byteCount > 0 else { return true }
        let address = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0)
        guard let address, address != MAP_FAILED else { return false }
        munmap(address, byteCount)
        return true
    }
}
