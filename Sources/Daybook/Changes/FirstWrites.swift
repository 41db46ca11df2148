/// A visitor of a state's single values, for the search for those that an entity's first event sets.
///
/// A value that an event sets may equal the blank one: 0, an empty text, the first case of an enum.
/// It is told from one that the event leaves alone by folding the event again into a blank state in
/// which the value is another: an event that sets the value sets it there too. Values within
/// optionals, lists and maps are not asked about, because no such value exists in a blank state
/// unless an event adds it.
@usableFromInline struct FirstWrites: FieldVisitor, Sendable {
    @usableFromInline typealias Failure = Never

    /// The bytes of all parts: single values, and optionals, lists, maps and internal fields.
    @usableFromInline var writer = BinaryWriter()
    /// The offset after the last byte of each part.
    @usableFromInline var endOffsets: [Int] = []
    /// True for each part that is a single value.
    @usableFromInline var isValue: [Bool] = []
    /// True for each part that is replaced by another value; may be shorter than the parts.
    @usableFromInline var isReplaced: [Bool] = []
    /// The places of the parts; `nil` if they are not wanted.
    @usableFromInline var places: [Place]?
    /// Path of the record that is visited; empty for the state.
    @usableFromInline var path = ""
    /// Number of the state's fields visited so far, without internal ones.
    @usableFromInline var fieldCount = 0

    @usableFromInline struct Place: Sendable {
        @usableFromInline var path: String
        @usableFromInline var field: Int

        @inlinable init(path: String, field: Int) { (self.path, self.field) = (path, field) }
    }

    @inlinable init() {}

    /// Visits all parts of a state, and forgets those of the state visited before.
    @inlinable mutating func visit<State: Record>(_ state: inout State) {
        writer.clear()
        endOffsets.removeAll(keepingCapacity: true)
        isValue.removeAll(keepingCapacity: true)
        state.fields(&self)
    }

    /// Visits a state, and returns the place of each part.
    @inlinable mutating func places<State: Record>(of state: inout State) -> [Place] {
        (places, fieldCount) = ([], 0)
        visit(&state)
        defer { places = nil }
        return places ?? []
    }

    /// True if a part has the same bytes in both states.
    @inlinable func hasPart(_ index: Int, equalTo other: Self) -> Bool {
        let own = unsafe writer.buffer.contents.bytes.extracting(range(index))
        return unsafe own.isEqual(
            to: other.writer.buffer.contents.bytes.extracting(other.range(index)))
    }

    /// Returns the range of a part's bytes in the writer's buffer.
    @inlinable func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : endOffsets[index - 1])..<endOffsets[index]
    }

    /// True if the part that is visited is replaced.
    @inlinable var replaces: Bool {
        endOffsets.count < isReplaced.count && isReplaced[endOffsets.count]
    }

    /// Writes a part and ends it.
    @inlinable mutating func write<Value: FieldValue>(_ value: inout Value, isValue: Bool = true) {
        Value.visit(&writer, &value)
        endOffsets.append(writer.buffer.count)
        self.isValue.append(isValue)
        places?.append(Place(path: path, field: fieldCount - 1))
    }

    @inlinable mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        guard places != nil else { return Value.visit(&self, &value) }
        let outer = path
        if outer.isEmpty { fieldCount += 1 }
        path = outer.isEmpty ? name : "\(outer).\(name)"
        Value.visit(&self, &value)
        path = outer
    }

    @inlinable
    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {
        write(&value, isValue: false)
    }

    @inlinable mutating func integer(_ value: inout Int64) {
        if replaces { value ^= 1 }
        write(&value)
    }

    @inlinable mutating func boolean(_ value: inout Bool) {
        if replaces { value.toggle() }
        write(&value)
    }

    @inlinable mutating func text(_ value: inout String) {
        if replaces { value += "?" }
        write(&value)
    }

    @inlinable mutating func digest(_ value: inout Digest) {
        if replaces { value.bits ^= 1 }
        write(&value)
    }

    @inlinable mutating func personal(_ value: inout PersonalText) {
        if replaces, !value.seal.isEmpty { value.seal[0] ^= 1 }
        write(&value)
    }

    @inlinable mutating func sealable(_ value: inout SealableText) { write(&value, isValue: false) }

    @inlinable mutating func author(_ value: inout Author) {
        if replaces { value = Author((value.name ?? "") + "?") }
        write(&value)
    }

    @inlinable mutating func personalInteger(_ value: inout PersonalInteger) {
        if replaces { value = PersonalInteger((value.value ?? 0) ^ 1) }
        write(&value)
    }

    @inlinable mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {
        if replaces, let other = Value.allCases.first(where: { $0 != value }) { value = other }
        write(&value)
    }

    @inlinable mutating func json(_ value: inout String) { write(&value, isValue: false) }

    @inlinable mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        write(&value, isValue: false)
    }

    @inlinable mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        write(&value, isValue: false)
    }

    @inlinable mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        write(&value, isValue: false)
    }

    @inlinable mutating func record<Value: Record>(_ value: inout Value) { value.fields(&self) }
}

