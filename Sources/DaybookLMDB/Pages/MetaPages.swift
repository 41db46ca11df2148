import DaybookLibC

/// The first two pages of a file, of which LMDB writes one at each commit.
///
/// Source: `MDB_page` and `MDB_meta` in mdb.c, on machines with 64 bits, little-endian:
///
/// | offset | bytes | field                                            |
/// |-------:|------:|--------------------------------------------------|
/// |     16 |     4 | magic number, 0xBEEFC0DE                         |
/// |     20 |     4 | version of the data format, 1                    |
/// |     40 |     4 | page size, in the first of two table records     |
/// |    144 |     8 | number of the transaction that wrote the page    |
enum MetaPages {
    static let byteCount = 152
    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let version: UInt32 = 1
    static let pageSizes = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536]
    /// LMDB's pages are at most this long.
    private static let pageLimit = 65_536

    /// The kind of a file, by its first bytes.
    enum Content: Equatable {
        case environment
        case empty
        /// LMDB was stopped while it made the file; nothing was ever committed.
        case unfinished
        case otherVersion
        case foreign
        /// One of the meta pages is none, and the other one is.
        case damaged(page: Int)
    }

    /// More pages than the first transaction of a log writes.
    private static let mostPagesUnfinished = 64

    /// Looks at the first page, without locks.
    static func content(of descriptor: CInt, byteCount: Int) -> Content {
        if byteCount == 0 { return .empty }
        guard let page = read(descriptor, at: 0) else {
            return isZero(descriptor, byteCount) ? .unfinished : .foreign
        }
        let isOurs = page.number(at: 16, UInt32.self) == magic
        guard isOurs, page.number(at: 20, UInt32.self) == version else {
            if isZero(descriptor, byteCount) { return .unfinished }
            if hasSecondPage(descriptor) { return .damaged(page: 0) }
            return isOurs ? .otherVersion : .foreign
        }
        let pageSize = Int(page.number(at: 40, UInt32.self))
        guard pageSizes.contains(pageSize) else { return .damaged(page: 0) }
        guard page.number(at: 144, UInt64.self) == 0 else { return .environment }
        // Both pages are written at once, and the first transaction writes the second one again:
        // where that is missing or zero, pages behind it are of a transaction that never ended.
        guard byteCount <= mostPagesUnfinished * pageSize,
            read(descriptor, at: pageSize)?.number(at: 16, UInt32.self) ?? 0 == 0
        else { return .environment }
        return .unfinished
    }

    /// True where a second meta page lies where its own page size puts it.
    private static func hasSecondPage(_ descriptor: CInt) -> Bool {
        pageSizes.contains { size in
            guard let page = read(descriptor, at: size) else { return false }
            return page.number(at: 16, UInt32.self) == magic
                && page.number(at: 20, UInt32.self) == version
                && Int(page.number(at: 40, UInt32.self)) == size
        }
    }

    /// The bytes of one of the two pages that a commit changes.
    static func bytes(ofPage page: Int, in descriptor: CInt, pageSize: Int) -> [UInt8]? {
        read(descriptor, at: page * pageSize)
    }

    /// The bytes of both pages, or of as much of them as there is.
    static func whole(in descriptor: CInt) -> [UInt8] {
        guard let first = read(descriptor, at: 0) else { return [] }
        let pageSize = Int(first.number(at: 40, UInt32.self))
        return first + (read(descriptor, at: pageSize) ?? [])
    }

    /// Waits for longer than the write of a meta page takes.
    static func pause() { usleep(2_000) }

    /// Writes a page back as it was, where it differs.
    static func restore(
        _ bytes: [UInt8], ofPage page: Int, in descriptor: CInt, pageSize: Int
    ) {
        guard read(descriptor, at: page * pageSize) != bytes else { return }
        _ = retrying { pwrite(descriptor, bytes, bytes.count, off_t(page * pageSize)) }
        _ = retrying { Int(fsync(descriptor)) }
    }

    /// The greater transaction number of the two pages, or `nil` where they cannot be read.
    static func newestTransaction(in descriptor: CInt, pageSize: Int) -> UInt64? {
        guard let first = read(descriptor, at: 0), let second = read(descriptor, at: pageSize)
        else { return nil }
        return max(first.number(at: 144, UInt64.self), second.number(at: 144, UInt64.self))
    }

    /// The number of the transaction that wrote one of the two pages.
    static func transaction(in descriptor: CInt, page: Int, pageSize: Int) -> UInt64? {
        var number: UInt64 = 0
        let count = retrying {
            pread(descriptor, &number, 8, off_t(page * pageSize + 144))
        }
        return count == 8 ? UInt64(littleEndian: number) : nil
    }

    /// The bytes of both pages that a commit changes.
    static func both(in descriptor: CInt, pageSize: Int) -> [UInt8]? {
        guard let first = read(descriptor, at: 0), let second = read(descriptor, at: pageSize)
        else { return nil }
        return first + second
    }

    private static func read(_ descriptor: CInt, at offset: Int) -> [UInt8]? {
        read(descriptor, at: offset, byteCount)
    }

    private static func read(_ descriptor: CInt, at offset: Int, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }

    /// True where a short file of whole pages holds nothing, as the loss of power may leave it.
    private static func isZero(_ descriptor: CInt, _ byteCount: Int) -> Bool {
        guard byteCount <= 2 * pageLimit, byteCount % 512 == 0,
            let bytes = read(descriptor, at: 0, byteCount)
        else { return false }
        return bytes.allSatisfy { $0 == 0 }
    }
}

extension [UInt8] {
    fileprivate func number<Value: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, _ type: Value.Type
    ) -> Value {
        withUnsafeBytes { bytes in
            Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
        }
    }
}
