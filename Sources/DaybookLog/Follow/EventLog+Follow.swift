public import Daybook

extension EventLog {
    /// Follows the log: returns the events after a position, and then each that is committed.
    ///
    /// The sequence throws `.beyondEnd` if the log ends before the position: it is older than what
    /// was noted, and its next events would be left out.
    ///
    /// - Parameters:
    ///   - position: the last position to leave out.
    ///   - mayBeAhead: `true` to wait until the log reaches the position instead.
    public func follow(
        after position: Position = .origin, matching query: Query = .all,
        mayBeAhead: Bool = false
    ) -> EventFollower {
        EventFollower(log: self, query: query, start: .position(position, mayBeAhead: mayBeAhead))
    }

    /// Follows the log after a head, which the log must contain.
    ///
    /// The sequence throws `.headMissing` if it does not: events were removed or rewritten since
    /// the head was noted, or this is another log.
    @_disfavoredOverload
    public func follow(after head: Head, matching query: Query = .all) -> EventFollower {
        EventFollower(log: self, query: query, start: .head(head))
    }

    /// Follows the events of a set, decoded; those of other kinds are left out.
    ///
    /// The sequence throws `.beyondEnd` if the log ends before the position.
    ///
    /// - Parameters:
    ///   - position: the last position to leave out.
    ///   - query: selects among the events, for example those with the tag of one entity.
    ///   - mayBeAhead: `true` to wait until the log reaches the position instead.
    public func follow<Event: EventSet>(
        _ events: Event.Type, after position: Position = .origin, matching query: Query = .all,
        mayBeAhead: Bool = false
    ) -> DecodedFollower<Event> {
        follow(after: position, matching: query, mayBeAhead: mayBeAhead).decoded(as: events)
    }

    /// Follows the state of one entity: returns the state now, and the newest after each change.
    ///
    /// - Parameters:
    ///   - projection: a type with which exactly one projection of the log's catalogue folds.
    ///   - id: any of the entity's ids.
    public func states<Target: Projection>(
        _ projection: Target.Type, of id: String
    ) -> StateFollower<Target> {
        StateFollower(log: self, id: id)
    }
}
