/// One field that differs between two states.
@usableFromInline package struct FieldChange: Hashable, Sendable {
    /// The path of the field within the state, such as `totals.feedMl`.
    public var path: String
    /// The earlier value as JSON; `nil` if the field was added.
    public var before: String?
    /// The later value as JSON; `nil` if the field was removed.
    public var after: String?
    /// True if the field is a point in time, written in JSON as microseconds since 1970.
    public var isMoment: Bool

    @inlinable public init(path: String, before: String?, after: String?, isMoment: Bool = false) {
        self.path = path
        self.before = before
        self.after = after
        self.isMoment = isMoment
    }

    /// The change as one that adds the field.
    @usableFromInline var withoutEarlierValue: FieldChange {
        var change = self
        change.before = nil
        return change
    }

    /// Appends the path and the later value to `bytes`.
    @usableFromInline func append(to bytes: inout [UInt8]) {
        bytes += path.utf8
        bytes.append(after == nil ? 0 : 1)
        bytes += (after ?? "").utf8
        bytes.append(0)
    }
}
