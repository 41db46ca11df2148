/// A running fold of a projection of any type: its state and the operations on the state.
///
/// A fold is a value: a copy continues independently.
public struct Fold: Sendable {
    /// The operations on states of the projection.
    let operations: FoldOperations
    /// The state, which a copy of the fold shares until one of them changes it.
    private var box: StateBox

    @usableFromInline
    init(_ operations: FoldOperations) {
        self.operations = operations
        box = operations.make()
    }

    /// Applies an event to the state, or ignores a kind that the projection does not read.
    public mutating func apply(_ event: RecordedEvent) throws(FoldError) {
        try apply(event.view)
    }

    /// Applies an event to the state, or ignores a kind that the projection does not read.
    public mutating func apply(_ event: borrowing EventView) throws(FoldError) {
        ensureUnique()
        try operations.apply(box, event)
    }

    /// Applies an event and returns the changes that it made.
    public mutating func step(
        _ event: borrowing EventView, _ comparison: inout FieldComparison
    ) throws(FoldError) -> [FieldChange] {
        ensureUnique()
        return try operations.step(box, event, &comparison)
    }

    /// Applies an event and writes the changed leaves (single values) as members of a JSON object.
    ///
    /// - Returns: the leaves that no longer exist.
    public mutating func step(
        _ event: borrowing EventView, _ comparison: inout FieldComparison,
        _ writer: inout JSONWriter
    ) throws(FoldError) -> [FieldChange] {
        ensureUnique()
        return try operations.write(box, event, &comparison, &writer)
    }

    /// Returns the leaves (single values) that differ in another state of the same projection.
    public func changes(
        to other: Fold, _ comparison: inout FieldComparison
    ) -> [FieldChange] {
        operations.changes(box, other.box, &comparison)
    }

    /// The state as a JSON object.
    public var json: String { operations.json(box) }

    /// The state as a JSON object for programs, with moments as RFC 3339 texts.
    public var answer: String { operations.answer(box) }

    /// The leaves of the state: each value with its path.
    public var leaves: [FlatFields.Leaf] { operations.leaves(box) }

    /// Returns the leaves of some top-level fields of the state.
    public func leaves(only fields: [String]) -> [FlatFields.Leaf] {
        operations.leavesOnly(box, fields)
    }

    /// Returns the lengths of some top-level lists and maps of the state, by field.
    public func counts(of fields: Set<String>) -> [String: Int] {
        fields.isEmpty ? [:] : operations.counts(box, fields)
    }

    /// The state in its binary form, including the internal fields.
    public var bytes: [UInt8] { operations.bytes(box) }

    /// True if another fold has a state of the same type with the same binary form.
    package func hasEqualState(to other: Fold) -> Bool {
        type(of: box) == type(of: other.box) && bytes == other.bytes
    }

    /// Returns the typed state; `nil` if the fold is of a different projection.
    public func state<Target: Projection>(of projection: Target.Type) -> Target.State? {
        operations.projection == ObjectIdentifier(projection)
            ? (box as? TypedBox<Target.State>)?.contents.state : nil
    }

    /// Replaces the state with one in binary form, from which the fold then continues.
    public mutating func restore(_ bytes: RawSpan) throws(CorruptPayload) {
        box = try operations.restore(bytes)
    }

    /// Applies the decoded events of a batch, in order.
    mutating func apply(_ batch: EventBatch) {
        ensureUnique()
        operations.applyBatch(box, batch)
    }

    /// Copies the state if another fold shares it.
    private mutating func ensureUnique() {
        if !isKnownUniquelyReferenced(&box) { box = operations.copy(box) }
    }
}

/// The storage of a fold's state, changed only by a fold that is its sole owner.
@usableFromInline
class StateBox: @unchecked Sendable {
    @usableFromInline init() {}
}

/// The storage of a state of one type.
@usableFromInline
final class TypedBox<State: Record>: StateBox, @unchecked Sendable {
    /// The state and its encoded fields, in one property: Swift checks each access at run time.
    @usableFromInline var contents: ComparedState<State>

