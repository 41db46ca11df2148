public import CivilTime
public import EventSourcing

extension EventLog {
    /// Folds the events that match `query` into one state, in place from the memory map.
    ///
    /// Only those are read where the indexes tell them apart well enough; else all are scanned.
    ///
    /// - Parameters:
    ///   - query: what the projection needs; kinds it does not read are passed over.
    ///   - through: events up to this position; to the newest by default.
    ///   - validThrough: events that had happened by then, by the devices' clocks.
    ///   - catalogue: whose upcasters bring older kinds to the newest.
    @inlinable
    public func fold<Target: Projection>(
        _ projection: Target.Type, matching query: Query, into state: inout Target.State,
        through: Position? = nil, validThrough: Instant? = nil,
        upcasting catalogue: Catalogue? = nil
    ) throws(LogError) {
        let (readers, head) = try kindReaders(Target.Event.self, catalogue)
        let bound = min(through?.rawValue ?? head, head)
        guard bound > 0 else { return }
        let latest = validThrough ?? Instant(microseconds: .max)
        try visit(query, through: Position(bound)) {
            (position, header, bytes) throws(LogError) in
            if header.occurredAt <= latest {
                try take(projection, header, bytes, position, readers, catalogue, into: &state)
            }
            return true
        }
    }
}
