/// A comparison of a state with an earlier one, field by field, that reports only differences.
///
/// Fields are compared in their binary form; paths and JSON are made of those alone that differ,
/// which are few. Keep one for many comparisons: it keeps its buffers. No state is changed by it;
/// they are `inout` as the visitors want them.
public struct FieldComparison: Sendable {
    @usableFromInline var visitor = ChangeWriter()
    @usableFromInline var after = FieldSlices()

    public init() {}

    /// The leaves that differ, in the order of the fields, those that are gone last.
    ///
    /// - Parameter before: of the state as it was; then as it is.
    @inlinable
    mutating func changes<State: Record>(
        from before: inout FieldSlices, to state: inout State
    ) -> [FieldChange] {
        guard begin(&before, &state) else { return [] }
        state.fields(&visitor.collector)
        end(&before)
        return visitor.collector.consumeChanges() + visitor.collector.consumeGone()
    }

    /// Writes differing fields as members, and returns the leaves that are gone. A written member
    /// replaces everything beneath it.
    ///
    /// - Parameter before: slices of the earlier state; on return, those of the present one.
    @inlinable
    mutating func write<State: Record>(
        from before: inout FieldSlices, to state: inout State, _ writer: inout JSONWriter
    ) -> [FieldChange] {
        guard begin(&before, &state) else { return [] }
        swap(&visitor.writer, &writer)
        state.fields(&visitor)
        swap(&visitor.writer, &writer)
        end(&before)
        return visitor.collector.consumeGone()
    }

    /// Gives the visitors both sides, by swapping: nothing is copied or counted. `false` where the
    /// sides are equal.
    @inlinable
    mutating func begin<State: Record>(_ before: inout FieldSlices, _ state: inout State) -> Bool {
        after.encode(&state)
        guard !before.isSame(as: after) else { return false }
        swap(&visitor.collector.before, &before)
        swap(&visitor.collector.after, &after)
        visitor.collector.index = 0
        return true
    }

    @inlinable
    mutating func end(_ before: inout FieldSlices) {
        swap(&visitor.collector.after, &before)
    }
}

/// The binary form of a record's shown fields, with the end of each.
@usableFromInline
struct FieldSlices: FieldListVisitor, Sendable {
    @usableFromInline var writer = BinaryWriter()
    @usableFromInline var ends: [Int] = []
    /// Large values that share parts with those before and after them, in place of their bytes.
    @usableFromInline var shared: [(field: Int, value: any SharedParts)] = []
    /// Bytes of a field, in its binary form, up to which it is written whole.
    @usableFromInline static var smallField: Int { 256 }
    /// Parts up to which a value is compared as bytes.
    @usableFromInline static var fewParts: Int { 16 }

    @inlinable init() {}

    @inlinable
    mutating func encode<State: Record>(_ state: inout State) {
        writer.clear()
        ends.removeAll(keepingCapacity: true)
        shared.removeAll(keepingCapacity: true)
        state.fields(&self)
    }

    @inlinable
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        if let parts = value.sharedParts, parts.count > Self.fewParts {
            shared.append((ends.count, parts))
        } else {
            Value.visit(&writer, &value)
        }
        ends.append(writer.buffer.count)
    }

    @inlinable
    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    @inlinable
    func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    @inlinable
    func isSame(as other: FieldSlices) -> Bool {
        guard writer.buffer == other.writer.buffer else { return false }
        return shared.isEmpty && other.shared.isEmpty
    }

    /// The value of a field that is not kept as bytes.
    func sharedParts(_ field: Int) -> (any SharedParts)? {
        shared.first { $0.field == field }?.value
    }

    /// `true` if the value of a field fits in `count` bytes.
    @usableFromInline
    func fits(_ field: Int, in count: Int) -> Bool {
        guard let parts = sharedParts(field) else { return range(field).count <= count }
        return parts.fits(in: count)
    }

    /// `true` where a field has the same bytes in both.
    func isSame(_ field: Int, as other: FieldSlices) -> Bool { bytes(field) == other.bytes(field) }

    private func bytes(_ field: Int) -> [UInt8] {
        sharedParts(field).map { $0.bytes } ?? Array(writer.buffer[range(field)])
    }

    /// `nil` where both have the bytes of a field; otherwise whether its values may differ.
    @usableFromInline
    func mayDiffer(in field: Int, from other: FieldSlices) -> Bool? {
        switch (sharedParts(field), other.sharedParts(field)) {
        case (nil, nil): nil
        case (let own?, let other?) where own.isSharedAny(with: other): false
        // A small value is written whole, which one that was set to itself must not be.
        case _ where fits(field, in: Self.smallField) && other.fits(field, in: Self.smallField):
            !isSame(field, as: other)
        default: true
        }
    }
}

