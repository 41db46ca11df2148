/// A visitor that counts the elements of top-level lists and maps, without visiting them.
@usableFromInline struct PartCounts: FieldListVisitor {
    /// The names of the lists and maps whose elements are counted.
    private let wantedNames: Set<String>
    /// The number of elements of each wanted list or map visited so far.
    private var counts: [String: Int] = [:]

    /// Returns the number of elements of each wanted list or map of a record.
    @usableFromInline
    static func of<Value: Record>(_ value: inout Value, _ wanted: Set<String>) -> [String: Int] {
        var visitor = PartCounts(wantedNames: wanted)
        value.fields(&visitor)
        return visitor.counts
    }

    @usableFromInline mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        guard !Value.isScalar, wantedNames.contains(name) else { return }
        counts[name] = value.sharedParts?.count ?? (value as? any Collection)?.count
    }

    @usableFromInline
    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}
}
