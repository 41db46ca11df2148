/// A map for many entries, whose comparison skips the entries that two versions share.
///
/// Entries are stored in chunks, in the order of their keys' UTF-8. Versions of a map share chunks
/// in the same way as versions of a `Series`. The binary form and the JSON are those of a
/// dictionary.
public struct Keyed<Value: FieldValue>: Equatable, Sendable {
    @usableFromInline struct Entry: Equatable, Sendable {
        @usableFromInline var key: String
        @usableFromInline var value: Value

        @inlinable init(_ key: String, _ value: Value) { (self.key, self.value) = (key, value) }
    }

    /// Chunks of entries, sorted by the UTF-8 of their keys; no chunk is empty.
    @usableFromInline var chunks: [[Entry]] = []
    /// The number of entries.
    public private(set) var count = 0

    /// The largest number of entries in a chunk.
    @inlinable static var chunkCapacity: Int { 128 }

    /// Creates an empty map.
    public init() {}

    public static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && (a.isShared(with: b) || a.elementsEqual(b, by: ==))
    }

    /// True if the map has no entries.
    public var isEmpty: Bool { count == 0 }

    /// The values in the order of their keys.
    public var values: some Sequence<Value> { lazy.map(\.value) }

    /// The value of a key; `nil` if the map lacks the key. Setting `nil` removes the entry.
    public subscript(key: String) -> Value? {
        get {
            let place = place(of: key)
            return place.isFound ? chunks[place.chunk][place.offset].value : nil
        }
        set {
            let place = place(of: key)
            switch (newValue, place.isFound) {
            case (let value?, true): chunks[place.chunk][place.offset].value = value
            case (let value?, false): insert(Entry(key, value), at: place.chunk, place.offset)
            case (nil, true): remove(at: place.chunk, place.offset)
            case (nil, false): break
            }
        }
    }

    /// The value of a key, for changes in place; the default value if the map lacks the key.
    public subscript(key: String, default value: @autoclosure () -> Value) -> Value {
        get { self[key] ?? value() }
        set { self[key] = newValue }
    }

    /// Sets the value of a key and returns the earlier value; `nil` if the map lacked the key.
    public mutating func updateValue(_ value: Value, forKey key: String) -> Value? {
        let before = self[key]
        self[key] = value
        return before
    }

    /// Returns the place of a key's entry or, if there is none, the place to insert one.
    private func place(of key: String) -> (chunk: Int, offset: Int, isFound: Bool) {
        guard !chunks.isEmpty else { return (0, 0, false) }
        // The last chunk whose first key is not greater.
        let behind = chunks.indices.partitionIndex { key.precedesByBytes(chunks[$0][0].key) }
        let chunk = Swift.max(0, behind - 1)
        let entries = chunks[chunk]
        let offset = entries.indices.partitionIndex { !entries[$0].key.precedesByBytes(key) }
        return (chunk, offset, offset < entries.count && entries[offset].key.hasEqualBytes(to: key))
    }

    /// Inserts an entry into a chunk, and splits the chunk if it becomes too long.
    private mutating func insert(_ entry: Entry, at chunk: Int, _ offset: Int) {
        count += 1
        guard !chunks.isEmpty else {
            chunks = [[entry]]
            return
        }
        // A new chunk instead of a split, so that keys inserted in ascending order fill each chunk.
        if chunk == chunks.count - 1, offset == Self.chunkCapacity {
            chunks.append([entry])
            return
        }
        chunks[chunk].insert(entry, at: offset)
        guard chunks[chunk].count > Self.chunkCapacity else { return }
        let half = chunks[chunk].count / 2
        let behind = Array(chunks[chunk][half...])
        chunks[chunk].removeSubrange(half...)
        chunks.insert(behind, at: chunk + 1)
    }

    /// Removes an entry, and its chunk if it becomes empty.
    private mutating func remove(at chunk: Int, _ offset: Int) {
        count -= 1
        chunks[chunk].remove(at: offset)
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    }
}

