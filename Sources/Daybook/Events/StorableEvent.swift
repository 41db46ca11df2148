extension NewEvent {
    /// The largest number of users' names that an event may contain.
    package static let maximumNameCount = 127

    /// The reason why no log can store the event; `nil` if a log can store it.
    package var unstorableReason: String? {
        if tags.count > 255 { return "the event \(kind) has \(tags.count) tags; at most 255 fit" }
        let bytes = tags.reduce(0) { $0 + 1 + $1.text.utf8.count }
        if bytes > Int(UInt16.max) { return "the tags of the event \(kind) exceed 65,535 bytes" }
        for tag in tags {
            if let reason = tag.unstorableReason { return reason }
        }
        if zone.utf8.count > 255 { return "the zone name of the event \(kind) exceeds 255 bytes" }
        if payload.count > 1 << 30 { return "the payload of the event \(kind) exceeds 1 GiB" }
        return unstorablePartReason
    }

    /// The reason why a log cannot store the names and integers in `parts`; `nil` if a log can.
    private var unstorablePartReason: String? {
        guard nameCount <= Self.maximumNameCount else {
            return "the event \(kind) contains more than \(Self.maximumNameCount) users' names"
        }
        var end = 0
        for part in parts {
            guard part.range.lowerBound >= end, part.range.upperBound <= payload.count,
                part.isEncoded(as: payload[part.range])
            else {
                return "the payload of the event \(kind) lacks a name or personal integer at the "
                    + "offset declared for it"
            }
            end = part.range.upperBound
        }
        return nil
    }

    /// The number of users' names in `parts`.
    package var nameCount: Int { parts.count { $0.person != nil } }
}

extension PayloadPart {
    /// True if the bytes are the binary form of the part's name or, without a name, of any integer.
    fileprivate func isEncoded(as bytes: ArraySlice<UInt8>) -> Bool {
        guard let person else {
            return (try? BinaryReader.read(Int64.self, from: Array(bytes))) != nil
        }
        return bytes.elementsEqual(BinaryWriter.bytes(person))
    }
}

extension CommitMetadata {
    /// The reason why no log can store the metadata; `nil` if a log can store it.
    package var unstorableReason: String? {
        let longest = max(actor.utf8.count, device.utf8.count, correlation.utf8.count)
        guard longest > UInt16.max else { return nil }
        return "the actor, device or correlation of the commit exceeds 65,535 bytes"
    }
}

extension Tag {
    /// The reason why no log can store the tag; `nil` if a log can store it.
    package var unstorableReason: String? {
        guard !isPlain else { return nil }
        if let malformedReason { return malformedReason }
        guard !text.isNFC else { return nil }
        return "the tag \(JSONWriter.text(text)) is not in Unicode normalisation form C"
    }

    /// The reason why the tag is invalid in every normalisation form; `nil` if it is valid.
    package var malformedReason: String? {
        guard !isValid else { return nil }
        return "\(JSONWriter.text(text)) is not a tag: an id must not be empty or contain control "
            + "characters, and a tag has at most 255 bytes"
    }
}

extension Query {
    /// The query without the items that have an invalid tag; unchanged if no items would be left.
    var withoutInvalidTags: Query {
        guard malformedTagReason != nil else { return self }
        return items.flatMap { Query(items: $0.filter { $0.tags.allSatisfy(\.isValid) }) } ?? self
    }

    /// The reason why a tag of the query is invalid; `nil` if all tags are valid.
    package var malformedTagReason: String? {
        for item in items ?? [] {
            for tag in item.tags {
                if let reason = tag.malformedReason { return reason }
            }
        }
        return nil
    }
}
