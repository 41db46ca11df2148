import Daybook
import DaybookLMDB

/// A search for the events of entities.
struct EntityEvents {
    let log: EventLog

    /// Returns the tags of these events with a noun such as `sleep`, except the known tags.
    func entities(
        _ noun: String, of events: some Sequence<RecordedEvent>, but known: Set<Tag>
    ) -> Set<Tag> {
        let prefix = noun + ":"
        var tags: Set<Tag> = []
        for event in events {
            for tag in event.tags where tag.text.hasPrefix(prefix) && !known.contains(tag) {
                tags.insert(tag)
            }
        }
        return tags
    }

    /// Returns the events of a range that have one of these tags, from the index and from a scan of
    /// the events after the index.
    ///
    /// - Parameters:
    ///   - kinds: the kinds of the events; empty for all kinds.
    ///   - isKnown: true for the position of an event that need not be returned.
    func events(
        tagged tags: [Tag], _ kinds: Set<EventKind>, _ range: ClosedRange<UInt64>,
        _ names: Names, in transaction: borrowing ReadTransaction,
        but isKnown: (UInt64) -> Bool
    ) throws(LogError) -> [RecordedEvent] {
        let indexed = min(try log.file.tables.indexedThrough(in: transaction), range.upperBound)
        var positions: Set<UInt64> = []
        for tag in tags {
            try log.file.tables.forEachIndexed(IndexKey(tag), 1...max(indexed, 1), in: transaction)
            {
                if !isKnown($0) { positions.insert($0) }
                return true
            }
        }
        var events: [RecordedEvent] = []
        let opener = EventOpener(log)
        try transaction.visitRows(positions.sorted(), in: log.file.tables.events) {
            (position, bytes) throws(LogError) in
            let event = try opener.event(position, bytes, names, in: transaction)
            if kinds.isEmpty || kinds.contains(event.kind) { events.append(event) }
            return true
        }
        guard indexed < range.upperBound else { return events }
        let wanted = Set(tags)
        let query = kinds.isEmpty ? Query.all : Query(Query.Item(kinds: kinds))
        try log.file.tables.scanMatches(
            StoredFilter(query, names), (indexed + 1)...range.upperBound, in: transaction
        ) { (position, header, bytes) throws(LogError) in
            let found = try header.tags(in: bytes, at: position)
            guard found.contains(where: wanted.contains) else { return true }
            events.append(try opener.event(position, bytes, names, in: transaction))
            return true
        }
        return events
    }
}
