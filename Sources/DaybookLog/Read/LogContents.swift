public import Daybook
import DaybookLMDB

/// An entity as its tag shows it: the number of its events, and when they happened.
public struct TaggedEntity: Hashable, Sendable {
    public var tag: Tag
    /// The number of events with the tag.
    public var events: Int
    /// When the earliest of them happened, by the devices' clocks.
    public var first: Instant
    /// When the latest of them happened.
    public var last: Instant
}

/// The kinds, nouns and entities that a log has events of.
///
///     let babies = try log.contents.ids(of: "baby", limit: 10)
public struct LogContents: Sendable {
    let log: EventLog
}

extension EventLog {
    /// The kinds, nouns and entities that the log has events of.
    public var contents: LogContents { LogContents(log: self) }
}

extension LogContents {
    /// All kinds that the log has events of, in every layout.
    public func kinds() throws(LogError) -> Set<EventKind> {
        let names = try log.names(in: try log.beginReading())
        return Set(
            names.rows.lazy.filter { $0.category == .kind }.compactMap { EventKind($0.text) })
    }

    /// Finds out if any event of these kinds, in any layout, was ever appended.
    public func hasAny(of kinds: Set<EventKind>) throws(LogError) -> Bool {
        guard !kinds.isEmpty else { return false }
        let names = try log.names(in: try log.beginReading())
        let all = names.everyLayout(Query(Query.Item(kinds: kinds))).items?.first?.kinds ?? kinds
        // A kind gets its row with its first event.
        return all.contains { names.row(of: $0) != nil }
    }

    /// The nouns of all tags that the log has; one look at the index for each.
    public func nouns() throws(LogError) -> Set<String> {
        var nouns: Set<String> = []
        let transaction = try log.beginReading()
        var start = [UInt8(ascii: "-")]
        while true {
            var noun: String?
            try transaction.scanRows(log.tables.tags, from: start.rawSpan) {
                (key, _) throws(LogError) in
                let bytes = key.copied()
                noun = bytes.firstIndex(of: UInt8(ascii: ":")).map {
                    String(decoding: bytes[..<$0], as: UTF8.self)
                }
                return false
            }
            guard let found = noun else { return nouns }
            nouns.insert(found)
            // The byte after the colon begins the tags that follow all of this noun.
            start = Array(found.utf8) + [UInt8(ascii: ":") + 1]
        }
    }

    /// The first ids of a noun that begin with a text, in the order of their bytes.
    public func ids(
        of noun: String, startingWith start: String = "", limit: Int
    ) throws(LogError) -> [String] {
        let prefix = Array("\(noun):\(start)".utf8)
        let idStart = noun.utf8.count + 1
        var ids: [String] = []
        let transaction = try log.beginReading()
        try transaction.scanRows(log.tables.tags, from: prefix.rawSpan) {
            (key, _) throws(LogError) in
            guard ids.count < limit, key.begins(with: prefix),
                let id = key.text(from: idStart, byteCount: key.byteCount - idStart)
            else { return false }
            ids.append(id)
            return true
        }
        return ids
    }

    /// Every entity that events have a tag of, in one scan.
    ///
    /// - Parameters:
    ///   - noun: of the entities; `nil` for all.
    ///   - kinds: of the events, in any layout; empty for all.
    ///   - validThrough: leaves out what had not happened by then, by the devices' clocks.
    public func entities(
        of noun: String?, kinds: Set<EventKind> = [], through: Position? = nil,
        validThrough: Instant? = nil
    ) throws(LogError) -> [TaggedEntity] {
        let names = try log.names(in: try log.beginReading())
        let wanted = Set(
            names.everyLayout(Query(Query.Item(kinds: kinds))).items?.first?.kinds
                .compactMap { names.row(of: $0) } ?? [])
        let prefix = noun.map { Array("\($0):".utf8) } ?? []
        var found: [Tag: TaggedEntity] = [:]
        try log.scan { (position, header, bytes) throws(LogError) in
            guard position <= through?.rawValue ?? .max else { return false }
            let moment = header.occurredAt
            guard moment <= validThrough ?? Instant(microseconds: .max),
                kinds.isEmpty || wanted.contains(header.kind)
            else { return true }
            do throws(CorruptRecord) {
                try header.forEachTag(in: bytes) { (tag) throws(CorruptRecord) in
                    guard tag.begins(with: prefix) else { return }
                    guard let text = tag.text(from: 0, byteCount: tag.byteCount) else {
                        throw .notUTF8(field: "tag", found: tag.copied())
                    }
                    let tag = Tag(stored: text)
                    var entity =
                        found[tag]
                        ?? TaggedEntity(tag: tag, events: 0, first: moment, last: moment)
                    entity.events += 1
                    entity.first = min(entity.first, moment)
                    entity.last = max(entity.last, moment)
                    found[tag] = entity
                }
            } catch {
                throw .corrupt(table: "events", key: position, error)
            }
            return true
        }
        return found.values.sorted { $0.tag < $1.tag }
    }
}
