/// One field that differs between two states.
public struct FieldChange: Hashable, Sendable {
    /// The path of the field, such as `totals.feedMl`.
    public var path: String
    /// The earlier value as JSON; `nil` if the field was added.
    public var before: String?
    /// The later value as JSON; `nil` if the field was removed.
    public var after: String?
    /// True for a moment, whose JSON is a number of microseconds since 1970.
    public var isMoment: Bool

    @inlinable
    public init(path: String, before: String?, after: String?, isMoment: Bool = false) {
        self.path = path
        self.before = before
        self.after = after
        self.isMoment = isMoment
    }
}
