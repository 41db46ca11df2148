import Daybook
import DaybookLMDB
import Synchronization

/// Stored tags that are not in Unicode normalisation form C, as earlier programs wrote them.
///
/// The table `tagForms` lists them: under the form C of a tag in UTF-8, a zero byte and the stored
/// tag in UTF-8, an empty value. It is derived, and complete up to the position in the row
/// `formsThrough` of `meta`. This value holds the tags of later events.
struct TagForms {
    /// The position up to which the stored tags are here or in the table.
    fileprivate var through: UInt64 = 0
    fileprivate var tags: [[UInt8]: [[UInt8]]] = [:]

    fileprivate mutating func add(_ tag: RawSpan) throws(CorruptRecord) {
        guard let (key, stored) = try Self.row(of: tag) else { return }
        if !(tags[key]?.contains(stored) ?? false) { tags[key, default: []].append(stored) }
    }

    /// The normalised tag with a zero byte behind it, and the stored tag; `nil` for a tag in form C
    /// and for one whose form C is too long for a tag.
    static func row(of tag: RawSpan) throws(CorruptRecord) -> (key: [UInt8], stored: [UInt8])? {
        guard !tag.isASCII else { return nil }
        guard let text = tag.text(from: 0, byteCount: tag.byteCount) else {
            throw .notUTF8(field: "tag", found: tag.copied())
        }
        let normal = Array(text.nfc.utf8)
        let stored = tag.copied()
        return normal == stored || normal.count > 255 ? nil : (normal + [0], stored)
    }
}

extension EventLog {
    /// Widens a query to every layout of its kinds and every stored form of its tags.
    func everyForm(
        _ query: Query, _ names: Names, in transaction: borrowing some LogTransaction & ~Copyable
    ) throws(LogError) -> Query {
        let query = names.everyLayout(query)
        guard let items = query.items,
            items.contains(where: { $0.tags.contains { !$0.text.isASCII } })
        else { return query }
        var wider: [Query.Item] = []
        for item in items {
            var variants = [Query.Item(kinds: item.kinds)]
            for tag in item.tags {
                let forms = try forms(of: tag, in: transaction)
                variants = variants.flatMap { variant in
                    forms.map { form in
                        var variant = variant
                        variant.tags.insert(form)
                        return variant
                    }
                }
            }
            wider += variants
        }
        return Query(items: wider) ?? query
    }

    /// The tag in normalisation form C, then every other form in which the log holds it.
    func forms(
        of tag: Tag, in transaction: borrowing some LogTransaction & ~Copyable
    ) throws(LogError) -> [Tag] {
        guard !tag.text.isASCII else { return [tag] }
        let normal = tag.text.nfc
        let key = Array(normal.utf8) + [0]
        var stored = try unlistedForms(in: transaction).tags[key] ?? []
        if try formsThrough(in: transaction) != nil {
            try transaction.scanRows(tables.tagForms, from: key.rawSpan) { (row, _) in
                guard row.begins(with: key) else { return false }
                let form = row.copied(from: key.count)
                if !stored.contains(form) { stored.append(form) }
                return true
            }
        }
        return [Tag(stored: normal)]
            + stored.map { Tag(stored: String(decoding: $0, as: UTF8.self)) }
    }

    /// True where the log holds a tag in another form than C: its entity has no snapshots.
    func hasOtherForms(of tag: Tag) throws(LogError) -> Bool {
        guard !tag.text.isASCII else { return false }
        return try forms(of: tag, in: try beginReading()).count > 1
    }

    /// The position up to which the table `tagForms` is complete; `nil` in a log without it.
    func formsThrough(
        in transaction: borrowing some LogTransaction & ~Copyable
    ) throws(LogError) -> UInt64? {
        guard transaction.rows.version > 1 else { return nil }
        let key = Meta.formsThrough
        return try position(key.rawSpan, in: tables.meta, transaction)
    }

    /// The forms in events that the table does not cover yet, each of which is read once.
    private func unlistedForms(
        in transaction: borrowing some LogTransaction & ~Copyable
    ) throws(LogError) -> TagForms {
        let head = try lastPosition(in: transaction)
        var known = tagForms.withLock { $0 }
        let start = max(known.through, try formsThrough(in: transaction) ?? 0)
        guard start < head else { return known }
        if head - start > 2 * Self.indexLag {
            // Each tag once, and not once for each event.
            try forEachTagRow(in: transaction) { (tag) throws(CorruptRecord) in
                try known.add(tag)
            }
        } else {
            try scanEvents(start + 1...head, in: transaction) {
                (position, bytes) throws(LogError) in
                do throws(CorruptRecord) {
                    try EventHeader(decoding: bytes).forEachTag(in: bytes) {
                        (tag) throws(CorruptRecord) in try known.add(tag)
                    }
                } catch {
                    throw .corrupt(table: tables.events.name, key: position, error)
                }
                return true
            }
        }
        known.through = head
        tagForms.withLock { if $0.through < known.through { $0 = known } }
        return known
    }

    private func forEachTagRow(
        in transaction: borrowing some LogTransaction & ~Copyable,
        _ body: (RawSpan) throws(CorruptRecord) -> Void
    ) throws(LogError) {
        try transaction.scanRows(tables.tags, from: nil as RawSpan?) {
            (tag, _) throws(LogError) in
            do throws(CorruptRecord) {
                try body(tag)
            } catch {
                throw .damaged(table: tables.tags.name, row: tag.copied(), error)
            }
            return true
        }
    }

    /// Lists the forms of all tags in the log.
    func listForms(in transaction: inout LogWriting) throws(LogError) {
        var found: [(key: [UInt8], stored: [UInt8])] = []
        try forEachTagRow(in: transaction) { (tag) throws(CorruptRecord) in
            if let row = try TagForms.row(of: tag) { found.append(row) }
        }
        try list(found, in: &transaction)
    }

    /// Lists the forms of the tags of a batch of events.
    func listForms(of tags: TagRows, in transaction: inout LogWriting) throws(LogError) {
        var found: [(key: [UInt8], stored: [UInt8])] = []
        try tags.forEachTag { (tag, _) throws(LogError) in
            do throws(CorruptRecord) {
                if let row = try TagForms.row(of: tag) { found.append(row) }
            } catch {
                throw .damaged(table: tables.tags.name, row: tag.copied(), error)
            }
        }
        try list(found, in: &transaction)
    }

    private func list(
        _ found: [(key: [UInt8], stored: [UInt8])], in transaction: inout LogWriting
    ) throws(LogError) {
        var isNew = false
        for (key, stored) in found {
            let row = key + stored
            if try transaction.row(row.rawSpan, in: tables.tagForms) == nil { isNew = true }
            try transaction.put([], for: row.rawSpan, in: tables.tagForms)
        }
        guard isNew else { return }
        // Snapshots of these entities may be of the events under one form alone.
        try transaction.clear(tables.snapshots)
        try transaction.clear(tables.checkpoints)
    }
}

extension RawSpan {
    /// True for bytes below 128 alone.
    var isASCII: Bool {
        var offset = 0
        while offset + 8 <= byteCount {
            if integer(at: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
            offset += 8
        }
        while offset < byteCount {
            if integer(at: offset, as: UInt8.self) > 127 { return false }
            offset += 1
        }
        return true
    }
}
