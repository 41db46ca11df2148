public import Daybook
public import DaybookLog

extension ProjectionReading {
    /// Returns the sorted ids of all entities that a report with this kind of subject can be about.
    public func subjects(_ subject: ReportSubject) throws(LogError) -> [String] {
        var ids: Set<String> = []
        let query = Query(Query.Item(kinds: subject.kinds))
        try log.reader(query, ReadWindow(through: through)).forEach { (event) throws(LogError) in
            for tag in event.tags where tag.noun == subject.noun { ids.insert(String(tag.id)) }
            return true
        }
        return ids.sorted()
    }

    /// Memory that reports about all entities keep of each event that they read, in bytes. Measured
    /// for monthly reports about 100 babies; docs/benchmarks.md.
    private static let bytesPerEventOfAll = 4_000

    /// Feeds many reports all events that they read, in one pass over the log per round.
    ///
    /// If the query of a report has grown after a round, the report is fed from the start again in
    /// the next round.
    ///
    /// - Parameter reports: reports of one kind, each about another entity.
    package func gather(_ reports: inout [any PendingReport]) throws(LogError) {
        for report in reports.prefix(1) { try requireKeys(for: report) }
        var queries = reports.map(\.firstQuery)
        var growing = Array(reports.indices)
        while !growing.isEmpty {
            let query = ReportQuery.union(of: growing.map { queries[$0] })
            try announceEvents(of: query, byteCount: Self.bytesPerEventOfAll)
            let events = try events(query, of: growing.map { reports[$0] })
            let index = EventIndex(events)
            var grown: [Int] = []
            for number in growing {
                for event in index.events(of: queries[number]) {
                    try feed(event, to: &reports[number])
                }
                let wider = queries[number].union(reports[number].query)
                guard wider != queries[number] else { continue }
                queries[number] = wider
                reports[number].restart()
                grown.append(number)
            }
            growing = grown
        }
    }

    /// Returns the events that match the joint query of many reports, in their newest schema
    /// versions. Entities without an event in the time stretch of any report are left out.
    private func events(
        _ query: ReportQuery, of reports: [any PendingReport]
    ) throws(LogError) -> [RecordedEvent] {
        let found = try events(matchingMany: query.events.items ?? [])
        guard let stretch = TimeStretch.union(of: reports.map(\.stretch)) else {
            return try upcasted(try recordedEvents(query, with: found), of: query)
        }
        let touching = try folding { () throws(FoldError) in
            var touching: [RecordedEvent] = []
            for event in found where try reports[0].mayTouch(stretch, catalogue.upcast(event)) {
                touching.append(event)
            }
            return touching
        }
        return try upcasted(try recordedEvents(query, with: touching), of: query)
    }

    /// Maximum number of query items that are read one by one; for more, a scan is faster.
    private static let maxSeparateReads = 64

    /// Returns all events that match any of the query items, and possibly some that match none.
    private func events(matchingMany items: [Query.Item]) throws(LogError) -> [RecordedEvent] {
        let window = ReadWindow(through: through)
        guard items.count > Self.maxSeparateReads else {
            return try log.reader(Query(items: items) ?? .all, window).collect()
        }
        var found: [UInt64: RecordedEvent] = [:]
        var single: [Query.Item] = []
        var scanned = TagSet()
        for (kinds, items) in Dictionary(grouping: items, by: \.kinds) {
            if let events = try events(ofFew: kinds, atMost: 16 * items.count) {
                for event in events { found[event.position.rawValue] = event }
                continue
            }
            for item in items where !scanned.insert(item.tags.first) { single.append(item) }
        }
        if let query = Query(items: single) {
            for event in try log.reader(query, window).collect() {
                found[event.position.rawValue] = event
            }
        }
        if !scanned.isEmpty {
            try log.contents.scan(through: through, taggedBy: scanned.mayContain) {
                (event) throws(LogError) in found[event.position.rawValue] = event
            }
        }
        return found.values.sorted { $0.position < $1.position }
    }

