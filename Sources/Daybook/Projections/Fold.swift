/// A state of a projection of any type, to which events are applied one after another.
///
/// A fold is a value: events applied to a copy do not change the original.
public struct Fold: Sendable {
    /// The functions that create, change and read states of the projection.
    let operations: FoldOperations
    /// The state; copies of the fold share it until one of the copies changes it.
    private var box: StateBox

    @usableFromInline
    init(_ operations: FoldOperations) {
        self.operations = operations
        box = operations.makeBlankState()
    }

    /// Applies an event to the state; ignores an event of a kind that the projection does not read.
    public mutating func apply(_ event: RecordedEvent) throws(FoldError) {
        try apply(event.view)
    }

    /// Applies an event to the state; ignores an event of a kind that the projection does not read.
    public mutating func apply(_ event: borrowing EventView) throws(FoldError) {
        ensureUnique()
        try operations.apply(box, event)
    }

    /// Applies an event to the state and returns the fields that it changed.
    ///
    /// Nothing is there before the first event: its changes have no earlier values, and include the
    /// fields that it set to their blank values.
    ///
    /// - Parameter comparison: a comparison for reuse by many calls, because it keeps its buffers.
    package mutating func step(
        _ event: borrowing EventView, _ comparison: inout FieldComparison
    ) throws(FoldError) -> [FieldChange] {
        ensureUnique()
        return try operations.step(box, event, &comparison)
    }

    /// Applies an event to the state and writes the changed leaves (single values) to `writer`, as
    /// members of a JSON object.
    ///
    /// The first event also writes the fields that it set to their blank values.
    ///
    /// - Returns: the leaves that the event removed from the state.
    package mutating func step(
        _ event: borrowing EventView, _ comparison: inout FieldComparison,
        _ writer: inout JSONWriter
    ) throws(FoldError) -> [FieldChange] {
        ensureUnique()
        return try operations.stepWriting(box, event, &comparison, &writer)
    }

    /// Applies an event to the state, and appends to `bytes` what shows the state after it.
    ///
    /// Two builds whose fields have equal descriptions append equal bytes for each of a sequence of
    /// events only if the states after each event have equal fields; internal fields do not count.
    /// Of a large field that versions of the state share, only the changes are appended.
    package mutating func step(
        _ event: borrowing EventView, _ comparison: inout FieldComparison, into bytes: inout [UInt8]
    ) throws(FoldError) {
        ensureUnique()
        try operations.stepCopying(box, event, &comparison, &bytes)
    }

    /// Returns the leaves (single values) that differ between this state and that of `other`.
    ///
    /// Both folds must be of the same projection.
    package func changes(
        to other: Fold, _ comparison: inout FieldComparison
    ) -> [FieldChange] {
        operations.changes(box, other.box, &comparison)
    }

    /// The state as a JSON object, with points in time as microseconds since 1970.
    public var json: String { operations.json(box) }

    /// The state as a JSON object for users' programs, with points in time as RFC 3339 texts.
    public var answer: String { operations.answer(box) }

    /// Writes the state as a JSON object, in the form of the writer.
    package func write(to writer: inout JSONWriter) { operations.write(box, &writer) }

    /// The leaves of the state: each single value with its path.
    package var leaves: [FlatFields.Leaf] { operations.leaves(box, nil) }

    /// Returns the leaves of the state as a file shows them.
    ///
    /// - Parameter redaction: rules for values that are not shown; `nil` to show all values.
    package func leaves(_ redaction: Redaction?) -> [FlatFields.Leaf] {
        operations.leaves(box, redaction)
    }

    /// Returns the leaves (single values) of the named top-level fields, each with its path.
    package func leaves(only fields: [String]) -> [FlatFields.Leaf] {
        operations.leavesOfFields(box, fields)
    }

    /// Returns the number of elements of each named top-level list or map in the state, by name.
    public func counts(of fields: Set<String>) -> [String: Int] {
        fields.isEmpty ? [:] : operations.counts(box, fields)
    }

