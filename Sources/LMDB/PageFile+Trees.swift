extension PageFile {
    /// The readable meta pages.
    public struct State {
        let meta: MetaPage
        /// Both meta pages are whole and follow one another, so that this is the newest state.
        public let isTrusted: Bool
    }

    /// The newest state that a meta page names; `nil` where neither can be read.
    public func state() -> State? {
        var metas = [0, 1].compactMap { page in
            read(page, max(pageSize, MetaPage.byteCount)).withUnsafeBytes { bytes in
                bytes.baseAddress.flatMap { MetaPage(at: $0) }
            }
        }.filter { $0.pageSize == pageSize }
        // The number of the transaction that wrote a state is in its list of free pages too.
        for index in metas.indices {
            metas[index].transaction = newestFreed(in: metas[index]) ?? metas[index].transaction
        }
        // A copy's first meta page may name the state before the first commit.
        let begun = metas.filter { !$0.isEmpty }
        guard
            let newest = (begun.isEmpty ? metas : begun).max(by: { $0.transaction < $1.transaction }
            )
        else { return nil }
        let isCopy = metas.count == 2 && metas[0].main == metas[1].main
        let isTrusted =
            metas.count == 2
            && (isCopy || begun.count == 1 || MetaPage.areConsecutive(metas[0], metas[1]))
        return State(meta: newest, isTrusted: isTrusted)
    }

    /// The number of the newest transaction whose freed pages a state lists; `nil` where it lists
    /// none, or the list is damaged.
    private func newestFreed(in meta: MetaPage) -> UInt64? {
        guard !meta.free.isEmpty else { return nil }
        var page = meta.free.root
        for level in 1...Int(meta.free.depth) {
            guard page > 1, page < pageCount else { return nil }
            let bytes = bytes(of: page)
            func last(_ count: Int) -> Node {
                let entry = PageFormat.headerBytes + 2 * (count - 1)
                return bytes.withUnsafeBytes {
                    Node($0, Int(bytes[entry]) | Int(bytes[entry + 1]) << 8)
                }
            }
            switch content(bytes, of: page) {
            case .leaf(let count) where level == Int(meta.free.depth):
                let node = last(count)
                guard node.keyCount == 8, node.keyStart + 8 <= bytes.count else { return nil }
                return bytes.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: node.keyStart, as: UInt64.self)
                }
            case .branch(let count) where level < Int(meta.free.depth): page = last(count).child
            default: return nil
            }
        }
        return nil
    }

    /// True where the file reaches to the last page of its newest state; `nil` without a state.
    public func isWhole() -> Bool? {
        state().map { UInt64(byteCount / pageSize) > $0.meta.lastPage }
    }

    /// The leaves of one table that its branches lead to.
    public struct Leaves {
        /// Rows that the list of tables says the table has.
        public var claimedRows: UInt64
        /// Rows on the leaves that were reached and are whole.
        public fileprivate(set) var rows: UInt64 = 0
        /// Pages on the way that are not whole.
        public fileprivate(set) var broken: UInt64 = 0
        private var bits: [UInt64]

        fileprivate init(claimedRows: UInt64, pageCount: UInt64) {
            self.claimedRows = claimedRows
            bits = Array(repeating: 0, count: Int(pageCount / 64) + 1)
        }

        public func contains(_ page: UInt64) -> Bool {
            page / 64 < bits.count && bits[Int(page / 64)] & 1 << (page % 64) != 0
        }

        /// `false` where the page was there already, or cannot be one.
        fileprivate mutating func insert(_ page: UInt64) -> Bool {
            guard page > 1, page / 64 < bits.count, !contains(page) else { return false }
            bits[Int(page / 64)] |= 1 << (page % 64)
            return true
        }
    }

    /// Walks the tree of a table as far as its pages are whole.
    ///
    /// - Returns: `nil` where the list of tables does not have the table, or cannot be read there.
    public func leaves(of table: String, in state: State) -> Leaves? {
        var record: TreeRecord?
        var lists = Leaves(claimedRows: 0, pageCount: pageCount)
        walk(state.meta.main, &lists) { bytes, node in
            guard node.flags == PageFormat.isTree, node.size == PageFormat.treeRecordBytes,
                node.dataStart + node.size <= bytes.count,
                bytes[node.keyStart..<node.dataStart].elementsEqual(table.utf8)
            else { return }
            record = bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.map { TreeRecord(at: $0 + node.dataStart) }
            }
        }
        guard let record else { return nil }
        var leaves = Leaves(claimedRows: record.entries, pageCount: pageCount)
        walk(record, &leaves) { _, _ in }
        return leaves
    }

    private func walk(
        _ tree: TreeRecord, _ leaves: inout Leaves, _ row: ([UInt8], Node) -> Void
    ) {
        guard !tree.isEmpty else { return }
        descend(tree.root, 1, Int(tree.depth), &leaves, row)
    }

    private func descend(
        _ page: UInt64, _ level: Int, _ depth: Int, _ leaves: inout Leaves,
        _ row: ([UInt8], Node) -> Void
    ) {
        guard level <= min(depth, PageFormat.mostLevels), page < pageCount, leaves.insert(page)
        else {
            leaves.broken += 1
            return
        }
        let bytes = read(page, pageSize)
        func node(_ index: Int) -> Node {
            let entry = PageFormat.headerBytes + 2 * index
            return bytes.withUnsafeBytes {
                Node($0, Int(bytes[entry]) | Int(bytes[entry + 1]) << 8)
            }
        }
        switch content(bytes, of: page) {
        case .leaf(let count) where level == depth:
            leaves.rows += UInt64(count)
            for index in 0..<count { row(bytes, node(index)) }
        case .branch(let count) where level < depth:
            for index in 0..<count { descend(node(index).child, level + 1, depth, &leaves, row) }
        default: leaves.broken += 1
        }
    }
}
