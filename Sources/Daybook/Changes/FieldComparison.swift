/// A field-by-field comparison of a state with an earlier state, which finds only differences.
///
/// Fields are compared in their binary form. Paths and JSON are created only for the fields that
/// differ, which are few. Reuse a comparison for many states, because it keeps its buffers. It does
/// not change the states, which are `inout` because field visitors require it.
public struct FieldComparison: Sendable {
    /// The visitor that collects and writes the differences.
    @usableFromInline var visitor = ChangeWriter()
    /// Encoded fields of the present state.
    @usableFromInline var after = FieldSlices()

    /// Creates a comparison with empty buffers.
    public init() {}

    /// Returns the leaves (single values) that differ, in the order of the fields.
    ///
    /// Removed leaves come last.
    ///
    /// - Parameter before: slices of the earlier state; on return, slices of the present state.
    @inlinable
    mutating func changes<State: Record>(
        from before: inout FieldSlices, to state: inout State
    ) -> [FieldChange] {
        guard begin(&before, &state) else { return [] }
        state.fields(&visitor.collector)
        end(&before)
        return visitor.collector.drainChanges() + visitor.collector.drainRemoved()
    }

    /// Writes differing fields as members of an object, and returns the removed leaves.
    ///
    /// The name of a member is a path. Its value replaces the earlier value at the path, with all
    /// parts.
    ///
    /// - Parameter before: slices of the earlier state; on return, slices of the present state.
    @inlinable
    mutating func write<State: Record>(
        from before: inout FieldSlices, to state: inout State, _ writer: inout JSONWriter
    ) -> [FieldChange] {
        guard begin(&before, &state) else { return [] }
        swap(&visitor.writer, &writer)
        state.fields(&visitor)
        swap(&visitor.writer, &writer)
        end(&before)
        return visitor.collector.drainRemoved()
    }

    /// Swaps both states' slices into the visitors; returns false if the slices are equal.
    ///
    /// Swapping neither copies the slices nor counts references.
    @inlinable
    mutating func begin<State: Record>(_ before: inout FieldSlices, _ state: inout State) -> Bool {
        after.encode(&state)
        guard !before.isSame(as: after) else { return false }
        swap(&visitor.collector.before, &before)
        swap(&visitor.collector.after, &after)
        visitor.collector.index = 0
        return true
    }

    /// Swaps the slices of the present state into `before`, for the next comparison.
    @inlinable
    mutating func end(_ before: inout FieldSlices) {
        swap(&visitor.collector.after, &before)
    }
}

/// The binary form of a record's fields, without internal fields, and the end of each field.
@usableFromInline
struct FieldSlices: FieldListVisitor, Sendable {
    /// The writer with the bytes of all fields.
    @usableFromInline var writer = BinaryWriter()
    /// The number of bytes up to the end of each field.
    @usableFromInline var ends: [Int] = []
    /// Large values whose versions share parts, kept instead of their bytes.
    @usableFromInline var shared: [(field: Int, value: any SharedParts)] = []
    /// The largest binary form, in bytes, of a field that is written whole if it differs.
    @usableFromInline static var smallFieldByteCount: Int { 256 }
    /// The largest number of parts of a `SharedParts` value that is compared as bytes.
    @usableFromInline static var smallPartCount: Int { 16 }

    @inlinable init() {}

    /// Encodes the fields of a state, in place of those of an earlier state.
    @inlinable
    mutating func encode<State: Record>(_ state: inout State) {
        writer.clear()
        ends.removeAll(keepingCapacity: true)
        shared.removeAll(keepingCapacity: true)
        state.fields(&self)
    }

    @inlinable
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        if let parts = value.sharedParts, parts.count > Self.smallPartCount {
            shared.append((ends.count, parts))
        } else {
            Value.visit(&writer, &value)
        }
        ends.append(writer.buffer.count)
    }

    @inlinable
    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    /// Returns the range of a field's bytes.
    @inlinable
    func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    /// True if both states have equal bytes, and no values that are kept instead of their bytes.
    @inlinable
    func isSame(as other: FieldSlices) -> Bool {
        guard writer.buffer == other.writer.buffer else { return false }
        return shared.isEmpty && other.shared.isEmpty
    }

    /// Returns the value of a field that is kept as a value; `nil` if it is kept as bytes.
    func sharedParts(_ field: Int) -> (any SharedParts)? {
        shared.first { $0.field == field }?.value
    }

    /// True if the value of a field fits in `count` bytes.
    @usableFromInline
    func fits(_ field: Int, in count: Int) -> Bool {
        guard let parts = sharedParts(field) else { return range(field).count <= count }
        return parts.fits(in: count)
    }

    /// True if a field has the same bytes in both states.
    func isSame(_ field: Int, as other: FieldSlices) -> Bool { bytes(field) == other.bytes(field) }

    /// Returns the binary form of a field.
    private func bytes(_ field: Int) -> [UInt8] {
        sharedParts(field).map { $0.bytes } ?? Array(writer.buffer[range(field)])
    }

    /// True if the values of a field may differ; `nil` if both states keep the field as bytes.
    @usableFromInline
    func mayDiffer(in field: Int, from other: FieldSlices) -> Bool? {
        switch (sharedParts(field), other.sharedParts(field)) {
        case (nil, nil): nil
        case (let own?, let other?) where own.isSharedAny(with: other): false
        // A small field is written whole, so its bytes are compared: a value that was replaced by
        // an equal value must not be written.
        case _
        where fits(field, in: Self.smallFieldByteCount)
            && other.fits(field, in: Self.smallFieldByteCount):
            !isSame(field, as: other)
        default: true
        }
    }
}