/// The values that an entity's first event set to those of the blank state.
@usableFromInline struct FirstWriteSet: Sendable {
    @usableFromInline var paths: [String] = []
    /// True for each field of the state that is or has such a value, without internal fields.
    @usableFromInline var isInField: [Bool] = []

    @inlinable init() {}

    /// True if a field of the state is or has such a value.
    @inlinable func isIn(field index: Int) -> Bool { index < isInField.count && isInField[index] }

    @inlinable mutating func add(_ place: FirstWrites.Place) {
        paths.append(place.path)
        while isInField.count <= place.field { isInField.append(false) }
        isInField[place.field] = true
    }
}

/// A search for the values that an entity's first event sets to those of the blank state.
///
/// Reuse a search for many entities, because it keeps its buffers and the parts of a blank state.
@usableFromInline struct FirstWriteSearch: Sendable {
    /// The type of the state of the last search; `nil` before the first.
    @usableFromInline var type: ObjectIdentifier?
    /// The parts of the blank state.
    @usableFromInline var before = FirstWrites()
    @usableFromInline var places: [FirstWrites.Place] = []
    /// The parts of the state after the event.
    @usableFromInline var after = FirstWrites()
    /// The parts of a blank state in which some values are replaced by others.
    @usableFromInline var replaced = FirstWrites()
    /// The parts of that state after the event.
    @usableFromInline var folded = FirstWrites()
    /// True for each part that has the same value in the blank state and after the event.
    @usableFromInline var isAsked: [Bool] = []

    @inlinable init() {}

    /// Returns the values that an event (`evolve`) sets to those of `blank`, the blank state.
    @inlinable mutating func find<State: Record>(
        _ evolve: (inout State) -> Void, from blank: State, to state: inout State
    ) -> FirstWriteSet {
        var found = FirstWriteSet()
        if type != ObjectIdentifier(State.self) {
            type = ObjectIdentifier(State.self)
            var unchanged = blank
            places = before.places(of: &unchanged)
        }
        after.visit(&state)
        // Both have the same parts, because only records that are always there are entered.
        isAsked.removeAll(keepingCapacity: true)
        for index in before.isValue.indices {
            isAsked.append(before.isValue[index] && before.hasPart(index, equalTo: after))
        }
        guard isAsked.contains(true) else { return found }
        // All are replaced at once, unless the event then changes something else too.
        if fold(evolve, blank, isAsked) {
            for index in isAsked.indices where isAsked[index] && sets(index) {
                found.add(places[index])
            }
            return found
        }
        var single = isAsked.map { _ in false }
        for index in isAsked.indices where isAsked[index] {
            single[index] = true
            _ = fold(evolve, blank, single)
            if sets(index) { found.add(places[index]) }
            single[index] = false
        }
        return found
    }

    /// Folds the event into a blank state with other values; false if it then changes other parts.
    @inlinable mutating func fold<State: Record>(
        _ evolve: (inout State) -> Void, _ blank: State, _ isReplaced: [Bool]
    ) -> Bool {
        var state = blank
        replaced.isReplaced = isReplaced
        replaced.visit(&state)
        evolve(&state)
        folded.visit(&state)
        for index in isReplaced.indices
        where !isReplaced[index] && !folded.hasPart(index, equalTo: after) {
            return false
        }
        return true
    }

    /// True if the event set a replaced value, or if the value cannot be another one.
    @inlinable func sets(_ index: Int) -> Bool {
        !folded.hasPart(index, equalTo: replaced) || before.hasPart(index, equalTo: replaced)
    }
}
