extension Series: SharedParts {
    @inlinable public var sharedParts: (any SharedParts)? { self }

    @inlinable
    public func isShared(with other: Self) -> Bool {
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
    @inlinable
    func unsharedIndices(with other: Self) -> Range<Int> {
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
        after.unsharedIndices(with: before).flatMap { index -> [FieldChange] in
            let old = index < before.count ? before[index] : nil
            let new = index < after.count ? after[index] : nil
            guard old != new else { return [] }
            let element = "\(path)[\(index)]"
            return FieldChange.between(
                old.map { FlatFields.of($0, path: element, redaction) } ?? [],
                new.map { FlatFields.of($0, path: element, redaction) } ?? [])
        }
    }
}