/// A visitor that collects the differences between two states of one type.
@usableFromInline
struct ChangeCollector: FieldListVisitor, Sendable {
    /// Encoded fields of the earlier state.
    @usableFromInline var before = FieldSlices()
    /// Encoded fields of the later state.
    @usableFromInline var after = FieldSlices()
    /// The index of the field to compare next.
    @usableFromInline var index = 0
    /// The changed and added leaves found so far.
    @usableFromInline var changes: [FieldChange] = []
    /// The removed leaves found so far.
    @usableFromInline var removed: [FieldChange] = []

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

    /// True if both values of the field last compared are small.
    @inlinable
    var isSmall: Bool {
        before.fits(index - 1, in: FieldSlices.smallFieldByteCount)
            && after.fits(index - 1, in: FieldSlices.smallFieldByteCount)
    }

    @inlinable
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        if next() { collect(name, value) }
    }

    @inlinable
    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    /// Collects the differing leaves of the field last compared.
    @inlinable
    mutating func collect<Value: FieldValue>(_ name: String, _ value: Value) {
        for change in differences(name, value) {
            if change.after == nil { removed.append(change) } else { changes.append(change) }
        }
    }

    /// Returns the differing leaves of the field last compared.
    @inlinable
    func differences<Value: FieldValue>(_ name: String, _ value: Value) -> [FieldChange] {
        if hasShared, let changes = sharedDifferences(name, value) { return changes }
        return FieldChange.between(
            FlatFields.of(earlierValue(Value.self), path: name), FlatFields.of(value, path: name))
    }

    /// Returns the earlier value of the field last compared.
    @usableFromInline
    func earlierValue<Value: FieldValue>(_ type: Value.Type) -> Value {
        // Unwrapped before the cast, because `nil` can be cast to any optional type.
        if let parts = before.sharedParts(index - 1), let kept = parts as? Value { return kept }
        // A `BinaryWriter` wrote these bytes, so they can be read.
        let bytes = Array(before.writer.buffer[before.range(index - 1)])
        return (try? BinaryReader.read(Value.self, from: bytes)) ?? Value.blank
    }

    /// Returns the differences of a value whose versions share parts.
    ///
    /// `nil` if the value does not share parts, or if one of the versions is empty.
    @usableFromInline
    func sharedDifferences<Value: FieldValue>(
        _ name: String, _ value: Value
    ) -> [FieldChange]? {
        func changes<Parts: SharedParts>(to new: Parts) -> [FieldChange]? {
            guard let old = earlierValue(Value.self) as? Parts, old.count > 0, new.count > 0 else {
                return nil
            }
            return Parts.changes(from: old, to: new, path: name)
        }
        return value.sharedParts.flatMap { changes(to: $0) }
    }

    /// True if a value of either state is kept instead of its bytes.
    @inlinable var hasShared: Bool { !before.shared.isEmpty || !after.shared.isEmpty }

    /// Returns the changed and added leaves, and forgets them.
    @inlinable
    mutating func drainChanges() -> [FieldChange] {
        guard !changes.isEmpty else { return [] }
        defer { changes = [] }
        return changes
    }

    /// Returns the removed leaves, and forgets them.
    @inlinable
    mutating func drainRemoved() -> [FieldChange] {
        guard !removed.isEmpty else { return [] }
        defer { removed = [] }
        return removed
    }
}

/// A visitor that writes differences as members: small fields whole, large fields leaf by leaf.
@usableFromInline
struct ChangeWriter: FieldListVisitor, Sendable {
    /// The collector that compares the fields.
    @usableFromInline var collector = ChangeCollector()
    /// The writer of the members.
    @usableFromInline var writer = JSONWriter()

    @usableFromInline init() {}

    @inlinable
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        guard collector.next() else { return }
        guard Value.isScalar || collector.isSmall else {
            collector.collect(name, value)
            for change in collector.drainChanges() {
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
