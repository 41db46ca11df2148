/// A field-by-field comparison of a state with an earlier state, which finds the differing fields.
///
/// Fields are compared in their binary form. Paths and JSON are created only for the fields that
/// differ, which are few. Reuse a comparison for many states, because it keeps its buffers. It does
/// not change the states, which are `inout` because field visitors require it.
@usableFromInline package struct FieldComparison: Sendable {
    @usableFromInline var visitor = ChangeWriter()
    /// Encoded fields of the later state; a comparison ends by moving them to `before`.
    @usableFromInline var after = FieldSlices()
    /// Finds the fields that a first event sets; `nil` until there is one.
    @usableFromInline var firstWriteSearch: FirstWriteSearch?

    /// Creates a comparison with empty buffers; `redaction` hides values that a file does not show.
    public init(_ redaction: Redaction? = nil) { visitor.collector.redaction = redaction }

    /// Returns the differing leaves (single values) in the order of the fields, removed ones last.
    ///
    /// - Parameter before: encoded fields of the earlier state; on return, those of `state`.
    @inlinable mutating func changes<State: Record>(
        from before: inout FieldSlices, to state: inout State
    ) -> [FieldChange] {
        guard beginComparison(&before, &state) else { return [] }
        if visitor.collector.redaction != nil {
            visitor.collector.hiddenPlaces = State.places.map(HiddenPlaces.init)
        }
        state.fields(&visitor.collector)
        endComparison(&before)
        return visitor.collector.changes.drain() + visitor.collector.removedLeaves.drain()
    }

    /// Writes each difference as a member of an object, and returns the removed leaves.
    ///
    /// The name of a member is a path. Its value replaces the whole earlier value at that path. On
    /// return, `before` has the encoded fields of `state`.
    @inlinable mutating func write<State: Record>(
        from before: inout FieldSlices, to state: inout State, _ writer: inout JSONWriter
    ) -> [FieldChange] {
        guard beginComparison(&before, &state) else { return [] }
        swap(&visitor.writer, &writer)
        state.fields(&visitor)
        swap(&visitor.writer, &writer)
        endComparison(&before)
        return visitor.collector.removedLeaves.drain()
    }

    /// Encodes `state` and swaps the encoded fields of both states into the visitor.
    ///
    /// Returns false, without swapping, if the encoded fields show that the states are equal.
    /// Swapping neither copies the encoded fields nor counts references.
    @inlinable mutating func beginComparison<State: Record>(
        _ before: inout FieldSlices, _ state: inout State
    ) -> Bool {
        after.encode(&state)
        guard
            visitor.collector.firstWrites?.paths.isEmpty == false || !before.isKnownEqual(to: after)
        else { return false }
        swap(&visitor.collector.before, &before)
        swap(&visitor.collector.after, &after)
        visitor.collector.index = 0
        return true
    }

    /// Begins the comparison of a blank state with the state after its first event (`evolve`).
    @inlinable mutating func beginFirst<State: Record>(
        _ evolve: (inout State) -> Void, from blank: State, to state: inout State
    ) {
        if firstWriteSearch == nil { firstWriteSearch = FirstWriteSearch() }
        visitor.collector.firstWrites = firstWriteSearch?.find(evolve, from: blank, to: &state)
    }

    @inlinable mutating func endFirst() { visitor.collector.firstWrites = nil }

    /// Swaps the encoded fields of the later state into `before`, for the next comparison.
    @inlinable mutating func endComparison(_ before: inout FieldSlices) {
        swap(&visitor.collector.after, &before)
    }
}

/// The binary form of a record's fields, without internal fields, and where each field ends.
@usableFromInline struct FieldSlices: FieldListVisitor, Sendable {
    /// The writer whose buffer has the bytes of all fields.
    @usableFromInline var writer = BinaryWriter()
    /// The offset after the last byte of each field in the writer's buffer.
    @usableFromInline var endOffsets: [Int] = []
    /// Values with many parts, by the index of their field; not encoded, as versions share memory.
    @usableFromInline var sharedValues: [(field: Int, value: any SharedParts)] = []
    /// The largest binary form, in bytes, of a list, map or record that is written whole.
    @usableFromInline static var smallFieldByteCount: Int { 256 }
    /// The largest number of parts of a `SharedParts` value that is compared as bytes.
    @usableFromInline static var smallPartCount: Int { 16 }

