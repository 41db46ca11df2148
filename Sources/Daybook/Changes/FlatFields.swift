/// A visitor that lists the leaves of a value: its scalars and empty values, each with its path.
///
/// Comparisons of states compare leaves. Paths are written as in expressions: `notice.startUs`,
/// `pending[0]`.
@usableFromInline package struct FlatFields: FieldVisitor {
    public typealias Failure = Never

    /// A scalar or empty value within a larger value, and its path.
    @usableFromInline package struct Leaf: Hashable, Sendable {
        /// The field names that lead to the value, such as `totals.feedMl`.
        public var path: String
        /// The value as JSON.
        public var value: String
        /// True if the value is a point in time, given in JSON as microseconds since 1970.
        public var isMoment: Bool
        /// The JSON that a file shows in place of a hidden value; `nil` if the value is shown.
        public var replacement: String?

        public init(
            path: String, value: String, isMoment: Bool = false, replacement: String? = nil
        ) {
            self.path = path
            self.value = value
            self.isMoment = isMoment
            self.replacement = replacement
        }

        /// The value as JSON, as a file shows it.
        @usableFromInline var shown: String { replacement ?? value }

        /// The path without the indices or keys of list elements: `entries[].entryId`.
        public var field: String {
            guard path.utf8.contains(UInt8(ascii: "[")) else { return path }
            var field = ""
            var isNumber = false
            for character in path {
                if character == "]" { isNumber = false }
                if !isNumber { field.append(character) }
                if character == "[" { isNumber = true }
            }
            return field
        }
    }

    /// The path of the visited value.
    @usableFromInline var path: String
    @usableFromInline var leaves: [Leaf] = []
    /// Names of the record's top-level fields to list; `nil` for all fields.
    @usableFromInline var listedFields: [String]?
    /// Rules for values that are not shown; `nil` to show all values.
    @usableFromInline let redaction: Redaction?
    /// The location fields of the visited record, if they are not shown.
    @usableFromInline var hiddenPlaces: HiddenPlaces?

    @usableFromInline init(path: String, only: [String]? = nil, _ redaction: Redaction? = nil) {
        self.path = path
        listedFields = only
        self.redaction = redaction
    }

    /// Returns the leaves of a record's top-level fields whose names are in `only`.
    @inlinable static func of<Value: Record>(_ value: inout Value, only: [String]) -> [Leaf] {
        var visitor = FlatFields(path: "", only: only)
        value.fields(&visitor)
        return visitor.leaves
    }

    /// Returns the leaves of the value at a path (empty for the root), in the order of its fields.
    @inlinable public static func of<Value: FieldValue>(
        _ value: Value, path: String = "", _ redaction: Redaction? = nil
    ) -> [Leaf] {
        var visitor = FlatFields(path: path, redaction)
        var value = value
        Value.visit(&visitor, &value)
        return visitor.leaves
    }

    /// Returns the leaves of a field's value, hidden if the field is a part of a hidden location.
    @inlinable static func of<Value: FieldValue>(
        _ value: Value, path: String, _ redaction: Redaction?, isHidden: Bool
    ) -> [Leaf] {
        var leaves = of(value, path: path, redaction)
        guard isHidden else { return leaves }
        for index in leaves.indices { leaves[index].replacement = "null" }
        return leaves
    }

    @inlinable public mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        // Most names differ in length, which is compared without a call.
        if let listedFields,
            !listedFields.contains(where: { $0.utf8.count == name.utf8.count && $0 == name })
        {
            return
        }
        let inner = Self.of(
            value, path: path.isEmpty ? name : "\(path).\(name)", redaction,
            isHidden: hiddenPlaces?.contains(name) ?? false)
        leaves.append(contentsOf: inner)
    }

    @inlinable
    public mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    @inlinable public mutating func integer(_ value: inout Int64) { appendLeaf(value) }
    @inlinable public mutating func moment(_ value: inout Int64) {
        leaves.append(Leaf(path: path, value: "\(value)", isMoment: true))
    }
    @inlinable
    public mutating func tenths(_ value: inout Int64) { appendLeaf(Tenths(tenths: value)) }
    @inlinable public mutating func boolean(_ value: inout Bool) { appendLeaf(value) }
    @inlinable public mutating func text(_ value: inout String) { appendLeaf(value) }
    @inlinable public mutating func freeText(_ value: inout String) {
        leaves.append(Leaf(path: path, value: JSONWriter.text(value), replacement: hiddenText))
    }
    @inlinable public mutating func sealable(_ value: inout SealableText) { appendLeaf(value) }
    @inlinable public mutating func digest(_ value: inout Digest) { appendLeaf(value) }
    @inlinable public mutating func personal(_ value: inout PersonalText) { appendLeaf(value) }
    @inlinable public mutating func author(_ value: inout Author) { appendLeaf(value) }
    @inlinable
    public mutating func personalInteger(_ value: inout PersonalInteger) { appendLeaf(value) }
    @inlinable
    public mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) { appendLeaf(value) }

    @inlinable public mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        guard var some = value else { return appendLeaf(value) }
        Value.visit(&self, &some)
    }

    @inlinable public mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        guard !value.isEmpty else { return appendLeaf(value) }
        for (index, element) in value.enumerated() {
            leaves.append(contentsOf: Self.of(element, path: "\(path)[\(index)]", redaction))
        }
    }

    @inlinable public mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        guard !value.isEmpty else { return appendLeaf(value) }
        for (key, element) in value.sortedByKeyBytes() {
            let shown = redaction?.shown(key) ?? key
            leaves.append(
                contentsOf: Self.of(
                    element, path: path.isEmpty ? shown : "\(path).\(shown)", redaction))
        }
    }

    @inlinable public mutating func record<Value: Record>(_ value: inout Value) {
        let outerPlaces = hiddenPlaces
        if redaction != nil { hiddenPlaces = Value.places.map(HiddenPlaces.init) }
        value.fields(&self)
        hiddenPlaces = outerPlaces
    }

    @inlinable mutating func appendLeaf<Value: FieldValue>(_ value: Value) {
        var leaf = Leaf(path: path, value: JSONWriter.text(value))
        if let redaction {
            let shown = JSONWriter.text(value, redaction)
            if shown != leaf.value { leaf.replacement = shown }
        }
        leaves.append(leaf)
    }

    /// The JSON in place of a text that may be a person's words; `nil` if texts are shown.
    @usableFromInline var hiddenText: String? { redaction.map { _ in "\"\(Redaction.word)\"" } }
}

