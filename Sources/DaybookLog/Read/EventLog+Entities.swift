package import Daybook
import DaybookLMDB

extension EventLog {
    /// These events, and with them all events of the entities they are about, in order.
    ///
    /// What a stretch of time shows of an entity is not all that made it: a sleep that ended this
    /// week was opened in the last one. Entities that an added event is about count too, so that
    /// what was merged is whole.
    package func complete(
        _ events: [RecordedEvent], withEntities noun: String, kinds: Set<EventKind> = [],
        through: Position? = nil
    ) throws(LogError) -> [RecordedEvent] {
        let transaction = try beginReading()
        let names = try names(in: transaction)
        let head = try lastPosition(in: transaction)
        let bound = min(through?.rawValue ?? head, head)
        guard bound > 0, !events.isEmpty else { return events }
        let item = Query.Item(kinds: kinds)
        let kinds = kinds.isEmpty ? [] : names.everyLayout(Query(item)).items?.first?.kinds ?? kinds
        var found: [UInt64: RecordedEvent] = [:]
        found.reserveCapacity(2 * events.count)
        for event in events { found[event.position.rawValue] = event }
        var known: Set<Tag> = []
        var fresh = entities(noun, of: found.values, but: known)
        while !fresh.isEmpty {
            known.formUnion(fresh)
            let more = try self.events(
                tagged: Array(fresh), kinds, 1...bound, names, in: transaction
            ) { found[$0] != nil }
            for event in more { found[event.position.rawValue] = event }
            fresh = entities(noun, of: more, but: known)
        }
        return found.values.sorted { $0.position < $1.position }
    }

    /// The ids of all tags of a noun; `nil` where there are more than `limit`.
    package func ids(of noun: String, atMost limit: Int) throws(LogError) -> Set<String>? {
        let prefix = Array("\(noun):".utf8)
        var ids: Set<String> = []
        let transaction = try beginReading()
        try transaction.scanRows(tables.tags, from: prefix.rawSpan) { (key, _) throws(LogError) in
            guard key.begins(with: prefix) else { return false }
            guard let id = key.text(from: prefix.count, byteCount: key.byteCount - prefix.count)
            else {
                let found = key.copied()
                throw .damaged(
                    table: tables.tags.name, row: found, .notUTF8(field: "tag", found: found))
            }
            ids.insert(id)
            return ids.count <= limit
        }
        return ids.count <= limit ? ids : nil
    }

    /// Shows every event that has a tag `isAsked` wants, in one scan that copies no other.
    ///
    /// - Parameter isAsked: gets the UTF-8 of each tag, good only inside.
    package func scan(
        through: Position? = nil, taggedBy isAsked: (RawSpan) -> Bool,
        _ body: (RecordedEvent) throws(LogError) -> Void
    ) throws(LogError) {
        let names = try names(in: try beginReading())
        try scan { (position, header, bytes) throws(LogError) in
            guard position <= through?.rawValue ?? .max else { return false }
            let event: RecordedEvent
            do throws(CorruptRecord) {
                var matches = false
                try header.forEachTag(in: bytes) { matches = matches || isAsked($0) }
                guard matches else { return true }
                event = try RecordedEvent(position, header, bytes, names)
            } catch {
                throw .corrupt(table: "events", key: position, error)
            }
            try body(event)
            return true
        }
    }

    private func entities(
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

    /// Events that carry one of many tags: from the index, and by one scan of the tail behind it.
    private func events(
        tagged tags: [Tag], _ kinds: Set<EventKind>, _ range: ClosedRange<UInt64>,
        _ names: Names, in transaction: borrowing ReadTransaction,
        but isKnown: (UInt64) -> Bool
    ) throws(LogError) -> [RecordedEvent] {
        let indexed = min(try indexedThrough(in: transaction), range.upperBound)
        var positions: Set<UInt64> = []
        for tag in tags {
            try forEachIndexed(IndexKey(tag), 1...max(indexed, 1), in: transaction) {
                if !isKnown($0) { positions.insert($0) }
                return true
            }
        }
        var events: [RecordedEvent] = []
        let opener = EventOpener(self)
        try transaction.visitRows(positions.sorted(), in: tables.events) {
            (position, bytes) throws(LogError) in
            let event = try opener.event(position, bytes, names, in: transaction)
            if kinds.isEmpty || kinds.contains(event.kind) { events.append(event) }
            return true
        }
        guard indexed < range.upperBound else { return events }
        let wanted = Set(tags)
        let query = kinds.isEmpty ? Query.all : Query(Query.Item(kinds: kinds))
        try scanMatches(
            StoredFilter(query, names), (indexed + 1)...range.upperBound, in: transaction
        ) { (position, header, bytes) throws(LogError) in
            let found: [Tag]
            found = try mappingRecordErrors(
                of: self.tables.events.name, position, try header.tags(in: bytes))
            guard found.contains(where: wanted.contains) else { return true }
            events.append(try opener.event(position, bytes, names, in: transaction))
            return true
        }
        return events
    }
}
