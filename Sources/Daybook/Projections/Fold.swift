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

    /// Applies an event to the state and to that of another fold of the same projection.
    ///
    /// The event is decoded once if both folds read the same event set.
    ///
    /// - Parameter batch: an empty batch of this fold, for reuse by many calls.
    package mutating func apply(
        _ event: borrowing EventView, alongside other: inout Fold, _ batch: EventBatch
    ) throws(FoldError) {
        guard operations.eventSet == other.operations.eventSet else {
            try other.apply(event)
            return try apply(event)
        }
        try operations.addToBatch(batch, event)
        apply(batch)
        other.apply(batch)
        operations.clearBatch(batch)
    }

    /// Throws the error with which `apply` would fail for an event; no state changes.
    ///
    /// - Parameter batch: an empty batch of this fold, for reuse by many calls.
    package func check(_ event: borrowing EventView, _ batch: EventBatch) throws(FoldError) {
        try operations.addToBatch(batch, event)
        operations.clearBatch(batch)
    }

    /// An empty batch of events, for `apply(_:alongside:_:)` and `check`.
    package var emptyBatch: EventBatch { operations.makeBatch() }

    /// A fold that has applied no event yet.
    package var blank: Fold { Fold(operations) }

    /// Returns a fold by the rules of this one, which goes on from the state of another.
    ///
    /// The states must have the same type, as those of one projection under two rule sets have.
    package func continuing(from other: Fold) -> Fold {
        var fold = self
        fold.box = other.box
        return fold
    }

    /// True if both folds change states in the same way, and so reach equal states.
    package func isSameFold(as other: Fold) -> Bool { operations === other.operations }

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
        var comparison = StateEncodings()
        return hasEqualState(to: other, &comparison)
    }

    /// True if `other` has a state of the same type with the same binary form.
    ///
    /// - Parameter comparison: a comparison for reuse by many calls, because it keeps its buffers.
    package func hasEqualState(to other: Fold, _ comparison: inout StateEncodings) -> Bool {
        if box === other.box { return true }
        guard type(of: box) == type(of: other.box) else { return false }
        comparison.first.clear()
        comparison.second.clear()
        operations.encode(box, &comparison.first)
        other.operations.encode(other.box, &comparison.second)
        return comparison.first.buffer == comparison.second.buffer
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

/// The buffers in which two states are encoded to compare them.
package struct StateEncodings: Sendable {
    fileprivate var first = BinaryWriter()
    fileprivate var second = BinaryWriter()

    public init() {}
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

    @inlinable
    init(_ state: State, isBlank: Bool) { contents = ComparedState(state, isBlank: isBlank) }
}

/// A state with its encoded fields, which are used to find the fields that an event changes.
@usableFromInline
struct ComparedState<State: Record> {
    /// The folded state.
    @usableFromInline var state: State
    /// The encoded fields of `state`; `nil` unless the last change was a call of `step`.
    @usableFromInline var slices: FieldSlices?
    /// True until the first event is applied.
    @usableFromInline var isBlank: Bool

    @inlinable
    init(_ state: State, isBlank: Bool) {
        self.state = state
        self.isBlank = isBlank
    }

    /// Applies a change without comparing fields.
    @inlinable @inline(__always)
    mutating func apply(_ evolve: (inout State) -> Void) {
        if slices != nil { slices = nil }
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
        var before = slices.take() ?? FieldSlices(of: &state)
        defer { slices = before }
        guard isBlank else {
            evolve(&state)
            return compare(&comparison, &before, &state)
        }
        isBlank = false
        let blank = state
        evolve(&state)
        comparison.beginFirst(evolve, from: blank, to: &state)
        defer { comparison.endFirst() }
        return compare(&comparison, &before, &state)
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
            slices = nil
        } else if var before = slices.take() {
            for change in comparison.changes(from: &before, to: &state) {
                change.append(to: &bytes)
            }
            slices = before
        } else {
            comparison.after.appendSharedValues(to: &bytes)
            // Not a copy, whose buffers the next event would copy again.
            var encoded = FieldSlices()
            swap(&encoded, &comparison.after)
            slices = encoded
        }
    }
}
