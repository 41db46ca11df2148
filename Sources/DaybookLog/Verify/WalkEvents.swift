package import Daybook

/// A reader of a walk's events from stored rows, with a cache of kinds.
///
/// Most events are of one entity and in the newest schema version, and are read without a copy. A
/// class, so that closures that run for every event hold one reference.
package final class WalkEvents {
    /// The walk: the entities to read, with their ids.
    public let walk: EntityWalk
    private let catalogue: Catalogue
    /// The latest `occurredAt` of the events to read.
    private let latest: Instant
    /// The id of the only entity to read; `nil` for several entities.
    private let key: String?
    /// True if no entity has a second id.
    private let hasPlainIds: Bool
    /// The UTF-8 of the noun and colon at the start of the entities' tags.
    private let prefix: [UInt8]
    /// The share of the entities that this thread reads.
    private let share: EntityShare
    /// The newest ids of the entities to read; `nil` for all entities of the share.
    private let chosen: Set<String>?
    /// The number of events read so far whose first entity belongs to another share.
    public private(set) var repeatedCount = 0
    /// The kinds seen so far, by rows of `names`.
    private var kinds: [Kind?] = []

    /// A kind of events, with the need to upcast it.
    private struct Kind {
        /// The kind, in the version in which events are stored.
        var name: EventKind
        /// True for the newest schema version of the kind.
        var isNewest: Bool
    }

    /// Creates a reader of a walk's events.
    ///
    /// - Parameters:
    ///   - validThrough: excludes events that occurred after this time, by the devices' clocks.
    ///   - share: the share of the entities to read; all entities by default.
    ///   - chosen: the newest ids of the entities to read; `nil` for all entities of the share.
    public init(
        along walk: EntityWalk, _ catalogue: Catalogue, validThrough: Instant?,
        _ share: EntityShare = .whole, only chosen: Set<String>? = nil
    ) {
        self.share = share
        self.chosen = chosen
        self.walk = walk
        self.catalogue = catalogue
        latest = validThrough ?? Instant(microseconds: .max)
        key = walk.key
        hasPlainIds = walk.identities.isEmpty
        prefix = Array(walk.projection.prefix.utf8)
    }

    /// Calls `body` with a stored event and each entity of the share that it is about.
    ///
    /// - Returns: `false` if `body` returned `false`.
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
            guard ids.count > 0 || !hasPlainIds else { return true }
            let isPlain = hasPlainIds && kind.isNewest && ids.count == 1
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
            if let key, id != key { return true }
            if let chosen, !chosen.contains(id) { return true }
            let payload = bytes.extracting(header.payloadOffset...)
            return try body(EventView(header.envelope(at: position), kind.name, payload), id)
        }
        let event = try catalogue.newest(
            RecordedEvent(stored: position, header, bytes, names.value))
        let keys = walk.keys(of: event)
        if let first = keys.first, !share.holds(first), keys.contains(where: share.holds) {
            repeatedCount += 1
        }
        for key in keys where share.holds(key) && chosen?.contains(key) ?? true {
            guard try body(event.view, key) else { return false }
        }
        return true
    }

    /// Returns the kind in a row of `names`, from the cache if possible.
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

    /// Returns the number of ids of the walk's noun among an event's tags, and the first id's
    /// range.
    private func ids(
        _ header: EventHeader, _ bytes: RawSpan
    ) throws(CorruptRecord) -> (count: Int, first: Range<Int>) {
        var (count, first) = (0, 0..<0)
        var offset = EventHeader.byteCount
        try header.forEachTag(in: bytes) { tag in
            offset += 1 + tag.byteCount
            guard tag.begins(with: prefix) else { return }
            count += 1
            if count == 1 { first = offset - tag.byteCount + prefix.count..<offset }
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

extension Catalogue {
    /// Returns the event upcast to the newest schema version of its kind.
    func newest(_ event: RecordedEvent) throws(LogError) -> RecordedEvent {
        try mappingFoldErrors(try upcast(event))
    }
}
