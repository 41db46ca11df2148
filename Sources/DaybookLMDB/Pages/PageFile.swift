import CDaybookLMDB
import DaybookLibC

/// A data file read page by page, without relying on its meta pages and branches.
///
/// The file is neither mapped, locked nor written. Bytes that cannot be read are zeros.
public final class PageFile {
    /// Page size in bytes, inferred from the page numbers in the file.
    public let pageSize: Int
    public let byteCount: Int
    /// Pages that could not be read from the disk.
    public private(set) var unreadable: Set<UInt64> = []
    private let descriptor: CInt
    /// Recently read pages; the index of a page is its number modulo the size of the array.
    private var cache: [(page: UInt64, bytes: [UInt8])?] = Array(repeating: nil, count: 256)

    /// The location of a row: its page, and the offset of its node.
    public struct Place: Hashable, Sendable {
        public var page: UInt64
        /// Offset of the node within the page, in bytes.
        public var offset: Int

        public init(page: UInt64, offset: Int) {
            self.page = page
            self.offset = offset
        }
    }

    /// Opens a file for reading. The file need not be a valid LMDB file.
    ///
    /// - Throws: `.otherFormatVersion` for a file of LMDB 1.0, whose pages have another layout.
    public init(path: String) throws(OpenError) {
        let file = DaybookLibC.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            throw errno == ENOENT
                ? .missing(path: path) : .failed(path: path, LMDBError(rawValue: errno))
        }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw .notAFile(path: path)
        }
        if MetaPages.content(of: file, byteCount: Int(status.st_size)) == .otherVersion(3) {
            close(file)
            throw .otherFormatVersion(path: path, version: 3)
        }
        descriptor = file
        byteCount = Int(status.st_size)
        pageSize = Self.likelyPageSize(of: file, byteCount)
    }

    deinit { close(descriptor) }

    /// Number of pages of the file, including a last page that is cut short.
    public var pageCount: UInt64 { UInt64((byteCount + pageSize - 1) / pageSize) }

    /// Returns the page size with which the pages that begin with their own page number have the
    /// most bytes in all. A sample of a few thousand pages is tested for each size.
    private static func likelyPageSize(of file: CInt, _ byteCount: Int) -> Int {
        var best = (size: 4_096, bytes: 0)
        for size in [4_096, 16_384, 8_192, 32_768, 65_536, 2_048, 1_024, 512] {
            let count = byteCount / size
            let step = max(1, count / 4_096)
            var fitting = 0
            for page in stride(from: 1, to: count, by: step) {
                var number: UInt64 = 0
                let isRead = pread(file, &number, 8, off_t(page * size)) == 8
                if isRead, number == UInt64(page) { fitting += 1 }
            }
            if fitting * step * size > best.bytes { best = (size, fitting * step * size) }
        }
        return best.size
    }

    /// Returns the bytes of a page from the cache or the file; zeros beyond the end of the file.
    func bytes(of page: UInt64) -> [UInt8] {
        let slot = Int(page % UInt64(cache.count))
        if let cached = cache[slot], cached.page == page { return cached.bytes }
        let bytes = read(page, pageSize)
        cache[slot] = (page, bytes)
        return bytes
    }

    /// Reads `count` bytes from the beginning of a page; unreadable bytes are zeros.
    func read(_ page: UInt64, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let start = Int(page) * pageSize
        var done = 0
        let wanted = max(0, min(count, byteCount - start))
        bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            while done < wanted {
                let part = pread(descriptor, base + done, wanted - done, off_t(start + done))
                if part < 0, errno == EINTR { continue }
                guard part > 0 else { return }
                done += part
            }
        }
        if done < wanted { unreadable.insert(page) }
        return bytes
    }
}

extension PageFile {
    /// The type of a page, determined from its header and nodes.
    enum Content {
        /// An intact leaf, whose `count` nodes fill the page without gaps.
        case leaf(count: Int)
        /// An intact branch; `count` is the number of its nodes.
        case branch(count: Int)
        /// Any other page, such as an overflow page or a damaged page.
        case other
    }

    func content(_ bytes: [UInt8], of page: UInt64) -> Content {
        bytes.withUnsafeBytes { bytes in
            let flags = bytes.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
            let lower = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
            let upper = Int(bytes.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
            let isLeaf = flags == PageFormat.leaf
            guard isLeaf || flags == PageFormat.branch,
                bytes.loadUnaligned(as: UInt64.self) == page, lower > PageFormat.headerBytes,
                lower & 1 == 0, lower <= upper, upper <= pageSize
            else { return .other }
            let count = (lower - PageFormat.headerBytes) / 2
            var sum = 0
            for index in 0..<count {
                let entry = PageFormat.headerBytes + 2 * index
                let offset = Int(bytes.loadUnaligned(fromByteOffset: entry, as: UInt16.self))
                guard offset >= upper, offset <= pageSize - PageFormat.nodeHeaderBytes else {
                    return .other
                }
                let node = Node(bytes, offset)
                sum += (node.byteCount(isLeaf: isLeaf) + 1) & ~1
            }
            guard sum == pageSize - upper else { return .other }
            return isLeaf ? .leaf(count: count) : .branch(count: count)
        }
    }

    /// The header of a node, which is a row of a leaf or a link from a branch.
    struct Node {
        /// Offset of the node within the page.
        let offset: Int
        /// Size of the data in bytes; in a branch, the low 32 bits of `child`.
        let size: Int
        /// Flags such as `PageFormat.largeFlag`; in a branch, the high bits of `child`.
        let flags: UInt16
        let keyByteCount: Int

        init(_ bytes: UnsafeRawBufferPointer, _ offset: Int) {
            self.offset = offset
            size = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            flags = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)
            keyByteCount = Int(bytes.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self))
        }

