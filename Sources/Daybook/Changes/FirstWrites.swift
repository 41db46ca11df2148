/// A visitor of a state's single values, for the search for those that an entity's first event sets.
///
/// A value that an event sets may equal the blank one: 0, an empty text, the first case of an enum.
/// It is told from one that the event leaves alone by folding the event again into a blank state in
/// which the value is another: an event that sets the value sets it there too. Values within
/// optionals, lists and maps are not asked about, because no such value exists in a blank state
/// unless an event adds it.
@usableFromInline
struct FirstWrites: FieldVisitor, Sendable {
    @usableFromInline typealias Failure = Never

    /// The bytes of all parts: single values, and optionals, lists, maps and internal fields.
    @usableFromInline var writer = BinaryWriter()
    /// The offset after the last byte of each part.
    @usableFromInline var endOffsets: [Int] = []
    /// True for each part that is a single value.
    @usableFromInline var isValue: [Bool] = []
    /// True for each part that is replaced by another value; may be shorter than the parts.
    @usableFromInline var isReplaced: [Bool] = []
    /// Paths of the parts; `nil` if they are not wanted.
    @usableFromInline var paths: [String]?
    /// Path of the record that is visited; empty for the state.
    @usableFromInline var path = ""

    @inlinable init() {}

    /// Visits all parts of a state, and forgets those of the state visited before.
    @inlinable
    mutating func visit<State: Record>(_ state: inout State) {
        writer.clear()
        endOffsets.removeAll(keepingCapacity: true)
        isValue.removeAll(keepingCapacity: true)
        state.fields(&self)
    }

    /// Returns the path of each part of a state.
    @inlinable
    mutating func paths<State: Record>(of state: inout State) -> [String] {
        paths = []
        visit(&state)
        defer { paths = nil }
        return paths ?? []
    }

    /// True if a part has the same bytes in both states.
    @inlinable
    func hasPart(_ index: Int, equalTo other: Self) -> Bool {
        let own = unsafe writer.buffer.contents.bytes.extracting(range(index))
        return unsafe own.isEqual(
            to: other.writer.buffer.contents.bytes.extracting(other.range(index)))
    }

    /// Returns the range of a part's bytes in the writer's buffer.
    @inlinable
    func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : endOffsets[index - 1])..<endOffsets[index]
    }

    /// True if the part that is visited is replaced.
    @inlinable var replaces: Bool {
        endOffsets.count < isReplaced.count && isReplaced[endOffsets.count]
    }

    /// Ends a part whose bytes were written.
    @inlinable
    mutating func end(isValue: Bool = true) {
        endOffsets.append(writer.buffer.count)
        self.isValue.append(isValue)
        paths?.append(path)
    }

    @inlinable
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        guard paths != nil else { return Value.visit(&self, &value) }
        let outer = path
        path = outer.isEmpty ? name : "\(outer).\(name)"
        Value.visit(&self, &value)
        path = outer
    }

    @inlinable
    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {
        Value.visit(&writer, &value)
        end(isValue: false)
    }

    @inlinable
    mutating func integer(_ value: inout Int64) {
        if replaces { value ^= 1 }
        writer.integer(&value)
        end()
    }

    @inlinable
    mutating func boolean(_ value: inout Bool) {
        if replaces { value.toggle() }
        writer.boolean(&value)
        end()
    }

    @inlinable
    mutating func text(_ value: inout String) {
        if replaces { value += "?" }
        writer.text(&value)
        end()
    }

    @inlinable
    mutating func digest(_ value: inout Digest) {
        if replaces { value.bits ^= 1 }
        writer.digest(&value)
        end()
    }

    @inlinable
    mutating func personal(_ value: inout PersonalText) {
        if replaces, !value.seal.isEmpty { value.seal[0] ^= 1 }
        writer.personal(&value)
        end()
    }

    @inlinable
    mutating func sealable(_ value: inout SealableText) {
        writer.sealable(&value)
        end(isValue: false)
    }

    @inlinable
    mutating func author(_ value: inout Author) {
        if replaces { value = Author((value.name ?? "") + "?") }
        writer.author(&value)
        end()
    }

    @inlinable
    mutating func personalInteger(_ value: inout PersonalInteger) {
        if replaces { value = PersonalInteger((value.value ?? 0) ^ 1) }
        writer.personalInteger(&value)
        end()
    }

    @inlinable
    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {
        if replaces, let other = Value.allCases.first(where: { $0 != value }) { value = other }
        writer.storedEnum(&value)
        end()
    }

    @inlinable
    mutating func json(_ value: inout String) {
        writer.text(&value)
        end(isValue: false)
    }

    @inlinable
    mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        writer.optional(&value)
        end(isValue: false)
    }

    @inlinable
    mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        writer.list(&value)
        end(isValue: false)
    }

    @inlinable
    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        writer.map(&value)
        end(isValue: false)
    }

    @inlinable
    mutating func record<Value: Record>(_ value: inout Value) {
        value.fields(&self)
    }
}

/// A search for the values that an entity's first event sets to those of the blank state.
///
/// Reuse a search for many entities, because it keeps its buffers.
@usableFromInline
struct FirstWriteSearch: Sendable {
    /// The parts of the blank state.
    @usableFromInline var before = FirstWrites()
    /// The parts of the state after the event.
    @usableFromInline var after = FirstWrites()
    /// The parts of a blank state in which some values are replaced by others.
    @usableFromInline var replaced = FirstWrites()
    /// The parts of that state after the event.
    @usableFromInline var folded = FirstWrites()

    @inlinable init() {}

    /// Returns the paths of the values that an event sets to those of the blank state.
    ///
    /// - Parameters:
    ///   - evolve: applies the event to a state.
    ///   - blank: the state before the event.
    ///   - state: the state after the event; it is not changed.
    @inlinable
    mutating func paths<State: Record>(
        _ evolve: (inout State) -> Void, from blank: State, to state: inout State
    ) -> Set<String> {
        var unchanged = blank
        before.visit(&unchanged)
        after.visit(&state)
        // Both have the same parts, because only records that are always there are entered.
        let isAsked = before.endOffsets.indices.map {
            before.isValue[$0] && before.hasPart($0, equalTo: after)
        }
        guard isAsked.contains(true) else { return [] }
        var found: [Int] = []
        // All are replaced at once, unless the event then changes something else too.
        if fold(evolve, blank, isAsked) {
            found = isAsked.indices.filter { isAsked[$0] && sets($0) }
        } else {
            var single = isAsked.map { _ in false }
            for index in isAsked.indices where isAsked[index] {
                single[index] = true
                _ = fold(evolve, blank, single)
                if sets(index) { found.append(index) }
                single[index] = false
            }
        }
        guard !found.isEmpty else { return [] }
        let paths = before.paths(of: &unchanged)
        return Set(found.map { paths[$0] })
    }

    /// Folds the event into a blank state with other values.
    ///
    /// - Returns: false if a part that was not replaced differs from the state after the event.
    @inlinable
    mutating func fold<State: Record>(
        _ evolve: (inout State) -> Void, _ blank: State, _ isReplaced: [Bool]
    ) -> Bool {
        var state = blank
        replaced.isReplaced = isReplaced
        replaced.visit(&state)
        evolve(&state)
        folded.visit(&state)
        return isReplaced.indices.allSatisfy {
            isReplaced[$0] || folded.hasPart($0, equalTo: after)
        }
    }

    /// True if the event set a replaced value, or if the value cannot be another one.
    @inlinable
    func sets(_ index: Int) -> Bool {
        !folded.hasPart(index, equalTo: replaced) || before.hasPart(index, equalTo: replaced)
    }
}