    /// Returns all events of the given kinds; `nil` if more than `limit`, or without kinds.
    private func events(
        ofFew kinds: Set<EventKind>, atMost limit: Int
    ) throws(LogError) -> [RecordedEvent]? {
        guard !kinds.isEmpty else { return nil }
        let window = ReadWindow(through: through)
        let events = try log.reader(Query(Query.Item(kinds: kinds)), window)
            .collect(limit: limit + 1)
        return events.count <= limit ? events : nil
    }
}

extension TimeStretch {
    /// Returns the time stretch that covers all stretches; `nil` (unbounded) if one of the
    /// stretches is `nil`.
    fileprivate static func union(of stretches: [TimeStretch?]) -> TimeStretch? {
        var union: TimeStretch?
        for stretch in stretches {
            guard let stretch else { return nil }
            union = union?.union(stretch) ?? stretch
        }
        return union
    }
}

/// A set of many tags to search for in one scan. Most tags of the log are ruled out by their last
/// eight bytes alone, which select a bit of a filter.
private struct TagSet {
    /// A filter of 4,096 bits that rules out most tags of the log without a look-up in `digests`.
    private var bits = Array(repeating: UInt64(0), count: 64)
    /// Hashes (FNV-1a) of all tags of the set.
    private var digests: Set<UInt64> = []

    var isEmpty: Bool { digests.isEmpty }

    /// Adds a tag to the set.
    ///
    /// - Returns: `false` if the tag cannot be searched for: it is short, or not ASCII, so that the
    ///   log may store it in another Unicode form.
    mutating func insert(_ tag: Tag?) -> Bool {
        guard let bytes = tag.map({ Array($0.text.utf8) }), bytes.count >= 8,
            bytes.allSatisfy({ $0 < 0x80 })
        else { return false }
        let end = bytes.suffix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let (word, bit) = Self.filterBit(of: end)
        bits[word] |= bit
        var digest = FNV1a()
        for byte in bytes { digest.add(byte) }
        digests.insert(digest.value)
        return true
    }

    /// True for each tag of the set, and very rarely for another tag.
    func mayContain(_ tag: RawSpan) -> Bool {
        guard tag.byteCount >= 8 else { return false }
        let end = unsafe tag.unsafeLoadUnaligned(fromByteOffset: tag.byteCount - 8, as: UInt64.self)
        let (word, bit) = Self.filterBit(of: UInt64(littleEndian: end))
        guard bits[word] & bit != 0 else { return false }
        var digest = FNV1a()
        for offset in 0..<tag.byteCount {
            digest.add(unsafe tag.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
        }
        return digests.contains(digest.value)
    }

    /// Returns the index of the filter's word and its bit that a tag's last eight bytes select.
    private static func filterBit(of end: UInt64) -> (word: Int, bit: UInt64) {
        let slot = (end &* 0x9E37_79B9_7F4A_7C15) >> 52
        return (Int(slot >> 6), 1 << (slot & 63))
    }
}

/// An index of events in memory by kind and tag.
private struct EventIndex {
    private let events: [RecordedEvent]
    /// Finds the indices of the events that match a query.
    private var index = QueryIndex()
    /// Indices of the events with each tag.
    private var indicesByTag: [Tag: [Int]] = [:]

    init(_ events: [RecordedEvent]) {
        self.events = events
        for (place, event) in events.enumerated() {
            index.add(event.kind, event.tags, at: place)
            for tag in event.tags { indicesByTag[tag, default: []].append(place) }
        }
    }

    /// Returns the events that match a query, and those of their entities if the query asks.
    func events(of query: ReportQuery) -> [RecordedEvent] {
        guard var places = index.places(for: query.events).map(Set.init) else {
            return query.events(among: events)
        }
        for newest in query.newest { places.formUnion(index.places(for: newest) ?? []) }
        if let entities = query.entities {
            var fresh = Set(places.flatMap { entities.tags(events[$0]) })
            var known: Set<Tag> = []
            while !fresh.isEmpty {
                known.formUnion(fresh)
                let more = fresh.flatMap { indicesByTag[$0] ?? [] }
                places.formUnion(more)
                fresh = Set(more.flatMap { entities.tags(events[$0]) }).subtracting(known)
            }
        }
        return query.events(among: places.sorted().map { events[$0] })
    }
}