    @usableFromInline
    init(_ state: State) { contents = ComparedState(state) }
}

/// A state with its encoded fields, so that a step can compare the fields before and after it.
@usableFromInline
struct ComparedState<State: Record> {
    /// The folded state.
    @usableFromInline var state: State
    /// Encoded fields after the last step; valid if `hasValidSlices`.
    @usableFromInline var slices = FieldSlices()
    /// True if `slices` are the encoded fields of `state`.
    @usableFromInline var hasValidSlices = false

    @usableFromInline
    init(_ state: State) { self.state = state }

    /// Applies a change without comparing fields.
    @inlinable @inline(__always)
    mutating func apply(_ evolve: (inout State) -> Void) {
        hasValidSlices = false
        evolve(&state)
    }

    /// Applies a change, and passes the fields before it and the state after it to `compare`.
    @inlinable @inline(__always)
    mutating func step<Changes>(
        _ evolve: (inout State) -> Void, _ compare: (inout FieldSlices, inout State) -> Changes
    ) -> Changes {
        if !hasValidSlices { slices.encode(&state) }
        hasValidSlices = true
        evolve(&state)
        return compare(&slices, &state)
    }
}

/// The operations of a fold over one projection.
///
/// They are closures, because closures are compiled for the projection where it is described, while
/// the witnesses of a generic type are compiled once for all projections.
///
/// This is a class, so that the many folds of one projection share one reference.
@usableFromInline
final class FoldOperations: Sendable {
    /// The identity of the projection's type.
    @usableFromInline let projection: ObjectIdentifier
    /// The identity of the type of the projection's event set.
    @usableFromInline let eventSet: ObjectIdentifier
    /// Returns a box with a blank state.
    @usableFromInline let make: @Sendable () -> StateBox
    /// Returns a box with a copy of the state.
    @usableFromInline let copy: @Sendable (StateBox) -> StateBox
    /// Applies an event to the state in a box; ignores a kind that is not in the set.
    @usableFromInline let apply: @Sendable (StateBox, borrowing EventView) throws(FoldError) -> Void
    /// Returns an empty batch for events of the set.
    @usableFromInline let makeBatch: @Sendable () -> EventBatch
    /// Decodes an event and adds it to a batch; ignores a kind that is not in the set.
    @usableFromInline let collect:
        @Sendable (EventBatch, borrowing EventView) throws(FoldError) -> Void
    /// Applies the events of a batch to the state in a box, in order.
    @usableFromInline let applyBatch: @Sendable (StateBox, EventBatch) -> Void
    /// Removes all events from a batch.
    @usableFromInline let clear: @Sendable (EventBatch) -> Void
    /// Applies an event and returns the changes that it made.
    @usableFromInline let step:
        @Sendable (StateBox, borrowing EventView, inout FieldComparison) throws(FoldError) ->
            [FieldChange]
    /// Applies an event, writes the changed leaves, and returns the removed leaves.
    @usableFromInline let write:
        @Sendable (StateBox, borrowing EventView, inout FieldComparison, inout JSONWriter)
            throws(FoldError) -> [FieldChange]
    /// Returns the leaves that differ between two states.
    @usableFromInline let changes:
        @Sendable (StateBox, StateBox, inout FieldComparison) -> [FieldChange]
    /// Returns the state as JSON, with moments as microseconds since 1970.
    @usableFromInline let json: @Sendable (StateBox) -> String
    /// Returns the state as JSON for programs, with moments as RFC 3339 texts.
    @usableFromInline let answer: @Sendable (StateBox) -> String
    /// Returns the leaves of a state: each single value with its path.
    @usableFromInline let leaves: @Sendable (StateBox) -> [FlatFields.Leaf]
    /// Returns the leaves of the named top-level fields of a state.
    @usableFromInline let leavesOnly: @Sendable (StateBox, [String]) -> [FlatFields.Leaf]
    /// Returns the lengths of the named top-level lists and maps of a state.
    @usableFromInline let counts: @Sendable (StateBox, Set<String>) -> [String: Int]
    /// Returns the state in binary form.
    @usableFromInline let bytes: @Sendable (StateBox) -> [UInt8]
    /// Returns a box with the state that was encoded in binary form.
    @usableFromInline let restore: @Sendable (RawSpan) throws(CorruptPayload) -> StateBox