/// Collects what differs between the fields of two states of one type.
@usableFromInline
struct ChangeCollector: FieldListVisitor, Sendable {
    @usableFromInline var before = FieldSlices()
    @usableFromInline var after = FieldSlices()
    @usableFromInline var index = 0
    @usableFromInline var changes: [FieldChange] = []
    @usableFromInline var gone: [FieldChange] = []

    @usableFromInline init() {}

    /// Compares the next field and returns `true` if it differs.
    @inlinable
    mutating func next() -> Bool {
        let (old, new) = (before.range(index), after.range(index))
        index += 1
        if hasShared, let mayDiffer = before.mayDiffer(in: index - 1, from: after) {
            return mayDiffer
        }
        guard old.count == new.count else { return true }
        let oldBytes = before.writer.buffer.contents.extracting(old)
        let newBytes = after.writer.buffer.contents.extracting(new)
        for offset in oldBytes.indices where oldBytes[offset] != newBytes[offset] { return true }
        return false
    }

    /// `true` if both values of the field last compared are small.
    @inlinable
    var isSmall: Bool {
        before.fits(index - 1, in: FieldSlices.smallField)
            && after.fits(index - 1, in: FieldSlices.smallField)
    }

    @inlinable
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        if next() { collect(name, value) }
    }

    @inlinable
    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    /// Compares the leaves of the field that `next` was about.
    @inlinable
    mutating func collect<Value: FieldValue>(_ name: String, _ value: Value) {
        for change in differences(name, value) {
            if change.after == nil { gone.append(change) } else { changes.append(change) }
        }
    }

    @inlinable
    func differences<Value: FieldValue>(_ name: String, _ value: Value) -> [FieldChange] {
        if hasShared, let changes = sharedDifferences(name, value) { return changes }
        return FieldChange.between(
            FlatFields.of(former(Value.self), path: name), FlatFields.of(value, path: name))
    }

    /// The value before of the field that `next` was about.
    @usableFromInline
    func former<Value: FieldValue>(_ type: Value.Type) -> Value {
        // Not in one cast: of nothing to an optional value, that would give a value.
        if let parts = before.sharedParts(index - 1), let kept = parts as? Value { return kept }
        // Bytes that were just written are readable.
        let bytes = Array(before.writer.buffer[before.range(index - 1)])
        return (try? BinaryReader.read(Value.self, from: bytes)) ?? Value.blank
    }

    /// The differences of a value whose versions share parts; `nil` for any other.
    @usableFromInline
    func sharedDifferences<Value: FieldValue>(
        _ name: String, _ value: Value
    ) -> [FieldChange]? {
        func changes<Parts: SharedParts>(to new: Parts) -> [FieldChange]? {
            guard let old = former(Value.self) as? Parts, old.count > 0, new.count > 0 else {
                return nil
            }
            return Parts.changes(from: old, to: new, path: name)
        }
        return value.sharedParts.flatMap { changes(to: $0) }
    }

    @inlinable var hasShared: Bool { !before.shared.isEmpty || !after.shared.isEmpty }

    @inlinable
    mutating func consumeChanges() -> [FieldChange] {
        guard !changes.isEmpty else { return [] }
        defer { changes = [] }
        return changes
    }

    @inlinable
    mutating func consumeGone() -> [FieldChange] {
        guard !gone.isEmpty else { return [] }
        defer { gone = [] }
        return gone
    }
}

/// Writes what differs: a field that is small as a whole, of a large one the leaves.
@usableFromInline
struct ChangeWriter: FieldListVisitor, Sendable {
    @usableFromInline var collector = ChangeCollector()
    @usableFromInline var writer = JSONWriter()

    @usableFromInline init() {}

    @inlinable
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        guard collector.next() else { return }
        guard Value.isScalar || collector.isSmall else {
            collector.collect(name, value)
            for change in collector.consumeChanges() {
                writer.name(change.path)
                writer.raw(change.after ?? "null")
            }
            return
        }
        writer.name(name)
        Value.visit(&writer, &value)
    }

    @inlinable
    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}
}
