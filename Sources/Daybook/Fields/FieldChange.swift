/// One field that differs between two states.
public struct FieldChange: Hashable, Sendable {
    /// The names that lead to the field, such as `totals.feedMl`.
    public var path: String
    /// JSON; `nil` where the field was not there.
    public var before: String?
    /// JSON; `nil` where the field is gone.
    public var after: String?
    /// `true` for a moment, of which the JSON is the microseconds since 1970.
    public var isMoment: Bool

    @inlinable
    public init(path: String, before: String?, after: String?, isMoment: Bool = false) {
        self.path = path
        self.before = before
        self.after = after
        self.isMoment = isMoment
    }
}
