package import Daybook
import DaybookLMDB

extension LogContents {
    /// Returns these events and all other events of their entities, sorted by position.
    ///
    /// The events in a time range do not always explain an entity: a sleep that ended this week may
    /// have begun last week. The search is repeated for the entities of the added events, so that
    /// merged entities are complete.
    ///
    /// - Parameters:
    ///   - noun: the noun of the entities' tags, such as `sleep` in `sleep:7`.
    ///   - kinds: the kinds of the added events, in any schema version; empty for all kinds.
    ///   - through: the last position to read; the newest by default.
    package func completing(
        _ events: [RecordedEvent], withEntities noun: String, kinds: Set<EventKind> = [],
        through: Position? = nil
    ) throws(LogError) -> [RecordedEvent] {
        let transaction = try log.file.beginReading()
        let names = try log.file.names(in: transaction)
        let head = try log.file.tables.lastPosition(in: transaction)
        let bound = min(through?.rawValue ?? head, head)
        guard bound > 0, !events.isEmpty else { return events }
        let item = Query.Item(kinds: kinds)
        let kinds =
            kinds.isEmpty ? [] : names.allVersions(of: Query(item)).items?.first?.kinds ?? kinds
        var found: [UInt64: RecordedEvent] = [:]
        found.reserveCapacity(2 * events.count)
        for event in events { found[event.position.rawValue] = event }
        var known: Set<Tag> = []
        var fresh = EntityEvents(log: log).entities(noun, of: found.values, but: known)
        while !fresh.isEmpty {
            known.formUnion(fresh)
            let more = try EntityEvents(log: log).events(
                tagged: Array(fresh), kinds, 1...bound, names, in: transaction
            ) { found[$0] != nil }
            for event in more { found[event.position.rawValue] = event }
            fresh = EntityEvents(log: log).entities(noun, of: more, but: known)
        }
        return found.values.sorted { $0.position < $1.position }
    }

    /// Returns the ids of all tags of a noun, such as `7` of `sleep:7` for the noun `sleep`.
    ///
    /// - Returns: `nil` if there are more than `limit` ids.
    package func ids(of noun: String, atMost limit: Int) throws(LogError) -> Set<String>? {
        let prefix = Array("\(noun):".utf8)
        var ids: Set<String> = []
        let transaction = try log.file.beginReading()
        try transaction.scanRows(log.file.tables.tags, from: prefix.rawSpan) {
            (key, _) throws(LogError) in
            guard key.begins(with: prefix) else { return false }
            guard let id = key.text(from: prefix.count, byteCount: key.byteCount - prefix.count)
            else {
                let found = key.copied()
                throw .damaged(
                    table: log.file.tables.tags.name, row: found,
                    .notUTF8(field: "tag", found: found))
            }
            ids.insert(id)
            return ids.count <= limit
        }
        return ids.count <= limit ? ids : nil
    }

    /// Returns the number of tags of a noun, such as `sleep` in `sleep:7`, without their ids.
    package func idCount(of noun: String) throws(LogError) -> Int {
        let prefix = Array("\(noun):".utf8)
        var count = 0
        let transaction = try log.file.beginReading()
        try transaction.scanRows(log.file.tables.tags, from: prefix.rawSpan) {
            (key, _) throws(LogError) in
            guard key.begins(with: prefix) else { return false }
            count += 1
            return true
        }
        return count
    }

    /// Scans the log and calls `body` with each event that has a tag accepted by `isWanted`.
    ///
    /// - Parameter isWanted: gets the UTF-8 of each tag, valid only during the call.
    package func scan(
        through: Position? = nil, taggedBy isWanted: (RawSpan) -> Bool,
        _ body: (RecordedEvent) throws(LogError) -> Void
    ) throws(LogError) {
        let names = try log.file.names(in: try log.file.beginReading())
        try LogScan(log).forEach { (position, header, bytes) throws(LogError) in
            guard position <= through?.rawValue ?? .max else { return false }
            var matches = false
            try header.forEachTag(in: bytes, at: position) { matches = matches || isWanted($0) }
            if matches { try body(try RecordedEvent(position, header, bytes, names)) }
            return true
        }
    }
}