    /// The state in its binary form, including the internal fields.
    public var bytes: [UInt8] { operations.bytes(box) }

    /// True if `other` has a state of the same type with the same binary form.
    package func hasEqualState(to other: Fold) -> Bool {
        type(of: box) == type(of: other.box) && bytes == other.bytes
    }

    /// Returns the state with its Swift type; `nil` if this is not a fold of `projection`.
    public func state<Target: Projection>(of projection: Target.Type) -> Target.State? {
        operations.projection == ObjectIdentifier(projection)
            ? (box as? TypedBox<Target.State>)?.contents.state : nil
    }

    /// Replaces the state with one that is read from its binary form, as `bytes` gives it.
    public mutating func restore(_ bytes: RawSpan) throws(CorruptPayload) {
        box = try operations.restore(bytes)
    }

    /// Applies the events of a batch to the state, in order.
    mutating func apply(_ batch: EventBatch) {
        ensureUnique()
        operations.applyBatch(box, batch)
    }

    /// Copies the state if another fold shares it, so that a change does not affect that fold.
    private mutating func ensureUnique() {
        if !isKnownUniquelyReferenced(&box) { box = operations.copyState(box) }
    }
}

/// The storage of a state of any type. A fold changes it only while no other fold shares it.
@usableFromInline
class StateBox: @unchecked Sendable {
    @usableFromInline init() {}
}

/// The storage of a state of one type.
@usableFromInline
final class TypedBox<State: Record>: StateBox, @unchecked Sendable {
    /// The state and its encoded fields.
    ///
    /// They are one property, because Swift checks each access to a class's property at run time.
    @usableFromInline var contents: ComparedState<State>

    @usableFromInline
    init(_ state: State, isBlank: Bool) { contents = ComparedState(state, isBlank: isBlank) }
}

/// A state with its encoded fields, which are used to find the fields that an event changes.
@usableFromInline
struct ComparedState<State: Record> {
    /// The folded state.
    @usableFromInline var state: State
    /// The encoded fields as the last call of `step` left them; valid if `hasValidSlices`.
    @usableFromInline var slices = FieldSlices()
    /// True if `slices` are the encoded fields of `state`.
    @usableFromInline var hasValidSlices = false
    /// True until the first event is applied.
    @usableFromInline var isBlank: Bool

    @usableFromInline
    init(_ state: State, isBlank: Bool) {
        self.state = state
        self.isBlank = isBlank
    }

    /// Applies a change without comparing fields.
    @inlinable @inline(__always)
    mutating func apply(_ evolve: (inout State) -> Void) {
        hasValidSlices = false
        isBlank = false
        evolve(&state)
    }

    /// Applies a change and returns the result of `compare`.
    ///
    /// - Parameters:
    ///   - evolve: makes the change.
    ///   - comparison: the comparison to use.
    ///   - compare: compares the encoded fields before the change with the state after it.
    @inlinable @inline(__always)
    mutating func step<Changes>(
        _ evolve: (inout State) -> Void, _ comparison: inout FieldComparison,
        _ compare: (inout FieldComparison, inout FieldSlices, inout State) -> Changes
    ) -> Changes {
        if !hasValidSlices { slices.encode(&state) }
        hasValidSlices = true
        guard isBlank else {
            evolve(&state)
            return compare(&comparison, &slices, &state)
        }
        isBlank = false
        let blank = state
        evolve(&state)
        comparison.beginFirst(evolve, from: blank, to: &state)
        defer { comparison.endFirst() }
        return compare(&comparison, &slices, &state)
    }
}

extension ComparedState {
    /// Applies a change, and appends the encoded fields of the state after it to `bytes`.
    ///
    /// `slices` are kept only for a state with values that are not encoded, of which the changes are
    /// appended; the whole values, where the state before had none.
    @inlinable @inline(__always)
    mutating func step(
        _ evolve: (inout State) -> Void, _ comparison: inout FieldComparison,
        into bytes: inout [UInt8]
    ) {
        isBlank = false
        evolve(&state)
        comparison.after.encode(&state)
        comparison.after.appendEncodedFields(to: &bytes)
        if comparison.after.sharedValues.isEmpty {
            hasValidSlices = false
        } else if hasValidSlices {
            for change in comparison.changes(from: &slices, to: &state) {
                change.append(to: &bytes)
            }
        } else {
            comparison.after.appendSharedValues(to: &bytes)
            swap(&slices, &comparison.after)
            hasValidSlices = true
        }
    }
}