        var keyStart: Int { offset + PageFormat.nodeHeaderBytes }
        var dataStart: Int { keyStart + keyByteCount }
        /// True if the data is on overflow pages.
        var isLarge: Bool { flags == PageFormat.largeFlag }

        /// Returns the number of bytes that the node uses on its page.
        func byteCount(isLeaf: Bool) -> Int {
            PageFormat.nodeHeaderBytes + keyByteCount + (isLeaf ? (isLarge ? 8 : size) : 0)
        }

        /// Number of the page to which the node of a branch leads.
        var child: UInt64 { UInt64(UInt32(truncatingIfNeeded: size)) | UInt64(flags) << 32 }

        /// True if the node may be a row: its key has a valid size, and key and data fit.
        func mayBeRow(within pageSize: Int) -> Bool {
            (1...511).contains(keyByteCount) && flags <= PageFormat.largeFlag
                && dataStart + (isLarge ? 8 : size) <= pageSize
        }
    }

    /// Passes each possible row of a page to `body`.
    ///
    /// In an intact leaf, these are its rows. In any other page except an intact branch, these are
    /// all nodes that may be rows, so that a damaged byte loses only the row that contains it.
    ///
    /// - Parameter body: receives the place of a row, `true` if the page is an intact leaf, and the
    ///   row's key and value.
    public func forEachRow(on page: UInt64, _ body: (Place, Bool, RawSpan, RawSpan) -> Void) {
        // Bypasses the cache, because a scan of all pages would evict the pages in it.
        let bytes = read(page, pageSize)
        switch content(bytes, of: page) {
        case .branch: return
        case .leaf(let count):
            for index in 0..<count {
                let entry = PageFormat.headerBytes + 2 * index
                let offset = Int(bytes[entry]) | Int(bytes[entry + 1]) << 8
                passRow(bytes, Place(page: page, offset: offset), true, body)
            }
        case .other:
            guard bytes.contains(where: { $0 != 0 }) else { return }
            let last = pageSize - PageFormat.nodeHeaderBytes
            for offset in stride(from: PageFormat.headerBytes, through: last, by: 2) {
                passRow(bytes, Place(page: page, offset: offset), false, body)
            }
        }
    }

    /// Passes the key and value of the row at `place`, which `forEachRow` reported, to `body`.
    ///
    /// - Returns: the result of `body`; `nil` if the place has no row.
    public func withRow<Result>(at place: Place, _ body: (RawSpan, RawSpan) -> Result?) -> Result? {
        var result: Result?
        passRow(bytes(of: place.page), place, false) { (_, _, key, value) in
            result = body(key, value)
        }
        return result
    }

    /// Passes the row at `place` to `body`, unless the bytes there cannot be a row.
    private func passRow(
        _ bytes: [UInt8], _ place: Place, _ isInIntactLeaf: Bool,
        _ body: (Place, Bool, RawSpan, RawSpan) -> Void
    ) {
        let node = bytes.withUnsafeBytes { Node($0, place.offset) }
        guard node.mayBeRow(within: pageSize) else { return }
        let all = bytes.rawSpan
        let key = all.extracting(node.keyStart..<node.dataStart)
        guard node.isLarge else {
            let value = all.extracting(node.dataStart..<node.dataStart + node.size)
            return body(place, isInIntactLeaf, key, value)
        }
        let page = all.unsafeLoadUnaligned(fromByteOffset: node.dataStart, as: UInt64.self)
        guard let data = overflowBytes(page, node.size) else { return }
        body(place, isInIntactLeaf, key, data.rawSpan.extracting(PageFormat.headerBytes...))
    }

    /// Returns a large value, whose overflow pages begin at `page`.
    ///
    /// - Returns: `nil` if the page's header does not match a value of `size` bytes.
    public func largeData(at page: UInt64, byteCount size: Int) -> [UInt8]? {
        let header = read(page, PageFormat.headerBytes)
        return isHeader(header, of: page, byteCount: PageFormat.headerBytes + size)
            ? read(page, PageFormat.headerBytes + size).dropFirst(PageFormat.headerBytes) + [] : nil
    }

    /// Returns true if the bytes are the header of overflow pages with `count` bytes in all.
    private func isHeader(_ bytes: [UInt8], of page: UInt64, byteCount count: Int) -> Bool {
        bytes.withUnsafeBytes { bytes in
            bytes.loadUnaligned(as: UInt64.self) == page
                && bytes.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == PageFormat.overflow
                && Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
                    >= (count + pageSize - 1) / pageSize
        }
    }

    /// Returns the bytes of the overflow pages of a value: 16 bytes of header, then the data.
    ///
    /// `nil` if the pages are not within the file, or if the value is larger than a mebibyte and
    /// does not match the header.
    func overflowBytes(_ page: UInt64, _ size: Int) -> [UInt8]? {
        let count = PageFormat.headerBytes + size
        guard page > 1, page < pageCount, count <= byteCount - Int(page) * pageSize else {
            return nil
        }
        let fits = isHeader(bytes(of: page), of: page, byteCount: count)
        guard fits || size <= 1 << 20 else { return nil }
        return read(page, count)
    }
}
