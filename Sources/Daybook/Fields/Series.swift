/// A list for many elements, of which two versions can be compared quickly.
///
/// The elements are stored in chunks. Two versions of a list share the memory of unchanged chunks,
/// so a comparison skips these chunks. The binary form and the JSON are those of an array.
public struct Series<Element: FieldValue>: Equatable, Sendable {
    /// The elements in order, divided into chunks; no chunk is empty.
    @usableFromInline var chunks: [[Element]] = []
    /// For each chunk, the index in the list after the chunk's last element.
    @usableFromInline var ends: [Int] = []

    /// The largest number of elements in a chunk: a change copies one, and a comparison visits all.
    @usableFromInline static var chunkCapacity: Int { 128 }

    /// Creates an empty list.
    @inlinable public init() {}

    @inlinable public static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && (a.isShared(with: b) || a.elementsEqual(b))
    }

    /// Returns the index of the chunk that contains the element at `index`.
    @inlinable func chunkIndex(of index: Int) -> Int {
        if index >= ends.dropLast().last ?? 0 { return Swift.max(0, ends.count - 1) }
        return ends.indices.partitionIndex { ends[$0] > index }
    }

    /// Returns the index in the list of the first element of a chunk.
    @inlinable func start(of chunk: Int) -> Int { chunk == 0 ? 0 : ends[chunk - 1] }

    /// Recomputes `ends` for a chunk and all chunks after it.
    @inlinable mutating func updateEnds(from chunk: Int) {
        ends.removeSubrange(chunk...)
        var end = ends.last ?? 0
        for chunk in chunks[chunk...] {
            end += chunk.count
            ends.append(end)
        }
    }
}

extension Series: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    @inlinable public var startIndex: Int { 0 }
    @inlinable public var endIndex: Int { ends.last ?? 0 }
    @inlinable public var count: Int { endIndex }

    @inlinable public subscript(index: Int) -> Element {
        get {
            let chunk = chunkIndex(of: index)
            return chunks[chunk][index - start(of: chunk)]
        }
        set {
            let chunk = chunkIndex(of: index)
            chunks[chunk][index - start(of: chunk)] = newValue
        }
    }

    /// An iterator over the elements, chunk by chunk.
    @usableFromInline struct ElementIterator: IteratorProtocol {
        @usableFromInline let chunks: [[Element]]
        /// Index of the chunk that contains the next element.
        @usableFromInline var chunkIndex = 0
        /// Index of the next element within its chunk.
        @usableFromInline var offset = 0

        @inlinable init(_ chunks: [[Element]]) { self.chunks = chunks }

        @inlinable mutating func next() -> Element? {
            guard chunkIndex < chunks.count else { return nil }
            defer {
                offset += 1
                if offset == chunks[chunkIndex].count { (chunkIndex, offset) = (chunkIndex + 1, 0) }
            }
            return chunks[chunkIndex][offset]
        }
    }

    @inlinable
    public func makeIterator() -> some IteratorProtocol<Element> { ElementIterator(chunks) }

    @inlinable public mutating func append(_ element: Element) {
        if let last = chunks.indices.last, chunks[last].count < Self.chunkCapacity {
            chunks[last].append(element)
            ends[last] += 1
        } else {
            chunks.append([element])
            ends.append(endIndex + 1)
        }
    }

    @inlinable public mutating func replaceSubrange<New: Collection>(
        _ range: Range<Int>, with new: New
    ) where New.Element == Element {
        guard range.lowerBound < endIndex else {
            for element in new { append(element) }
            return
        }
        let first = chunkIndex(of: range.lowerBound)
        let last = range.isEmpty ? first : chunkIndex(of: range.upperBound - 1)
        let (from, to) = (range.lowerBound - start(of: first), range.upperBound - start(of: last))
        if first == last {
            chunks[first].replaceSubrange(from..<to, with: new)
        } else {
            let rest = chunks[last][to...]
            chunks[first].removeSubrange(from...)
            chunks[first].append(contentsOf: new)
            chunks[first].append(contentsOf: rest)
            chunks.removeSubrange(first + 1...last)
        }
        splitOrRemove(first)
        updateEnds(from: first)
    }

    /// Splits a chunk of more than `chunkCapacity` elements, or removes it if it is empty.
    @inlinable mutating func splitOrRemove(_ chunk: Int) {
        let elements = chunks[chunk]
        guard elements.isEmpty || elements.count > Self.chunkCapacity else { return }
        let half = Self.chunkCapacity / 2
        let parts = stride(from: 0, to: elements.count, by: half).map {
            Array(elements[$0..<Swift.min($0 + half, elements.count)])
        }
        chunks.replaceSubrange(chunk...chunk, with: parts)
    }

    /// Returns the index of the first element that meets a condition; `nil` if none does.
    @inlinable public func firstIndex(where condition: (Element) throws -> Bool) rethrows -> Int? {
        for chunk in chunks.indices {
            if let offset = try chunks[chunk].firstIndex(where: condition) {
                return start(of: chunk) + offset
            }
        }
        return nil
    }

    /// Removes the elements that meet a condition; chunks without such elements stay shared.
    @inlinable public mutating func removeAll(where condition: (Element) throws -> Bool) rethrows {
        var first: Int?
        for chunk in chunks.indices where try chunks[chunk].contains(where: condition) {
            try chunks[chunk].removeAll(where: condition)
            first = first ?? chunk
        }
        guard let first else { return }
        chunks.removeAll { $0.isEmpty }
        updateEnds(from: Swift.min(first, chunks.count))
    }
}

extension Series: ExpressibleByArrayLiteral {
    @inlinable public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension Series: FieldValue {
    @inlinable public static var blank: Self { Self() }
    /// An empty list: an input may omit the field.
    @inlinable public static var absent: Self? { Self() }
    @inlinable public static var isScalar: Bool { false }
    /// The limit of each element.
    public static var limit: Limit { Element.limit }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Self
    ) throws(Visitor.Failure) {
        var elements = Array(value)
        let before = elements
        try visitor.list(&elements)
        // A visitor that only reads does not change the list, which then keeps its shared chunks.
        if !elements.isShared(with: before) { value = Self(elements) }
    }
}

extension Array {
    /// True if both arrays use the same memory; as each copies it before a change, they are equal.
    @inlinable func isShared(with other: [Element]) -> Bool {
        unsafe withUnsafeBufferPointer { own in
            unsafe other.withUnsafeBufferPointer { other in
                unsafe own.baseAddress == other.baseAddress && own.count == other.count
            }
        }
    }
}
