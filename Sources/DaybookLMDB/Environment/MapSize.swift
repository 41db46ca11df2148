import DaybookLibC

/// Sizes of the memory map.
enum MapSize {
    static let least = 1 << 20
    /// The smallest step by which a map grows.
    static let grain = 1 << 20
    private static let usual = 1 << 30

    /// Returns four times the file's size, rounded up to a power of two, and at least a gibibyte.
    static func initial(fileByteCount: Int) -> Int {
        var size = usual
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
