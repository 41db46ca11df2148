extension NewEvent {
    /// Most people that one event names.
    package static let mostNames = 127

    /// The reason why no log can hold the event; `nil` for one that a log takes.
    package var unstorable: String? {
        if tags.count > 255 { return "\(kind) has more than 255 tags" }
        let bytes = tags.reduce(0) { $0 + 1 + $1.text.utf8.count }
        if bytes > Int(UInt16.max) { return "the tags of \(kind) exceed 65,535 bytes" }
        if let reason = tags.lazy.compactMap(\.unstorable).first { return reason }
        if zone.utf8.count > 255 { return "a zone name is at most 255 bytes" }
        if payload.count > 1 << 30 { return "\(kind) exceeds 1 GiB" }
        return unstorableParts
    }

    /// The reason why no log can store its parts separately.
    private var unstorableParts: String? {
        guard nameCount <= Self.mostNames else {
            return "\(kind) names more than \(Self.mostNames) people"
        }
        var end = 0
        for part in parts {
            guard part.range.lowerBound >= end, part.range.upperBound <= payload.count,
                part.isHeld(by: payload[part.range])
            else { return "\(kind) does not hold the names and integers in their places" }
            end = part.range.upperBound
        }
        return nil
    }

    /// The number of people named in its parts.
    package var nameCount: Int { parts.count { $0.person != nil } }
}

extension PayloadPart {
    /// True where the bytes are those of the name, or of any integer.
    fileprivate func isHeld(by bytes: ArraySlice<UInt8>) -> Bool {
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
    /// The reason why no log can hold it; `nil` for metadata that a log takes.
    package var unstorable: String? {
        let texts = [actor, device, correlation]
        guard texts.contains(where: { $0.utf8.count > Int(UInt16.max) }) else { return nil }
        return "actor, device and correlation are at most 65,535 bytes each"
    }
}

extension Tag {
    /// The reason why no log can hold it; `nil` for a tag that a log takes.
    package var unstorable: String? {
        if let malformed { return malformed }
        guard !text.isNFC else { return nil }
        return "\(JSONWriter.text(text)) is not in Unicode normalisation form C"
    }

    /// The reason why no log can hold it in any normalisation form.
    package var malformed: String? {
        guard !isValid else { return nil }
        return "\(JSONWriter.text(text)) is no tag: an id is not empty, has no control character, "
            + "and the whole is at most 255 bytes"
    }
}

extension Query {
    /// The items whose tags a log can hold; itself where it has no other.
    var searchable: Query {
        guard malformedTag != nil else { return self }
        return items.flatMap { Query(items: $0.filter { $0.tags.allSatisfy(\.isValid) }) } ?? self
    }

    /// The reason why no log can search for one of its tags; `nil` for a query that a log answers.
    package var malformedTag: String? {
        items?.lazy.flatMap(\.tags).compactMap(\.malformed).first
    }
}
