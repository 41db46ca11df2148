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
    /// Writes a state that no other thread reads in binary form, without a copy of it.
    @usableFromInline let encode: @Sendable (StateBox, inout BinaryWriter) -> Void
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
        encode = { $1.record(&Self.state(of: Target.self, $0).contents.state) }
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