    @inlinable init() {}

    /// Encodes the fields of a state.
    @inlinable init<State: Record>(of state: inout State) { encode(&state) }

    /// Encodes the fields of a state, and discards the fields encoded before.
    @inlinable mutating func encode<State: Record>(_ state: inout State) {
        writer.clear()
        endOffsets.removeAll(keepingCapacity: true)
        sharedValues.removeAll(keepingCapacity: true)
        state.fields(&self)
    }

    @inlinable mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        if let parts = value.sharedParts, parts.count > Self.smallPartCount {
            sharedValues.append((endOffsets.count, parts))
        } else {
            Value.visit(&writer, &value)
        }
        endOffsets.append(writer.buffer.count)
    }

    @inlinable
    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    /// Returns the range of a field's bytes in the writer's buffer.
    @inlinable func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : endOffsets[index - 1])..<endOffsets[index]
    }

    /// True if both states have only encoded fields, with equal bytes.
    @inlinable func isKnownEqual(to other: FieldSlices) -> Bool {
        guard writer.buffer == other.writer.buffer else { return false }
        return sharedValues.isEmpty && other.sharedValues.isEmpty
    }

    /// Appends the encoded fields, and which of their personal texts are not erased.
    @inlinable func appendEncodedFields(to bytes: inout [UInt8]) {
        bytes += writer.buffer
        for text in writer.texts { bytes += "\(text.offset)\u{0}".utf8 }
    }

    /// Appends the index and the binary form of each value that is not encoded.
    @usableFromInline func appendSharedValues(to bytes: inout [UInt8]) {
        for (field, value) in sharedValues {
            bytes.append(UInt8(truncatingIfNeeded: field))
            bytes += value.bytes
        }
    }

    /// Returns the field's value if it is in `sharedValues`; `nil` if it is in its binary form.
    func sharedValue(ofField field: Int) -> (any SharedParts)? {
        sharedValues.first { $0.field == field }?.value
    }

    /// True if the binary form of a field's value has at most `count` bytes.
    @usableFromInline func fits(_ field: Int, in count: Int) -> Bool {
        guard let parts = sharedValue(ofField: field) else { return range(field).count <= count }
        return parts.fits(in: count)
    }

    private func bytes(_ field: Int) -> [UInt8] {
        sharedValue(ofField: field).map { $0.bytes } ?? Array(writer.buffer[range(field)])
    }

    /// True if the two values of a field may differ; `nil` if the field is encoded in both states.
    @usableFromInline func mayDiffer(in field: Int, from other: FieldSlices) -> Bool? {
        switch (sharedValue(ofField: field), other.sharedValue(ofField: field)) {
        case (nil, nil): nil
        case (let own?, let other?) where own.isShared(withAny: other): false
        // A small field is written whole, so its bytes are compared: a value that was replaced by
        // an equal value must not be written.
        case _
        where fits(field, in: Self.smallFieldByteCount)
            && other.fits(field, in: Self.smallFieldByteCount):
            bytes(field) != other.bytes(field)
        default: true
        }
    }
}

/// A visitor that collects the differences between two states of one type.
@usableFromInline struct ChangeCollector: FieldListVisitor, Sendable {
    /// Encoded fields of the earlier state.
    @usableFromInline var before = FieldSlices()
    /// Encoded fields of the later state.
    @usableFromInline var after = FieldSlices()
    /// The index of the field to compare next.
    @usableFromInline var index = 0
    /// The changed and added leaves found so far.
    @usableFromInline var changes: [FieldChange] = []
    /// The removed leaves found so far.
    @usableFromInline var removedLeaves: [FieldChange] = []
    /// Values that a first event set to those of the blank state; `nil` after a later event.
    @usableFromInline var firstWrites: FirstWriteSet?
    /// Rules for values that a file does not show; `nil` to show all values.
    @usableFromInline var redaction: Redaction?
    /// The location fields of the compared state, if they are not shown.
    @usableFromInline var hiddenPlaces: HiddenPlaces?

    @usableFromInline init() {}