    @inlinable
    init<Target: Projection>(_ projection: Target.Type) {
        // Folds of all entities share the readers.
        let reader = KindReader<Target.Event>()
        self.projection = ObjectIdentifier(projection)
        eventSet = ObjectIdentifier(Target.Event.self)
        make = { TypedBox(Target.State.blank) }
        copy = { TypedBox(Self.state(of: Target.self, $0).contents.state) }
        apply = { (box, event) throws(FoldError) in
            guard let known = try reader.read(event) else { return }
            let envelope = event.envelope
            Self.state(of: Target.self, box).contents.apply {
                Target.evolve(&$0, with: known, envelope)
            }
        }
        makeBatch = { TypedBatch<Target.Event>() }
        collect = { (batch, event) throws(FoldError) in
            guard let known = try reader.read(event) else { return }
            Self.batch(of: Target.Event.self, batch).events.append((known, event.envelope))
        }
        applyBatch = { (box, batch) in
            let events = Self.batch(of: Target.Event.self, batch).events
            Self.state(of: Target.self, box).contents.apply {
                for index in events.indices {
                    Target.evolve(&$0, with: events[index].event, events[index].envelope)
                }
            }
        }
        clear = { Self.batch(of: Target.Event.self, $0).events.removeAll(keepingCapacity: true) }
        step = { (box, event, comparison) throws(FoldError) in
            guard let known = try reader.read(event) else { return [] }
            let envelope = event.envelope
            return Self.state(of: Target.self, box).contents.step(
                { Target.evolve(&$0, with: known, envelope) },
                { comparison.changes(from: &$0, to: &$1) })
        }
        write = { (box, event, comparison, writer) throws(FoldError) in
            guard let known = try reader.read(event) else { return [] }
            let envelope = event.envelope
            return Self.state(of: Target.self, box).contents.step(
                { Target.evolve(&$0, with: known, envelope) },
                { comparison.write(from: &$0, to: &$1, &writer) })
        }
        changes = { (box, other, comparison) in
            var before = FieldSlices()
            before.encode(&Self.state(of: Target.self, box).contents.state)
            return comparison.changes(
                from: &before, to: &Self.state(of: Target.self, other).contents.state)
        }
        answer = { JSONWriter.answer(Self.state(of: Target.self, $0).contents.state) }
        json = { JSONWriter.text(Self.state(of: Target.self, $0).contents.state) }
        leaves = { FlatFields.of(Self.state(of: Target.self, $0).contents.state) }
        leavesOnly = { FlatFields.of(&Self.state(of: Target.self, $0).contents.state, only: $1) }
        counts = { PartCounts.of(&Self.state(of: Target.self, $0).contents.state, $1) }
        bytes = { BinaryWriter.bytes(Self.state(of: Target.self, $0).contents.state) }
        restore = { (bytes) throws(CorruptPayload) in
            TypedBox(try BinaryReader.read(Target.State.self, from: bytes))
        }
    }

    /// Returns a batch as a batch of its event set; traps for a batch of another set.
    @inlinable
    static func batch<Event: EventSet>(
        of set: Event.Type, _ batch: EventBatch
    ) -> TypedBatch<Event> {
        guard let batch = batch as? TypedBatch<Event> else {
            preconditionFailure("internal error: a fold received a batch of another type")
        }
        return batch
    }

    /// Returns a box as a box of the projection's state; traps for a box of another type.
    @inlinable
    static func state<Target: Projection>(
        of projection: Target.Type, _ box: StateBox
    ) -> TypedBox<Target.State> {
        guard let box = box as? TypedBox<Target.State> else {
            preconditionFailure("internal error: a fold received a state of another type")
        }
        return box
    }
}