/// The functions that create, change and read the states of one projection.
///
/// They are closures, because closures are compiled for the projection where it is described, while
/// the methods of a generic type are compiled once for all projections.
///
/// This is a class, so that the many folds of one projection share one object.
@usableFromInline
final class FoldOperations: Sendable {
    /// The identity of the projection's type.
    @usableFromInline let projection: ObjectIdentifier
    /// The identity of the type of the projection's event set.
    @usableFromInline let eventSet: ObjectIdentifier
    /// Returns a new box with a blank state.
    @usableFromInline let makeBlankState: @Sendable () -> StateBox
    /// Returns a new box with a copy of the state in another box.
    @usableFromInline let copyState: @Sendable (StateBox) -> StateBox
    /// Applies an event to the state in a box; ignores an event of a kind outside the event set.
    @usableFromInline let apply: @Sendable (StateBox, borrowing EventView) throws(FoldError) -> Void
    /// Returns an empty batch for events of the projection's event set.
    @usableFromInline let makeBatch: @Sendable () -> EventBatch
    /// Decodes an event and adds it to a batch; ignores an event of a kind outside the event set.
    @usableFromInline let addToBatch:
        @Sendable (EventBatch, borrowing EventView) throws(FoldError) -> Void
    /// Applies the events of a batch to the state in a box, in order.
    @usableFromInline let applyBatch: @Sendable (StateBox, EventBatch) -> Void
    /// Removes all events from a batch.
    @usableFromInline let clearBatch: @Sendable (EventBatch) -> Void
    /// Applies an event to the state in a box and returns the fields that it changed.
    @usableFromInline let step:
        @Sendable (StateBox, borrowing EventView, inout FieldComparison) throws(FoldError) ->
            [FieldChange]
    /// Applies an event to the state in a box, writes the changed leaves as JSON, and returns the
    /// leaves that the event removed.
    @usableFromInline let stepWriting:
        @Sendable (StateBox, borrowing EventView, inout FieldComparison, inout JSONWriter)
            throws(FoldError) -> [FieldChange]
    /// Applies an event to the state in a box, and appends what shows the state after it.
    @usableFromInline let stepCopying:
        @Sendable (StateBox, borrowing EventView, inout FieldComparison, inout [UInt8])
            throws(FoldError) -> Void
    /// Returns the leaves that differ between the states in two boxes, the earlier state first.
    @usableFromInline let changes:
        @Sendable (StateBox, StateBox, inout FieldComparison) -> [FieldChange]
    /// Returns the state as JSON, with points in time as microseconds since 1970.
    @usableFromInline let json: @Sendable (StateBox) -> String
    /// Returns the state as JSON for users' programs, with points in time as RFC 3339 texts.
    @usableFromInline let answer: @Sendable (StateBox) -> String
    /// Writes the state as JSON, in the form of the writer.
    @usableFromInline let write: @Sendable (StateBox, inout JSONWriter) -> Void
    /// Returns the leaves of a state: each single value with its path.
    @usableFromInline let leaves: @Sendable (StateBox, Redaction?) -> [FlatFields.Leaf]
    /// Returns the leaves of the named top-level fields of a state.
    @usableFromInline let leavesOfFields: @Sendable (StateBox, [String]) -> [FlatFields.Leaf]
    /// Returns the number of elements of each named top-level list or map of a state, by its name.
    @usableFromInline let counts: @Sendable (StateBox, Set<String>) -> [String: Int]
    /// Returns the state in binary form.
    @usableFromInline let bytes: @Sendable (StateBox) -> [UInt8]
    /// Returns a new box with a state that is read from its binary form.
    @usableFromInline let restore: @Sendable (RawSpan) throws(CorruptPayload) -> StateBox

