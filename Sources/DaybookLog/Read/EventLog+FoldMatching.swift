public import Daybook

extension EventLog {
    /// Folds the events that match `query` into one state: a forward to `reader`, for removal.
    @inlinable
    public func fold<Target: Projection>(
        _ projection: Target.Type, matching query: Query, into state: inout Target.State,
        through: Position? = nil, validThrough: Instant? = nil,
        upcasting catalogue: Catalogue? = nil
    ) throws(LogError) {
        try reader(query, ReadWindow(through: through)).fold(
            projection, into: &state, validThrough: validThrough, upcasting: catalogue)
    }
}