    /// Compares the next field of both states; returns true if the values differ or may differ.
    @inlinable mutating func compareNext() -> Bool {
        let (old, new) = (before.range(index), after.range(index))
        index += 1
        if hasSharedValues, let mayDiffer = before.mayDiffer(in: index - 1, from: after) {
            return mayDiffer
        }
        let oldBytes = unsafe before.writer.buffer.contents.bytes.extracting(old)
        return unsafe !oldBytes.isEqual(to: after.writer.buffer.contents.bytes.extracting(new))
    }

    /// True if both values of the field last compared fit in `smallFieldByteCount` bytes.
    @inlinable var isSmall: Bool {
        before.fits(index - 1, in: FieldSlices.smallFieldByteCount)
            && after.fits(index - 1, in: FieldSlices.smallFieldByteCount)
    }

    @inlinable mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        if compareNext() || hasFirstWrite { collect(name, value) }
    }

    /// True if a first event set the field last compared, or a value within it, to the blank value.
    @inlinable var hasFirstWrite: Bool { firstWrites?.isIn(field: index - 1) ?? false }

    @inlinable
    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    /// Adds the differing leaves of the field last compared to `changes` and `removedLeaves`.
    @inlinable mutating func collect<Value: FieldValue>(_ name: String, _ value: Value) {
        for change in differences(name, value) {
            if change.after == nil { removedLeaves.append(change) } else { changes.append(change) }
        }
    }

    /// Returns the differing leaves of the field last compared.
    @inlinable
    func differences<Value: FieldValue>(_ name: String, _ value: Value) -> [FieldChange] {
        if hasSharedValues, let changes = sharedDifferences(name, value) { return changes }
        let isHidden = hiddenPlaces?.contains(name) ?? false
        let before = FlatFields.of(
            earlierValue(Value.self), path: name, redaction, isHidden: isHidden)
        let after = FlatFields.of(value, path: name, redaction, isHidden: isHidden)
        guard let firstWrites else { return FieldChange.between(before, after) }
        return FieldChange.between(before.filter { !firstWrites.paths.contains($0.path) }, after)
            .map { $0.after == nil ? $0 : $0.withoutEarlierValue }
    }

    /// Returns the earlier value of the field last compared.
    @usableFromInline func earlierValue<Value: FieldValue>(_ type: Value.Type) -> Value {
        // Unwrapped before the cast, because `nil` can be cast to any optional type.
        if let parts = before.sharedValue(ofField: index - 1), let kept = parts as? Value {
            return kept
        }
        // A `BinaryWriter` wrote these bytes, so they can be read.
        let bytes = Array(before.writer.buffer[before.range(index - 1)])
        return (try? BinaryReader.read(Value.self, from: bytes)) ?? Value.blank
    }

    /// Returns a value's differing leaves; `nil` if it shares no parts, or if a version is empty.
    @usableFromInline
    func sharedDifferences<Value: FieldValue>(_ name: String, _ value: Value) -> [FieldChange]? {
        func changes<Parts: ComparedParts>(to new: Parts) -> [FieldChange]? {
            guard let old = earlierValue(Value.self) as? Parts, old.count > 0, new.count > 0 else {
                return nil
            }
            return Parts.changes(from: old, to: new, path: name, redaction)
        }
        guard let parts = value.sharedParts as? any ComparedParts else { return nil }
        return changes(to: parts)
    }

    /// True if either state has a value that is not encoded.
    @inlinable
    var hasSharedValues: Bool { !before.sharedValues.isEmpty || !after.sharedValues.isEmpty }
}

extension [FieldChange] {
    /// Returns the changes, and empties the list.
    @inlinable mutating func drain() -> Self {
        guard !isEmpty else { return [] }
        defer { self = [] }
        return self
    }
}

/// A visitor that writes differences as members of a JSON object.
///
/// A scalar or small field is one member; any other has a member for each changed or added leaf.
@usableFromInline struct ChangeWriter: FieldListVisitor, Sendable {
    @usableFromInline var collector = ChangeCollector()
    @usableFromInline var writer = JSONWriter()

    @usableFromInline init() {}

    @inlinable mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        guard collector.compareNext() || collector.hasFirstWrite else { return }
        guard Value.isScalar || collector.isSmall else {
            collector.collect(name, value)
            for change in collector.changes.drain() {
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
