/// A name of a person or an integer about one, which a log stores apart from the payload.
public struct PayloadPart: Hashable, Sendable {
    /// The bytes of the payload that hold it.
    public var range: Range<Int>
    /// The name; `nil` for an integer.
    public var person: String?

    public init(range: Range<Int>, person: String?) {
        self.range = range
        self.person = person
    }

    /// A payload with all of its parts erased.
    public static func erasing(_ parts: [PayloadPart], in payload: [UInt8]) -> [UInt8] {
        var payload = payload
        for part in parts.reversed() {
            payload.replaceSubrange(part.range, with: ErasedMark.bytes)
        }
        return payload
    }
}

/// A personal text of a payload, and the place of its digest there.
public struct PayloadText: Hashable, Sendable {
    /// Bytes before the digest.
    public var offset: Int
    /// The text to be sealed.
    public var text: String

    public init(offset: Int, text: String) {
        self.offset = offset
        self.text = text
    }
}
