import Daybook
import DaybookLMDB

/// A query in a form for stored events, which compares tags as bytes without creating strings.
struct StoredFilter {
    /// One item of a query; an event matches it by its kind and all of the item's tags.
    struct Item {
        /// For each row of the table `names`, true if its kind matches; empty if any kind matches.
        var wantedKindFlags: [Bool]
        /// The UTF-8 of the tags that an event must have.
        var tags: [[UInt8]]
    }

    /// True if the query matches every event.
    private let matchesAll: Bool
    /// The items of the query; an event matches the query if it matches one of them.
    private let items: [Item]
    /// For each row of the table `names`, true if the row is an event kind.
    private let kindRowFlags: [Bool]

    init(_ query: Query, _ names: Names) {
        matchesAll = query.items == nil
        kindRowFlags = [false] + names.rows.map { $0.category == .kind }
        items = (query.items ?? []).map { item in
            var wantedKindFlags: [Bool] = []
            if !item.kinds.isEmpty {
                wantedKindFlags = Array(repeating: false, count: names.rows.count + 1)
                for row in item.kinds.compactMap({ names.row(of: $0) }) {
                    wantedKindFlags[Int(row)] = true
                }
            }
            return Item(
                wantedKindFlags: wantedKindFlags, tags: item.tags.map { Array($0.text.utf8) })
        }
    }

    /// Returns the header of a stored event if the event matches the query; `nil` if it does not.
    ///
    /// - Throws: `.corrupt` for a malformed event or one of an unknown kind.
    func match(_ position: UInt64, _ bytes: RawSpan) throws(LogError) -> EventHeader? {
        do throws(CorruptRecord) {
            let header = try EventHeader(decoding: bytes)
            return try matches(header, bytes) ? header : nil
        } catch {
            throw .corrupt(table: "events", key: position, error)
        }
    }

    /// True if the event matches the query; throws `.unknownName` if its kind is unknown.
    private func matches(_ header: EventHeader, _ bytes: RawSpan) throws(CorruptRecord) -> Bool {
        // An event of an unknown kind is an error and is not skipped.
        let kindRowFlags = kindRowFlags.contents
        guard Int(header.kind) < kindRowFlags.count, kindRowFlags[Int(header.kind)] else {
            throw .unknownName(header.kind)
        }
        guard !matchesAll else { return true }
        // Spans, because this runs for each event and a copy of an array changes reference counts.
        let items = items.contents
        for index in items.indices where try items[index].matches(header, bytes) { return true }
        return false
    }
}

extension StoredFilter.Item {
    /// True if the stored event has one of the item's kinds and all of its tags.
    fileprivate func matches(
        _ header: EventHeader, _ bytes: RawSpan
    ) throws(CorruptRecord) -> Bool {
        let wantedKindFlags = wantedKindFlags.contents
        guard
            wantedKindFlags.isEmpty
                || (Int(header.kind) < wantedKindFlags.count && wantedKindFlags[Int(header.kind)])
        else {
            return false
        }
        let tags = tags.contents
        for index in tags.indices where try !header.hasTag(tags[index].contents, in: bytes) {
            return false
        }
        return true
    }
}

extension EventHeader {
    /// True if the stored event with this header has the tag with these bytes.
    func hasTag(_ wanted: Span<UInt8>, in bytes: RawSpan) throws(CorruptRecord) -> Bool {
        var offset = Self.byteCount
        for _ in 0..<tagCount {
            guard offset < payloadOffset else { throw invalidTags }
            let count = Int(bytes.integer(at: offset, as: UInt8.self))
            guard offset + 1 + count <= payloadOffset else { throw invalidTags }
            if count == wanted.count, bytes.hasBytes(wanted, at: offset + 1) { return true }
            offset += 1 + count
        }
        return false
    }
}

extension RawSpan {
    /// True if the bytes from `offset` on begin with `wanted`.
    ///
    /// Compares from the end, because the ids at the end of tags differ more often than the nouns.
    fileprivate func hasBytes(_ wanted: Span<UInt8>, at offset: Int) -> Bool {
        var index = wanted.count
        while index > 0 {
            index -= 1
            if integer(at: offset + index, as: UInt8.self) != wanted[index] { return false }
        }
        return true
    }
}
