extension PageMap {
    /// Checks that the nodes of a page leave no gaps between them, and that their keys ascend.
    ///
    /// LMDB fills a page with nodes from the end of its free space on, so a changed count, offset
    /// or size changes the sum of the node sizes.
    ///
    /// - Parameters:
    ///   - first: the smallest key that the page may have; `nil` for no limit.
    ///   - end: a key that is greater than all keys of the page; `nil` for no limit.
    func checkNodes(
        _ page: UnsafeRawPointer, _ count: Int, isLeaf: Bool, hasIntegerKeys: Bool,
        from first: UnsafeRawBufferPointer? = nil, to end: UnsafeRawBufferPointer? = nil
    ) throws(LMDBError) {
        try hasIntegerKeys
            ? checkNodes(page, count, isLeaf: isLeaf, first, end, IntegerOrder.self)
            : checkNodes(page, count, isLeaf: isLeaf, first, end, ByteOrder.self)
    }

    /// Checks that the nodes of a page lie within it and leave no gaps between them, but not their
    /// keys.
    ///
    /// - Returns: the flags that any node of a leaf has; 0 for a branch.
    func checkNodeBounds(
        _ page: UnsafeRawPointer, _ count: Int, isLeaf: Bool
    ) throws(LMDBError) -> UInt16 {
        let upper = Int(page.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
        var sum = 0
        var flags: UInt16 = 0
        for index in 0..<count {
            let (node, rest) = try node(page, index)
            let (size, _) = sizes(of: node, isLeaf: isLeaf)
            guard pageSize - rest >= upper, size <= rest else { throw .corrupted }
            sum += size
            flags |= node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        }
        guard sum == pageSize - upper else { throw .corrupted }
        return isLeaf ? flags : 0
    }

    /// Checks the nodes of a page whose keys are in `order`; generic, so that the compiler
    /// specialises the comparison.
    @inline(__always)
    private func checkNodes(
        _ page: UnsafeRawPointer, _ count: Int, isLeaf: Bool,
        _ first: UnsafeRawBufferPointer?, _ end: UnsafeRawBufferPointer?,
        _ order: (some KeyOrder).Type
    ) throws(LMDBError) {
        let upper = Int(page.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
        let lastOffset = pageSize - PageFormat.nodeHeaderBytes
        // The first key of a branch covers all smaller ones.
        let firstKey = isLeaf ? 0 : 1
        var sum = 0
        var previous = first
        for index in 0..<count {
            let entry = PageFormat.headerBytes &+ 2 &* index
            let offset = Int(page.loadUnaligned(fromByteOffset: entry, as: UInt16.self))
            // The offsets end at or before `upper`, as `nodeCount` has checked.
            guard offset >= upper, offset <= lastOffset else { throw .corrupted }
            let node = page + offset
            let (size, keyByteCount) = sizes(of: node, isLeaf: isLeaf)
            guard size <= pageSize &- offset else { throw .corrupted }
            sum &+= size
            guard index >= firstKey else { continue }
            let key = UnsafeRawBufferPointer(
                start: node + PageFormat.nodeHeaderBytes, count: keyByteCount)
            guard order.isKey(key) else { throw .corrupted }
            if let previous {
                let order = order.compare(previous, key)
                // A leaf may begin with the very key that the branch names.
                guard order < 0 || (order == 0 && index == firstKey) else { throw .corrupted }
            }
            previous = key
        }
        guard sum == pageSize - upper else { throw .corrupted }
        if let previous, let end, order.compare(previous, end) >= 0 { throw .corrupted }
    }

    /// Returns the numbers of bytes of a node and of its key, as its header states them.
    @inline(__always)
    private func sizes(of node: UnsafeRawPointer, isLeaf: Bool) -> (node: Int, key: Int) {
        // The size of the data, the flags and the size of the key.
        let header = node.loadUnaligned(as: UInt64.self)
        let key = Int(truncatingIfNeeded: header >> 48)
        var size = PageFormat.nodeHeaderBytes &+ key
        if isLeaf {
            let isLarge = UInt16(truncatingIfNeeded: header >> 32) & PageFormat.largeFlag != 0
            size &+= isLarge ? 8 : Int(truncatingIfNeeded: header & 0xFFFF_FFFF)
        }
        return ((size &+ 1) & ~1, key)
    }
}
