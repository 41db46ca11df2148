public import Daybook
import DaybookLMDB

/// An entity with the number of its events and the times of the first and last of them.
package struct TaggedEntity: Hashable, Sendable {
    /// The tag that identifies the entity.
    public var tag: Tag
    /// The number of events with the tag.
    public var eventCount: Int
    /// The earliest time at which one of the events occurred, by the devices' clocks.
    public var first: Instant
    /// The latest time at which one of the events occurred, by the devices' clocks.
    public var last: Instant
}

/// Access to the event kinds, tag nouns (such as `baby`) and entities that occur in a log.
///
///     let babies = try log.contents.ids(of: "baby", limit: 10)
public struct LogContents: Sendable {
    let log: EventLog
}

extension LogContents {
    /// Returns all event kinds that occur in the log, each schema version as a kind of its own.
    public func kinds() throws(LogError) -> Set<EventKind> {
        let names = try log.file.names(in: try log.file.beginReading())
        return Set(
            names.rows.lazy.filter { $0.category == .kind }.compactMap { EventKind($0.text) })
    }

    /// Returns the names of all time zones of events in the log, the first used first.
    package func zones() throws(LogError) -> [String] {
        let names = try log.file.names(in: try log.file.beginReading())
        return names.rows.filter { $0.category == .zone }.map(\.text)
    }

    /// True if the log has people, whose texts, names and places are encrypted.
    package func hasPeople() throws(LogError) -> Bool {
        let transaction = try log.file.beginReading()
        return try transaction.lastKey(of: log.file.tables.people) != nil
    }

    /// True if the log has an event of one of these kinds, in any schema version.
    public func hasAny(of kinds: Set<EventKind>) throws(LogError) -> Bool {
        guard !kinds.isEmpty else { return false }
        let names = try log.file.names(in: try log.file.beginReading())
        let query = Query(Query.Item(kinds: kinds))
        let all = names.allVersions(of: query).items?.first?.kinds ?? kinds
        // A kind gets its row in `names` with its first event.
        return all.contains { names.row(of: $0) != nil }
    }

    /// Returns the nouns of all tags in the log, such as `sleep` of `sleep:7`, by one lookup per
    /// noun.
    public func nouns() throws(LogError) -> Set<String> {
        var nouns: Set<String> = []
        let transaction = try log.file.beginReading()
        var start = [UInt8(ascii: "-")]
        while true {
            var noun: String?
            try transaction.scanRows(log.file.tables.tags, from: start.rawSpan) {
                (key, _) throws(LogError) in
                let bytes = key.copied()
                noun = bytes.firstIndex(of: UInt8(ascii: ":")).map {
                    String(decoding: bytes[..<$0], as: UTF8.self)
                }
                return false
            }
            guard let found = noun else { return nouns }
            nouns.insert(found)
            // The byte after the colon sorts after all tags of this noun.
            start = Array(found.utf8) + [UInt8(ascii: ":") + 1]
        }
    }

    /// Returns the ids with a prefix, from the tags of a noun such as `baby`, in byte order.
    ///
    /// - Parameters:
    ///   - start: the prefix of the ids; empty for all ids.
    ///   - limit: the maximum number of ids; further ids are left out.
    public func ids(
        of noun: String, startingWith start: String = "", limit: Int
    ) throws(LogError) -> [String] {
        let prefix = Array("\(noun):\(start)".utf8)
        let idStart = noun.utf8.count + 1
        var ids: [String] = []
        let transaction = try log.file.beginReading()
        try transaction.scanRows(log.file.tables.tags, from: prefix.rawSpan) {
            (key, _) throws(LogError) in
            guard ids.count < limit, key.begins(with: prefix),
                let id = key.text(from: idStart, byteCount: key.byteCount - idStart)
            else { return false }
            ids.append(id)
            return true
        }
        return ids
    }

    /// Scans the log and returns every entity for which the log has tags, ordered by tag.
    ///
    /// - Parameters:
    ///   - noun: the noun of the entities; `nil` for all nouns.
    ///   - kinds: the kinds of the counted events, in any schema version; empty for all kinds.
    ///   - through: the last position to read; the newest one if `nil`.
    ///   - validThrough: excludes events that occurred after this time, by the devices' clocks.
    package func entities(
        of noun: String?, kinds: Set<EventKind> = [], through: Position? = nil,
        validThrough: Instant? = nil
    ) throws(LogError) -> [TaggedEntity] {
        let names = try log.file.names(in: try log.file.beginReading())
        let wanted = Set(
            names.allVersions(of: Query(Query.Item(kinds: kinds))).items?.first?.kinds
                .compactMap { names.row(of: $0) } ?? [])
        let prefix = noun.map { Array("\($0):".utf8) } ?? []
        var found: [TaggedEntity] = []
        var indices: [Tag: Int] = [:]
        try LogScan(log).forEach { (position, header, bytes) throws(LogError) in
            guard position <= through?.rawValue ?? .max else { return false }
            let moment = header.occurredAt
            guard moment <= validThrough ?? Instant(microseconds: .max),
                kinds.isEmpty || wanted.contains(header.kind)
            else { return true }
            try header.forEachTag(in: bytes, at: position) { (tag) throws(CorruptRecord) in
                guard tag.begins(with: prefix) else { return }
                guard let text = tag.text(from: 0, byteCount: tag.byteCount) else {
                    throw .notUTF8(field: "tag", found: tag.copied())
                }
                let tag = Tag(stored: text)
                let index = indices[tag, default: found.count]
                guard index < found.count else {
                    indices[tag] = index
                    found.append(
                        TaggedEntity(tag: tag, eventCount: 1, first: moment, last: moment))
                    return
                }
                found[index].eventCount += 1
                found[index].first = min(found[index].first, moment)
                found[index].last = max(found[index].last, moment)
            }
            return true
        }
        return found.sortedByBytes { $0.tag.text }
    }
}
