extension Series: SharedParts {
    @inlinable public var sharedParts: (any SharedParts)? { self }

    @inlinable public func isShared(with other: Self) -> Bool {
        chunks.count == other.chunks.count
            && zip(chunks, other.chunks).allSatisfy { $0.isShared(with: $1) }
    }

    public func isLonger(than byteCount: Int) -> Bool {
        var writer = BinaryWriter()
        for var element in self {
            Element.visit(&writer, &element)
            if writer.buffer.count > byteCount { return true }
        }
        return false
    }

    /// Returns the indices at which two versions may differ, up to the end of the longer version.
    @inlinable func unsharedIndices(with other: Self) -> Range<Int> {
        let sharedChunks = zip(chunks, other.chunks).prefix { $0.isShared(with: $1) }.count
        let first = start(of: sharedChunks)
        // After an inserted or removed element, all elements have different indices.
        guard count == other.count else { return first..<Swift.max(count, other.count) }
        let (own, others) = (chunks[sharedChunks...], other.chunks[sharedChunks...])
        let behind = zip(own.reversed(), others.reversed())
            .prefix { $0.isShared(with: $1) }.reduce(0) { $0 + $1.0.count }
        return first..<count - behind
    }
}

extension Series: ComparedParts {
    package static func changes(
        from before: Self, to after: Self, path: String, _ redaction: Redaction?
    ) -> [FieldChange] {
        // Read from arrays, because a generic collection costs more than a comparison of elements.
        let indices = after.unsharedIndices(with: before)
        let (old, new) = (before.elements(at: indices), after.elements(at: indices))
        var changes: [FieldChange] = []
        for offset in 0..<Swift.max(old.count, new.count) {
            let (isOld, isNew) = (offset < old.count, offset < new.count)
            if isOld, isNew, old[offset] == new[offset] { continue }
            let element = "\(path)[\(indices.lowerBound + offset)]"
            changes += FieldChange.between(
                isOld ? FlatFields.of(old[offset], path: element, redaction) : [],
                isNew ? FlatFields.of(new[offset], path: element, redaction) : [])
        }
        return changes
    }

    /// Returns the elements at those of the given indices that the list has.
    private func elements(at indices: Range<Int>) -> [Element] {
        let range = indices.clamped(to: 0..<endIndex)
        guard !range.isEmpty else { return [] }
        let first = chunkIndex(of: range.lowerBound)
        let last = chunkIndex(of: range.upperBound - 1)
        let start = start(of: first)
        let own = first == last ? chunks[first] : Array(chunks[first...last].joined())
        return Array(own[range.lowerBound - start..<range.upperBound - start])
    }
}