    @inlinable
    init<Target: Projection>(_ projection: Target.Type) {
        // Folds of all entities share the readers.
        let reader = KindReader<Target.Event>()
        self.projection = ObjectIdentifier(projection)
        eventSet = ObjectIdentifier(Target.Event.self)
        makeBlankState = { TypedBox(Target.State.blank, isBlank: true) }
        copyState = {
            let contents = Self.state(of: Target.self, $0).contents
            return TypedBox(contents.state, isBlank: contents.isBlank)
        }
        apply = { (box, event) throws(FoldError) in
            guard let known = try reader.read(event) else { return }
            let envelope = event.envelope
            Self.state(of: Target.self, box).contents.apply {
                Target.evolve(&$0, with: known, envelope)
            }
        }
        makeBatch = { TypedBatch<Target.Event>() }
        addToBatch = { (batch, event) throws(FoldError) in
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
        clearBatch = {
            Self.batch(of: Target.Event.self, $0).events.removeAll(keepingCapacity: true)
        }
        step = { (box, event, comparison) throws(FoldError) in
            guard let known = try reader.read(event) else { return [] }
            let envelope = event.envelope
            return Self.state(of: Target.self, box).contents.step(
                { Target.evolve(&$0, with: known, envelope) }, &comparison,
                { $0.changes(from: &$1, to: &$2) })
        }
        stepWriting = { (box, event, comparison, writer) throws(FoldError) in
            guard let known = try reader.read(event) else { return [] }
            let envelope = event.envelope
            return Self.state(of: Target.self, box).contents.step(
                { Target.evolve(&$0, with: known, envelope) }, &comparison,
                { $0.write(from: &$1, to: &$2, &writer) })
        }
        stepCopying = { (box, event, comparison, bytes) throws(FoldError) in
            guard let known = try reader.read(event) else { return }
            let envelope = event.envelope
            Self.state(of: Target.self, box).contents.step(
                { Target.evolve(&$0, with: known, envelope) }, &comparison, into: &bytes)
        }
        changes = { (box, other, comparison) in
            var before = FieldSlices()
            before.encode(&Self.state(of: Target.self, box).contents.state)
            return comparison.changes(
                from: &before, to: &Self.state(of: Target.self, other).contents.state)
        }
        answer = { JSONWriter.answer(Self.state(of: Target.self, $0).contents.state) }
        json = { JSONWriter.text(Self.state(of: Target.self, $0).contents.state) }
        write = { $1.record(&Self.state(of: Target.self, $0).contents.state) }
        leaves = { FlatFields.of(Self.state(of: Target.self, $0).contents.state, $1) }
        leavesOfFields = {
            FlatFields.of(&Self.state(of: Target.self, $0).contents.state, only: $1)
        }
        counts = { PartCounts.of(&Self.state(of: Target.self, $0).contents.state, $1) }
        bytes = { BinaryWriter.bytes(Self.state(of: Target.self, $0).contents.state) }
        restore = { (bytes) throws(CorruptPayload) in
            TypedBox(try BinaryReader.read(Target.State.self, from: bytes), isBlank: false)
        }
    }

    /// Casts a batch to the type for an event set; traps if it holds events of another set.
    @inlinable
    static func batch<Event: EventSet>(
        of set: Event.Type, _ batch: EventBatch
    ) -> TypedBatch<Event> {
        guard let batch = batch as? TypedBatch<Event> else {
            preconditionFailure("internal error: a fold received events of another event set")
        }
        return batch
    }

    /// Casts a box to the type for a projection's state; traps if it holds another type of state.
    @inlinable
    static func state<Target: Projection>(
        of projection: Target.Type, _ box: StateBox
    ) -> TypedBox<Target.State> {
        guard let box = box as? TypedBox<Target.State> else {
            preconditionFailure("internal error: a fold received a state of another projection")
        }
        return box
    }
}
