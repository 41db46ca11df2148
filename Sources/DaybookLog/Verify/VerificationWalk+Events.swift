import Daybook
import DaybookLMDB

/// An event kind in a log, with the data that is needed to check each event of the kind.
final class CheckedKind {
    let kind: EventKind
    /// The prefix of the kind's row keys in the index.
    let indexKey: IndexKey
    /// The catalogue's description of the kind; `nil` if the catalogue does not know it.
    let description: EventDescription?
    /// True if an upcaster of the catalogue converts events of the kind to a newer schema version.
    let isUpcast: Bool

    init(_ kind: EventKind, row: UInt16, in catalogue: Catalogue) {
        self.kind = kind
        indexKey = IndexKey(kind: row)
        description = catalogue.events[kind]
        isUpcast = catalogue.upcasters[kind] != nil
    }
}

/// The byte ranges of the tags of one stored event; its memory is reused for the next event.
struct StoredTags {
    /// The byte range of each tag in the stored event.
    private(set) var ranges: [Range<Int>] = []

    /// Replaces the ranges by those of another event; throws `.notUTF8` for an invalid tag.
    mutating func read(_ header: EventHeader, _ bytes: RawSpan) throws(CorruptRecord) {
        ranges.removeAll(keepingCapacity: true)
        var offset = EventHeader.byteCount
        try header.forEachTag(in: bytes) { (tag) throws(CorruptRecord) in
            guard tag.isASCII || tag.text(from: 0, byteCount: tag.byteCount) != nil else {
                throw .notUTF8(field: "tags", found: tag.copied())
            }
            offset += 1 + tag.byteCount
            ranges.append(offset - tag.byteCount..<offset)
        }
    }

    /// True if the tag with an index equals an earlier tag of the event.
    func isRepeated(_ index: Int, in bytes: RawSpan) -> Bool {
        let tag = bytes.extracting(ranges[index])
        return ranges[..<index].contains { tag.isEqual(to: bytes.extracting($0)) }
    }

    /// True if the event has the given tag.
    func contains(_ tag: Tag, in bytes: RawSpan) -> Bool {
        let isThere = tag.text.withUTF8Bytes { text in
            ranges.contains { unsafe text.bytes.isEqual(to: bytes.extracting($0)) }
        }
        // The order of marks in a tag that is not in normalisation form C does not matter.
        return isThere || ranges.contains { bytes.extracting($0).tag == tag }
    }
}

extension RawSpan {
    /// The tag with these bytes of UTF-8.
    var tag: Tag { Tag(stored: text(from: 0, byteCount: byteCount) ?? "") }
}

// Checks of one event.
extension VerificationWalk {
    /// Checks the tags, the payload and the texts of an event whose row matches its checksum.
    ///
    /// - Parameter first: the first position of the event's commit.
    mutating func checkEvent(
        _ position: UInt64, _ bytes: RawSpan, of commit: CommitRecord, startingAt first: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        let header: EventHeader
        let kind: CheckedKind
        do throws(CorruptRecord) {
            header = try EventHeader(decoding: bytes)
            kind = try self.kind(header.kind)
            try tags.read(header, bytes)
            guard names.knownZone(header.zone) != nil else {
                throw CorruptRecord.unknownName(header.zone)
            }
        } catch {
            return result.report(position, "record", "\(error)")
        }
        checkTags(position, kind, bytes)
        // Up to there the index shows the last positions, with a look-up for each of its keys.
        if position > indexedThrough {
            try checkLast(position, header.kind, bytes, transaction)
        }
        if UInt64(header.commitOffset) != position - first || header.recordedAt != commit.recordedAt
        {
            result.report(
                position, "record",
                "the event's offset in its commit or its recording time does not match the commit "
                    + "at \(first)")
        }
        try checkPayload(position, header, kind, bytes, transaction)
        let last = first + UInt64(commit.eventCount) - 1
        try checkSeparateValues(position, header, kind.kind, bytes, through: last, transaction)
    }

    /// Checks that the tags of an event are valid, and adds them to the expected index digest.
    private mutating func checkTags(_ position: UInt64, _ kind: CheckedKind, _ bytes: RawSpan) {
        let isIndexed = position <= indexedThrough
        if isIndexed { totals.expectedIndex.add(position, kind.indexKey) }
        for index in tags.ranges.indices {
            let tag = bytes.extracting(tags.ranges[index])
            if isIndexed, !tags.isRepeated(index, in: bytes) {
                totals.expectedIndex.add(position, IndexKey(tag: tag))
            }
            if !tag.isPlainTag, let reason = tag.tag.unstorableReason {
                result.report(position, "tags", reason)
            }
        }
    }

    /// Returns the event kind in a row of `names`, from the cache if possible.
    private mutating func kind(_ row: UInt16) throws(CorruptRecord) -> CheckedKind {
        if Int(row) < kinds.count, let known = kinds[Int(row)] { return known }
        let kind = CheckedKind(try names.kind(row), row: row, in: catalogue)
        while kinds.count <= Int(row) { kinds.append(nil) }
        kinds[Int(row)] = kind
        return kind
    }

    /// Checks that a payload is in canonical form, that the event has the tags that the payload
    /// requires, and that the event's personal texts match their digests in the payload.
    private mutating func checkPayload(
        _ position: UInt64, _ header: EventHeader, _ kind: CheckedKind, _ bytes: RawSpan,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        guard let known = kind.description else {
            if !kind.isUpcast { result.unknownKinds[kind.kind, default: 0] += 1 }
            return
        }
        let payload = bytes.extracting(header.payloadRange(in: bytes))
        let offsets = known.canonicalSealOffsets(payload)
        var seals: [[UInt8]] = []
        do throws(CorruptPayload) {
            if offsets == nil {
                let inspected = try known.inspect(payload)
                if !inspected.isCanonical {
                    result.report(
                        position, "payload", "the payload of \(kind.kind) is not canonical")
                }
                seals = inspected.seals
            }
            let required = try known.tags(payload)
            let tags = tags
            let missing = required.filter { !tags.contains($0, in: bytes) }
            if let tag = missing.min() {
                result.report(
                    position, "tags", "the event lacks the tag \(tag), which its payload requires")
            }
        } catch {
            // The checksum of the row matches, so the payload is intact.
            result.report(
                position, "payload",
                "the payload of \(kind.kind) cannot be read: \(error); the row is intact, so the "
                    + "event was written in another layout of the kind",
                isLayoutFault: true)
            return
        }
        for offset in offsets ?? [] {
            let seal = payload.extracting(offset..<offset + PersonalText.sealByteCount)
            seals.append(seal.copied())
        }
        for (ordinal, seal) in seals.enumerated() {
            _ = try checkSeal(seal, UInt32(ordinal), position, header, bytes, transaction)
        }
    }
}