extension String {
    /// True if both texts have the same UTF-8; `==` ignores the normalisation form.
    fileprivate func hasEqualBytes(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Keyed: Sequence {
    public func makeIterator() -> AnyIterator<(key: String, value: Value)> {
        var (chunk, offset) = (0, 0)
        return AnyIterator { [chunks] in
            guard chunk < chunks.count else { return nil }
            let entry = chunks[chunk][offset]
            offset += 1
            if offset == chunks[chunk].count { (chunk, offset) = (chunk + 1, 0) }
            return (entry.key, entry.value)
        }
    }
}

extension Keyed: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) {
        for (key, value) in elements { self[key] = value }
    }

    /// Creates a map with the entries of a dictionary.
    public init(_ map: [String: Value]) {
        for (key, value) in map.sortedByKeyBytes() {
            insert(Entry(key, value), at: Swift.max(0, chunks.count - 1), chunks.last?.count ?? 0)
        }
    }
}

extension Keyed: FieldValue {
    public static var blank: Self { Self() }
    public static var absent: Self? { Self() }
    public static var isScalar: Bool { false }
    /// The allowed values of each value of the map.
    public static var limit: Limit { Value.limit }

    @inlinable public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Self
    ) throws(Visitor.Failure) {
        guard !value.isEmpty else {
            var map: [String: Value] = [:]
            try visitor.map(&map)
            if !map.isEmpty { value = Self(map) }
            return
        }
        var before: [String: Value] = Dictionary(minimumCapacity: value.count)
        for entries in value.chunks {
            for entry in entries { before[entry.key] = entry.value }
        }
        var map = before
        try visitor.map(&map)
        // A visitor that only reads does not change the map, which then keeps its shared chunks.
        if map != before { value = Self(map) }
    }
}

extension Keyed: SharedParts {
    public var sharedParts: (any SharedParts)? { self }

    public func isShared(with other: Self) -> Bool {
        chunks.count == other.chunks.count
            && zip(chunks, other.chunks).allSatisfy { $0.isShared(with: $1) }
    }

    public func isLonger(than byteCount: Int) -> Bool {
        var writer = BinaryWriter()
        for entry in self {
            var value = entry.value
            Value.visit(&writer, &value)
            if writer.buffer.count > byteCount { return true }
        }
        return false
    }
}

extension Keyed: ComparedParts {
    package static func changes(
        from before: Self, to after: Self, path: String, _ redaction: Redaction?
    ) -> [FieldChange] {
        let (old, new) = unsharedEntries(before, after)
        var changes: [FieldChange] = []
        var gone: [FieldChange] = []
        func compare(_ key: String, _ old: Value?, _ new: Value?) {
            guard old != new else { return }
            let element = "\(path).\(redaction?.shown(key) ?? key)"
            let found = FieldChange.between(
                old.map { FlatFields.of($0, path: element, redaction) } ?? [],
                new.map { FlatFields.of($0, path: element, redaction) } ?? [])
            for change in found {
                if change.after == nil { gone.append(change) } else { changes.append(change) }
            }
        }
        var (from, to) = (old[...], new[...])
        while !from.isEmpty || !to.isEmpty {
            let takesOld = from.first.map { old in
                to.first.map { !$0.key.precedesByBytes(old.key) } ?? true
            }
            let takesNew = to.first.map { new in
                from.first.map { !$0.key.precedesByBytes(new.key) } ?? true
            }
            let was = takesOld == true ? from.popFirst() : nil
            let isNow = takesNew == true ? to.popFirst() : nil
            compare(isNow?.key ?? was?.key ?? "", was?.value, isNow?.value)
        }
        return changes + gone
    }

    /// Returns the entries of both versions without the chunks shared at the start and end.
    private static func unsharedEntries(
        _ before: Self, _ after: Self
    ) -> (old: [Entry], new: [Entry]) {
        let first = zip(before.chunks, after.chunks).prefix { $0.isShared(with: $1) }.count
        let (old, new) = (before.chunks[first...], after.chunks[first...])
        let behind = zip(old.reversed(), new.reversed()).prefix { $0.isShared(with: $1) }.count
        return (Array(old.dropLast(behind).joined()), Array(new.dropLast(behind).joined()))
    }
}
