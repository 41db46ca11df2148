extension PageFile {
    /// The readable meta pages.
    public struct State {
        let meta: MetaPage
        /// Both meta pages are whole and follow one another, so that this is the newest state.
        public let isTrusted: Bool
    }

    /// The newest state that a meta page names; `nil` where neither can be read.
    public func state() -> State? {
        let metas = [0, 1].compactMap { page in
            read(page, max(pageSize, MetaPage.byteCount)).withUnsafeBytes { bytes in
                bytes.baseAddress.flatMap { MetaPage(at: $0) }
            }
        }.filter { $0.pageSize == pageSize }
        guard let newest = metas.max(by: { $0.transaction < $1.transaction }) else { return nil }
        let isTrusted = metas.count == 2 && MetaPage.areConsecutive(metas[0], metas[1])
        return State(meta: newest, isTrusted: isTrusted)
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
