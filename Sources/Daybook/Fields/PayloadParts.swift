/// A user's name or a personal integer in a payload, which a log stores separately.
public struct PayloadPart: Hashable, Sendable {
    /// The range of the part's bytes in the payload.
    public var range: Range<Int>
    /// The name of the user; `nil` for an integer.
    public var person: String?

    public init(range: Range<Int>, person: String?) {
        self.range = range
        self.person = person
    }

    /// Returns a payload in which the two bytes of an erased value replace each part.
    ///
    /// - Parameter parts: the parts in the order of their ranges.
    public static func erasing(_ parts: [PayloadPart], in payload: [UInt8]) -> [UInt8] {
        var payload = payload
        for part in parts.reversed() {
            payload.replaceSubrange(part.range, with: ErasedMark.bytes)
        }
        return payload
    }
}

/// A personal text, and the place of its seal, a salted hash, in a payload.
public struct PayloadText: Hashable, Sendable {
    /// The number of payload bytes before the seal.
    public var offset: Int
    /// The text, which the log stores outside the payload.
    public var text: String

    public init(offset: Int, text: String) {
        self.offset = offset
        self.text = text
    }
}
