package import Daybook

/// A reader of the stored events of a walk, with a cache of event kinds.
///
/// Most events belong to one entity and have the newest schema version, and are read without a
/// copy. A class, so that closures that run for every event hold one reference.
package final class WalkEvents {
    /// The walk, which selects the entities to read and knows their ids.
    public let walk: EntityWalk
    private let catalogue: Catalogue
    /// The latest `occurredAt` of the events to read, inclusive, by the devices' clocks.
    private let latest: Instant
    /// The id of the only entity to read; `nil` to read several entities.
    private let onlyID: String?
    /// True if each entity has only one id.
    private let hasSingleIDs: Bool
    /// The UTF-8 of the noun and the colon with which the entities' tags begin.
    private let tagPrefix: [UInt8]
    /// The share of the entities that this thread reads; other threads read the other entities.
    private let share: EntityShare
    /// The newest ids of the entities to read; `nil` for all entities of the share.
    private let chosenIDs: Set<String>?
    /// The number of events read here that another thread counts, because the first of their
    /// entities belongs to its share.
    public private(set) var repeatedCount = 0
    /// The event kinds read so far, by their rows in the table `names`.
    private var kinds: [Kind?] = []

    /// An event kind, with the information whether its events must be upcast.
    private struct Kind {
        /// The event kind, in the schema version of the stored events.
        var name: EventKind
        /// True if this is the newest schema version of the kind.
        var isNewest: Bool
    }

    /// Creates a reader of a walk's events.
    ///
    /// - Parameters:
    ///   - validThrough: excludes events that occurred after this time, by the devices' clocks.
    ///   - share: the part of the entities to read; all entities by default.
    ///   - chosenIDs: the newest ids of the entities to read; `nil` for all entities of the share.
    public init(
        along walk: EntityWalk, _ catalogue: Catalogue, validThrough: Instant?,
        _ share: EntityShare = .whole, only chosenIDs: Set<String>? = nil
    ) {
        self.share = share
        self.chosenIDs = chosenIDs
        self.walk = walk
        self.catalogue = catalogue
        latest = validThrough ?? Instant(microseconds: .max)
        onlyID = walk.key
        hasSingleIDs = walk.identities.isEmpty
        tagPrefix = Array(walk.projection.prefix.utf8)
    }

    /// Calls `body` with a stored event, once for each entity to read that the event is about.
    ///
    /// - Returns: `false` if `body` returned `false`, which ends the read.
    func forEachEntity(
        _ position: UInt64, _ header: EventHeader, _ bytes: RawSpan, _ names: Shared<Names>,
        _ body: (borrowing EventView, String) throws(LogError) -> Bool
    ) throws(LogError) -> Bool {
        guard header.occurredAt <= latest else { return true }
        let kind: Kind
        let id: String?
        do throws(CorruptRecord) {
            kind = try self.kind(header.kind, names)
            let ids = try self.ids(header, bytes)
            guard ids.count > 0 || !hasSingleIDs else { return true }
            let isPlain = hasSingleIDs && kind.isNewest && ids.count == 1
            if isPlain, share.count > 1 {
                let id = bytes.extracting(ids.first)
                let isShared = try id.isASCII ? share.holds(id) : share.holds(id.readText())
                guard isShared else { return true }
            }
            id = isPlain ? try bytes.extracting(ids.first).readText().nfc : nil
        } catch {
            throw .corrupt(table: "events", key: position, error)
        }
        if let id {
            if let onlyID, id != onlyID { return true }
            if let chosenIDs, !chosenIDs.contains(id) { return true }
            let payload = bytes.extracting(header.payloadOffset...)
            return try body(EventView(header.envelope(at: position), kind.name, payload), id)
        }
        let event = try catalogue.newest(
            RecordedEvent(position, header, bytes, names.value))
        let keys = walk.keys(of: event)
        if let first = keys.first, !share.holds(first), keys.contains(where: share.holds) {
            repeatedCount += 1
        }
        for key in keys where share.holds(key) && chosenIDs?.contains(key) ?? true {
            guard try body(event.view, key) else { return false }
        }
        return true
    }

    /// True if the walk reads events of a kind, whatever their schema version.
    func reads(_ kind: EventKind) -> Bool {
        walk.projection.kinds.contains { $0.stem == kind.stem }
    }

    /// Returns the event kind in a row of `names`, from the cache if possible.
    private func kind(
        _ row: UInt16, _ names: Shared<Names>
    ) throws(CorruptRecord) -> Kind {
        let row = Int(row)
        if row < kinds.count, let known = kinds[row] { return known }
        while kinds.count <= row { kinds.append(nil) }
        // A copy of the name, so that threads share no reference count.
        let known = try names.value.kind(UInt16(row))
        let name = EventKind(String(decoding: Array(known.name.utf8), as: UTF8.self)) ?? known
        let kind = Kind(name: name, isNewest: catalogue.upcasters[name] == nil)
        kinds[row] = kind
        return kind
    }

    /// Returns the number of an event's tags that have the walk's noun, and the byte range of the
    /// id in the first of them.
    private func ids(
        _ header: EventHeader, _ bytes: RawSpan
    ) throws(CorruptRecord) -> (count: Int, first: Range<Int>) {
        var (count, first) = (0, 0..<0)
        var offset = EventHeader.byteCount
        try header.forEachTag(in: bytes) { tag in
            offset += 1 + tag.byteCount
            guard tag.begins(with: tagPrefix) else { return }
            count += 1
            if count == 1 { first = offset - tag.byteCount + tagPrefix.count..<offset }
        }
        return (count, first)
    }
}

extension RawSpan {
    /// Returns the bytes as text; throws if they are not valid UTF-8.
    fileprivate func readText() throws(CorruptRecord) -> String {
        guard let text = text(from: 0, byteCount: byteCount) else {
            throw .notUTF8(field: "tags", found: copied())
        }
        return text
    }
}