extension FieldChange {
    /// Returns the leaves that differ, in the order of `after`; removed leaves come last.
    ///
    /// A hidden value that changed is a change too, whose two values may look the same.
    @inlinable public static func between(
        _ before: [FlatFields.Leaf], _ after: [FlatFields.Leaf]
    ) -> [FieldChange] {
        let old = Dictionary(before.map { ($0.path, $0) }, uniquingKeysWith: { a, _ in a })
        let new = Set(after.map(\.path))
        var changes: [FieldChange] = []
        for leaf in after {
            let old = old[leaf.path]
            guard old?.value != leaf.value else { continue }
            changes.append(
                FieldChange(
                    path: leaf.path, before: old?.shown, after: leaf.shown,
                    isMoment: leaf.isMoment || old?.isMoment == true))
        }
        for leaf in before where !new.contains(leaf.path) {
            changes.append(
                FieldChange(
                    path: leaf.path, before: leaf.shown, after: nil, isMoment: leaf.isMoment))
        }
        return changes
    }
}

extension [FieldChange] {
    /// The changes without those of empty values that only appear or disappear with their parts.
    ///
    /// An empty list or map, and an absent optional, is itself a leaf: `[]`, `{}` or `null`. The
    /// leaf disappears when the value gets parts, and appears when the value loses all parts.
    package var withoutEmptied: [FieldChange] { filter { !$0.isEmptied(among: self) } }
}

extension FieldChange {
    /// True if the changed value is only empty (`{}`, `[]` or `null`): other changes of the same
    /// event add its first parts or remove its last ones.
    public func isEmptied(among others: some Sequence<FieldChange>) -> Bool {
        guard let empty = before ?? after, before == nil || after == nil,
            ["{}", "[]", "null"].contains(empty)
        else { return false }
        return others.contains { other in
            (after == nil ? other.before == nil : other.after == nil) && other.path.isPart(of: path)
        }
    }
}

extension String {
    /// True if this path leads to a field, element or member of the value at `path`.
    fileprivate func isPart(of path: String) -> Bool {
        guard utf8.count > path.utf8.count, utf8.starts(with: path.utf8) else { return false }
        let next = utf8[utf8.index(utf8.startIndex, offsetBy: path.utf8.count)]
        return next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
    }
}
