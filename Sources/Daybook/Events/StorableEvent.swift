extension NewEvent {
    /// The largest number of users whose names an event may contain.
    package static let mostNames = 127

    /// The reason why no log can store the event; `nil` if a log can store it.
    package var unstorable: String? {
        if tags.count > 255 { return "\(kind) has more than 255 tags" }
        let bytes = tags.reduce(0) { $0 + 1 + $1.text.utf8.count }
        if bytes > Int(UInt16.max) { return "the tags of \(kind) exceed 65,535 bytes" }
        if let reason = tags.lazy.compactMap(\.unstorable).first { return reason }
        if zone.utf8.count > 255 { return "the zone name of \(kind) exceeds 255 bytes" }
        if payload.count > 1 << 30 { return "\(kind) exceeds 1 GiB" }
        return unstorableParts
    }

    /// The reason why a log cannot store the names and integers in `parts`; `nil` if it can.
    private var unstorableParts: String? {
        guard nameCount <= Self.mostNames else {
            return "\(kind) names more than \(Self.mostNames) people"
        }
        var end = 0
        for part in parts {
            guard part.range.lowerBound >= end, part.range.upperBound <= payload.count,
                part.isEncoded(as: payload[part.range])
            else { return "the payload of \(kind) lacks a name or integer at its offset" }
            end = part.range.upperBound
        }
        return nil
    }

    /// The number of parts that name a person.
    package var nameCount: Int { parts.count { $0.person != nil } }
}

extension PayloadPart {
    /// True if the bytes are the binary form of the name, or of any integer if there is no name.
    fileprivate func isEncoded(as bytes: ArraySlice<UInt8>) -> Bool {
        guard let person else {
            do throws(CorruptPayload) {
                _ = try BinaryReader.read(Int64.self, from: Array(bytes))
                return true
            } catch {
                return false
            }
        }
        return bytes.elementsEqual(BinaryWriter.bytes(person))
    }
}

extension CommitMetadata {
    /// The reason why no log can store the metadata; `nil` if a log can store it.
    package var unstorable: String? {
        let texts = [actor, device, correlation]
        guard texts.contains(where: { $0.utf8.count > Int(UInt16.max) }) else { return nil }
        return "the actor, device or correlation of the commit exceeds 65,535 bytes"
    }
}

extension Tag {
    /// The reason why no log can store the tag; `nil` if a log can store it.
    package var unstorable: String? {
        if let malformed { return malformed }
        guard !text.isNFC else { return nil }
        return "\(JSONWriter.text(text)) is not in Unicode normalisation form C"
    }

    /// The reason why the tag is invalid in every normalisation form; `nil` if it is valid.
    package var malformed: String? {
        guard !isValid else { return nil }
        return "\(JSONWriter.text(text)) is not a tag: an id must not be empty or contain control "
            + "characters, and a tag has at most 255 bytes"
    }
}

extension Query {
    /// The query without the items that have an invalid tag; the query itself if no items are left.
    var searchable: Query {
        guard malformedTag != nil else { return self }
        return items.flatMap { Query(items: $0.filter { $0.tags.allSatisfy(\.isValid) }) } ?? self
    }

    /// The reason why a tag of the query is invalid; `nil` if all tags are valid.
    package var malformedTag: String? {
        items?.lazy.flatMap(\.tags).compactMap(\.malformed).first
    }
}
