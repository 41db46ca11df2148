/// The place of a user's name or a personal integer in a payload; a log stores it encrypted.
@usableFromInline package struct PayloadPart: Hashable, Sendable {
    /// The range of bytes that the part takes up in the payload.
    public var range: Range<Int>
    /// The name of the user; `nil` if the part is a personal integer.
    public var person: String?

    public init(range: Range<Int>, person: String?) {
        self.range = range
        self.person = person
    }

    /// Returns a payload with `ErasedMark` in place of each part; the parts' ranges are ascending.
    public static func erasing(_ parts: [PayloadPart], in payload: [UInt8]) -> [UInt8] {
        var payload = payload
        for part in parts.reversed() {
            payload.replaceSubrange(part.range, with: ErasedMark.bytes)
        }
        return payload
    }
}

/// A personal text, and the place in a payload where its salted hash (the seal) stands.
@usableFromInline package struct PayloadText: Hashable, Sendable {
    /// The number of payload bytes before the seal.
    public var offset: Int
    /// The text, which the log stores outside the payload.
    public var text: String

    public init(offset: Int, text: String) {
        self.offset = offset
        self.text = text
    }
}
