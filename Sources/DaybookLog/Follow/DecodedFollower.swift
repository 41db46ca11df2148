public import Daybook

/// An event of a set that a follower has reached.
public struct FollowedEvent<Event: EventSet>: Equatable, Sendable {
    /// The event, with those of its personal texts that are not erased.
    public var event: Event
    /// The event as recorded, with its times, tags and time zone.
    public var recorded: RecordedEvent

    /// The position of the event in the log.
    public var position: Position { recorded.position }
}

/// The events of a set in a log, first those that are recorded, then each as soon as it is
/// committed.
///
///     for try await next in log.follow(Stopwatch.Event.self, after: position) {
///         switch next.event { … }
///     }
///
/// Like `EventFollower`, but events are decoded as for a projection: an event of an older layout is
/// upcast by the log's catalogue, and one of a kind that the set does not have is left out. The
/// sequence throws `LogError.fold` at an event that the set cannot read: a payload that is corrupt,
/// or a version of its kind that is newer than the program.
public struct DecodedFollower<Event: EventSet>: AsyncSequence, Sendable {
    public typealias Element = FollowedEvent<Event>
    public typealias Failure = LogError

    /// The follower of the same events as recorded; its query has the kinds of the set.
    let follower: EventFollower

    public func makeAsyncIterator() -> Iterator {
        Iterator(
            cursor: FollowCursor(follower.log, follower.start), query: follower.query,
            decoder: EventDecoder(follower.log.catalogue))
    }

    /// The iterator over the events.
    public struct Iterator: AsyncIteratorProtocol {
        let cursor: FollowCursor
        let query: Query
        let decoder: EventDecoder<Event>
        /// The events of the last read that were not returned yet, the newest first.
        private var rest: [FollowedEvent<Event>] = []

        init(cursor: FollowCursor, query: Query, decoder: EventDecoder<Event>) {
            self.cursor = cursor
            self.query = query
            self.decoder = decoder
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(LogError) -> FollowedEvent<Event>? {
            if rest.isEmpty {
                let read = try await cursor.next {
                    [query, decoder] (log, after, newest) throws(LogError) in
                    try .events(
                        matching: query, of: log, after: after, newest: newest, decoder.decode)
                }
                rest = read?.reversed() ?? []
            }
            return Task.isCancelled ? nil : rest.popLast()
        }
    }
}

extension EventFollower {
    /// Returns a follower of those events that are in a set, decoded.
    ///
    ///     for try await next in log.follow(after: head).decoded(as: Stopwatch.Event.self) { … }
    public func decoded<Event: EventSet>(as events: Event.Type) -> DecodedFollower<Event> {
        let query = query.narrowed(to: Set(Event.kinds.map(\.kind)))
        return DecodedFollower(follower: EventFollower(log: log, query: query, start: start))
    }
}

/// A decoder of recorded events into the cases of an event set, with their personal texts.
struct EventDecoder<Event: EventSet>: Sendable {
    private let catalogue: Catalogue
    private let reader = KindReader<Event>.shared()
    /// The kinds of the set whose events may have personal texts.
    private let kindsWithTexts: [EventKind: EventDescription]

    /// Creates a decoder that upcasts events by a catalogue.
    init(_ catalogue: Catalogue) {
        self.catalogue = catalogue
        kindsWithTexts = Dictionary(
            Event.kinds.map(\.description).filter(\.hasPersonalTexts).map { ($0.kind, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns an event of the set; `nil` for an event of a kind that the set does not have.
    ///
    /// - Parameter text: returns a personal text by its index in the event, from 0.
    func decode(
        _ recorded: RecordedEvent, _ text: (UInt32) throws(LogError) -> String?
    ) throws(LogError) -> FollowedEvent<Event>? {
        let newest = try catalogue.newest(recorded)
        let textCount = try mappingFoldErrors(
            try mappingPayloadErrors(
                of: newest,
                try unsafe kindsWithTexts[newest.kind]?.seals(newest.payload.contents.bytes).count))
        var texts: [UInt32: String] = [:]
        for index in 0..<UInt32(textCount ?? 0) { texts[index] = try text(index) }
        let event = try mappingFoldErrors(try reader.read(newest, filling: texts))
        return event.map { FollowedEvent(event: $0, recorded: recorded) }
    }
}

extension Query {
    /// Returns the query of those events of this one that have one of the kinds, or one of those
    /// that the query itself names.
    fileprivate func narrowed(to kinds: Set<EventKind>) -> Query {
        let items = items ?? [Query.Item()]
        return Query(
            items: items.map { $0.kinds.isEmpty ? Query.Item(kinds: kinds, tags: $0.tags) : $0 })
            ?? self
    }
}
