public import Daybook

/// Conditions on events, all of which an event must meet.
///
///     var filter = EventFilter(.any(of: [], "baby:b1"))
///     filter.actor = "kim"
///     filter.text = "fever"
///     let events = try FilteredReader(log, filter).collect(limit: 10)
public struct EventFilter: Sendable {
    /// The query that selects the events; a kind in it matches all schema versions.
    public var query: Query
    /// The kinds of the events, each in one schema version; empty for all kinds.
    public var kinds: Set<EventKind> = []
    /// The earliest time at which the events occurred, by the devices' clocks.
    public var from: Instant?
    /// The latest time at which the events occurred, by the devices' clocks.
    public var through: Instant?
    /// The actor of the event's commit, or the user's name in the payload's field `by`.
    ///
    /// No name matches an erased one.
    public var actor: String?
    /// The device of the event's commit, or in the payload's field `device`, or in a tag such as
    /// `device:d1`.
    public var device: String?
    /// A part of one of the payload's texts, in any case and normal form.
    ///
    /// The texts are ids, words of stored enums, keys of maps, users' names and personal texts that
    /// are not erased. An empty text is no condition.
    public var text: String?
    /// The condition on the payload; `nil` for none.
    package var condition: PayloadCondition?

    /// Creates a filter without conditions but those of a query.
    public init(_ query: Query = .all) { self.query = query }
}

/// A condition on payloads, such as a comparison of a field with a number.
package struct PayloadCondition: Sendable {
    /// A test of payloads of one kind.
    package struct Test: Sendable {
        /// Names of the top-level fields that the test needs.
        package var fields: [String]
        /// True if one of the fields may have personal values.
        package var readsPersonalValues: Bool
        /// True if a payload with these values meets the condition.
        package var isMet: @Sendable ([PayloadValue]) -> Bool

        package init(
            fields: [String], readsPersonalValues: Bool,
            isMet: @escaping @Sendable ([PayloadValue]) -> Bool
        ) {
            self.fields = fields
            self.readsPersonalValues = readsPersonalValues
            self.isMet = isMet
        }
    }

    /// The tests by kind.
    ///
    /// An event of another kind is tested in its newest schema version, and else meets no condition.
    package var tests: [EventKind: Test]

    package init(_ tests: [EventKind: Test]) { self.tests = tests }

    /// Returns the kinds of the events that may meet the condition.
    fileprivate func kinds(_ catalogue: Catalogue) -> Set<EventKind> {
        let older = catalogue.upcasters.keys.filter { kind in
            catalogue.newest(kind).map { tests[$0] != nil } ?? false
        }
        return Set(tests.keys).union(older)
    }
}

extension EventFilter {
    /// Returns the query of the events that may meet the conditions; `nil` if none can.
    func narrowedQuery(_ catalogue: Catalogue) -> Query? {
        let named = kinds.isEmpty ? query : query.narrowed(to: kinds)
        guard let condition else { return named }
        return named?.narrowed(to: condition.kinds(catalogue))
    }
}

extension Query {
    /// Returns the query of those events of this query that have one of some kinds; `nil` if none
    /// can have.
    fileprivate func narrowed(to kinds: Set<EventKind>) -> Query? {
        Query(
            items: (items ?? [Item()]).compactMap { item in
                // A kind in a query matches all schema versions.
                let stems = Set(item.kinds.map(\.stem))
                let both = stems.isEmpty ? kinds : kinds.filter { stems.contains($0.stem) }
                return both.isEmpty ? nil : Item(kinds: both, tags: item.tags)
            })
    }
}
