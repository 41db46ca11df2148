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
            let size = byteCount(of: node, isLeaf: isLeaf)
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
        // The first key of a branch covers all smaller ones.
        let firstKey = isLeaf ? 0 : 1
        var sum = 0
        var previous = first
        for index in 0..<count {
            let (node, rest) = try node(page, index)
            let size = byteCount(of: node, isLeaf: isLeaf)
            guard pageSize - rest >= upper, size <= rest else { throw .corrupted }
            sum += size
            guard index >= firstKey else { continue }
            let key = key(of: node)
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

    @inline(__always)
    private func byteCount(of node: UnsafeRawPointer, isLeaf: Bool) -> Int {
        let flags = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        var size =
            PageFormat.nodeHeaderBytes + Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        if isLeaf {
            let isLarge = flags & PageFormat.largeFlag != 0
            size += isLarge ? 8 : Int(node.loadUnaligned(as: UInt32.self))
        }
        return (size + 1) & ~1
    }

    /// Returns the key of a node whose size has been checked.
    @inline(__always)
    private func key(of node: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: node + PageFormat.nodeHeaderBytes,
            count: Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self)))
    }
}
