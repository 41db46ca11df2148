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
    /// Bytes read from a meta page: the header, and the fields up to the transaction number.
    static let byteCount = 152
    /// The magic number at offset 16, by which LMDB recognises its files.
    private static let magic: UInt32 = 0xBEEF_C0DE
    /// The only supported version of the data format.
    private static let version: UInt32 = 1
    /// Page sizes of LMDB, in bytes.
    static let pageSizes = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536]
    /// The largest of `pageSizes`, in bytes.
    private static let largestPageSize = 65_536

    /// A classification of files by the content of their meta pages.
    enum Content: Equatable {
        /// A complete file of the supported version.
        case environment
        /// A file of 0 bytes.
        case empty
        /// LMDB was interrupted while it created the file; nothing was ever committed.
        case unfinished
        /// A file with this version of LMDB's data format, which is not supported.
        case otherVersion(UInt32)
        /// A file that is not an LMDB file.
        case foreign
        /// The meta page with this index is invalid, but the file looks like an LMDB file.
        case damaged(page: Int)
    }

    /// Maximum number of pages of a file whose creation was interrupted. The first transaction of a
    /// log writes fewer pages.
    private static let largestUnfinishedPageCount = 64

    /// Classifies a file by the content of its meta pages, without taking locks.
    static func content(of descriptor: CInt, byteCount: Int) -> Content {
        if byteCount == 0 { return .empty }
        guard let page = read(descriptor, at: 0) else {
            return isZero(descriptor, byteCount) ? .unfinished : .foreign
        }
        let isOurs = page.number(at: 16, UInt32.self) == magic
        guard isOurs, page.number(at: 20, UInt32.self) == version else {
            if isZero(descriptor, byteCount) { return .unfinished }
            if hasSecondPage(descriptor) { return .damaged(page: 0) }
            if isOurs { return .otherVersion(page.number(at: 20, UInt32.self)) }
            // In LMDB 1.0 a page begins with eight more bytes.
            return page.number(at: 24, UInt32.self) == magic
                ? .otherVersion(page.number(at: 28, UInt32.self)) : .foreign
        }
        let pageSize = Int(page.number(at: 40, UInt32.self))
        guard pageSizes.contains(pageSize) else { return .damaged(page: 0) }
        guard page.number(at: 144, UInt64.self) == 0 else { return .environment }
        // LMDB writes both meta pages at creation, and the first transaction writes the second one
        // again. If the second page is missing or zero, later pages belong to a transaction that
        // was never committed.
        guard byteCount <= largestUnfinishedPageCount * pageSize,
            read(descriptor, at: pageSize)?.number(at: 16, UInt32.self) ?? 0 == 0
        else { return .environment }
        return .unfinished
    }

    /// Returns true if a second meta page lies at the offset that its own page size implies.
    private static func hasSecondPage(_ descriptor: CInt) -> Bool {
        pageSizes.contains { size in
            guard let page = read(descriptor, at: size) else { return false }
            return page.number(at: 16, UInt32.self) == magic
                && page.number(at: 20, UInt32.self) == version
                && Int(page.number(at: 40, UInt32.self)) == size
        }
    }

    /// Returns the header and fields of one meta page; `nil` if they cannot be read.
    static func bytes(ofPage page: Int, in descriptor: CInt, pageSize: Int) -> [UInt8]? {
        read(descriptor, at: page * pageSize)
    }

    /// Returns the bytes of both meta pages; of a file that is too short, of the first or none.
    static func availableBytes(in descriptor: CInt) -> [UInt8] {
        guard let first = read(descriptor, at: 0) else { return [] }
        let pageSize = Int(first.number(at: 40, UInt32.self))
        return first + (read(descriptor, at: pageSize) ?? [])
    }

    /// Waits for two milliseconds, which is longer than the write of a meta page takes.
    static func pause() { usleep(2_000) }

    /// Writes `bytes`, the earlier content of a meta page, back if the page has changed since.
    static func restore(_ bytes: [UInt8], ofPage page: Int, in descriptor: CInt, pageSize: Int) {
        guard read(descriptor, at: page * pageSize) != bytes else { return }
        _ = retrying { pwrite(descriptor, bytes, bytes.count, off_t(page * pageSize)) }
        _ = retrying { Int(fsync(descriptor)) }
    }

    /// Returns the greater transaction number of the two meta pages; `nil` if one is unreadable.
    static func newestTransaction(in descriptor: CInt, pageSize: Int) -> UInt64? {
        guard let first = read(descriptor, at: 0), let second = read(descriptor, at: pageSize)
        else { return nil }
        return max(first.number(at: 144, UInt64.self), second.number(at: 144, UInt64.self))
    }

    /// Returns the number of the transaction that wrote a meta page; `nil` if it is unreadable.
    static func transaction(in descriptor: CInt, page: Int, pageSize: Int) -> UInt64? {
        var number: UInt64 = 0
        let count = retrying { pread(descriptor, &number, 8, off_t(page * pageSize + 144)) }
        return count == 8 ? UInt64(littleEndian: number) : nil
    }

    /// Returns the bytes of both meta pages; `nil` if either cannot be read.
    static func bytesOfBoth(in descriptor: CInt, pageSize: Int) -> [UInt8]? {
        guard let first = read(descriptor, at: 0), let second = read(descriptor, at: pageSize)
        else { return nil }
        return first + second
    }

    /// Returns the bytes of the meta page at `offset`; `nil` if they cannot be read.
    private static func read(_ descriptor: CInt, at offset: Int) -> [UInt8]? {
        read(descriptor, at: offset, byteCount)
    }

    /// Returns `count` bytes of the file; `nil` if the file is shorter or cannot be read.
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

    /// Returns true if a short file of whole pages has only zeros, as a power failure may leave it.
    private static func isZero(_ descriptor: CInt, _ byteCount: Int) -> Bool {
        guard byteCount <= 2 * largestPageSize, byteCount % 512 == 0,
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
