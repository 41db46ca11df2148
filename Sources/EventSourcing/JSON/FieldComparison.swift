/// Compares a state with what it was, field by field, and tells only what differs.
///
/// Fields are compared in their binary form; paths and JSON are made of those alone that differ,
/// which are few. Keep one for many comparisons: it keeps its buffers. No state is changed by it;
/// they are `inout` as the visitors want them.
public struct FieldComparison: Sendable {
    @usableFromInline var before = FieldSlices()
    @usableFromInline var after = FieldSlices()

    public init() {}

    /// Takes down what a state is before it changes.
    ///
    /// - Parameter known: what the comparison before this one ended with, where that was of the
    ///   same state.
    @inlinable
    mutating func begin<State: Record>(with state: inout State, knowing known: FieldSlices?) {
        if let known { before = known } else { before.take(&state) }
    }

    /// The leaves that differ, in the order of the fields, those that are gone last.
    @inlinable
    mutating func changes<State: Record>(to state: inout State) -> [FieldChange] {
        after.take(&state)
        guard before.bytes != after.bytes else { return [] }
        var visitor = ChangeCollector(before: before, after: after)
        State.fields(&visitor, &state)
        return visitor.changes + visitor.gone
    }

    /// Writes what differs as members, and tells which leaves are gone. What is written stands for
    /// everything beneath it.
    @inlinable
    mutating func write<State: Record>(
        to state: inout State, _ writer: inout JSONWriter
    ) -> [FieldChange] {
        after.take(&state)
        guard before.bytes != after.bytes else { return [] }
        var visitor = ChangeWriter(
            collector: ChangeCollector(before: before, after: after), writer: writer)
        writer = JSONWriter()
        State.fields(&visitor, &state)
        writer = visitor.writer
        return visitor.collector.gone
    }
}

/// Where the binary form of each shown field of a record ends.
@usableFromInline
struct FieldSlices: FieldListVisitor, Sendable {
    @usableFromInline var writer = BinaryWriter()
    @usableFromInline var ends: [Int] = []

    init() {}

    @inlinable var bytes: [UInt8] { writer.bytes }

    @inlinable
    mutating func take<State: Record>(_ state: inout State) {
        writer.clear()
        ends.removeAll(keepingCapacity: true)
        State.fields(&self, &state)
    }

    @inlinable
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        Value.visit(&writer, &value)
        ends.append(writer.bytes.count)
    }

    @inlinable
    mutating func working<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    @inlinable
    func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }
}

/// Collects what differs between the fields of two states of one type.
@usableFromInline
struct ChangeCollector: FieldListVisitor {
    @usableFromInline let before: FieldSlices
    @usableFromInline let after: FieldSlices
    @usableFromInline var index = 0
    @usableFromInline var changes: [FieldChange] = []
    @usableFromInline var gone: [FieldChange] = []

    @usableFromInline
    init(before: FieldSlices, after: FieldSlices) {
        self.before = before
        self.after = after
    }

    /// Whether the next field differs.
    @inlinable
    mutating func next() -> Bool {
        let (old, new) = (before.range(index), after.range(index))
        index += 1
        let (oldBytes, newBytes) = (before.bytes.span, after.bytes.span)
        guard old.count == new.count else { return true }
        for offset in 0..<old.count
        where oldBytes[old.lowerBound + offset] != newBytes[new.lowerBound + offset] {
            return true
        }
        return false
    }

    /// Whether the field that `next` was about was and is no larger.
    @inlinable
    func isSmall(_ count: Int) -> Bool {
        before.range(index - 1).count <= count && after.range(index - 1).count <= count
    }

    @inlinable
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        if next() { collect(name, value) }
    }

    @inlinable
    mutating func working<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    /// Compares the leaves of the field that `next` was about.
    @inlinable
    mutating func collect<Value: FieldValue>(_ name: String, _ value: Value) {
        // What was written a moment ago can be read.
        let bytes = Array(before.bytes[before.range(index - 1)])
        let old = (try? BinaryReader.read(Value.self, from: bytes)) ?? Value.blank
        for change in FieldChange.between(
            FlatFields.of(old, path: name), FlatFields.of(value, path: name))
        {
            if change.after == nil { gone.append(change) } else { changes.append(change) }
        }
    }
}

/// Writes what differs: a field that is small as a whole, of a large one the leaves.
@usableFromInline
struct ChangeWriter: FieldListVisitor {
    @usableFromInline var collector: ChangeCollector
    @usableFromInline var writer: JSONWriter
    /// Bytes of a field, in its binary form, up to which it is written whole.
    @usableFromInline static var smallField: Int { 256 }

    @usableFromInline
    init(collector: ChangeCollector, writer: JSONWriter) {
        self.collector = collector
        self.writer = writer
    }

    @inlinable
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        guard collector.next() else { return }
        guard Value.isScalar || collector.isSmall(Self.smallField) else {
            collector.collect(name, value)
            for change in collector.changes {
                writer.name(change.path)
                writer.raw(change.after ?? "null")
            }
            return collector.changes.removeAll()
        }
        writer.name(name)
        Value.visit(&writer, &value)
    }

    @inlinable
    mutating func working<Value: FieldValue>(_ name: String, _ value: inout Value) {}
}
