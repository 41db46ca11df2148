/// The name of an entity that an event is about: `noun:id`. Queries find events by their tags.
///
/// A tag has at most 255 bytes of UTF-8, so that its length fits in one byte and the tag in an LMDB
/// key. A new tag is in Unicode normalisation form C: an id names one entity, however its accents
/// were typed.
public struct Tag: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The whole tag with noun and id: `copy:dune-1`.
    public let text: String

    /// Creates a tag from its text in any normalisation form; `nil` if the text is not a valid tag.
    ///
    /// A tag has a noun of `a-z` and `-`, a colon, and an id that is not empty and has no control
    /// characters.
    public init?(_ text: String) {
        let text = text.nfc
        guard text.utf8.count <= 255, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        let noun = text.utf8[..<colon]
        let id = text.utf8[colon...].dropFirst()
        guard !noun.isEmpty, !id.isEmpty,
            noun.allSatisfy({ (97...122).contains($0) || $0 == UInt8(ascii: "-") }),
            id.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        self.text = text
    }

    /// Creates the tag `noun:id`, even if it is not valid.
    ///
    /// An id that is empty, too long or has control characters makes a tag whose `isValid` is
    /// false, and which no log stores.
    public init(_ noun: StaticString, _ id: String) {
        text = Self.joined(noun, CollectionOfOne(id)).nfc
    }

    /// Creates the tag `noun:a/b` from the parts of an id, even if it is not valid.
    package init(_ noun: StaticString, _ first: String, _ second: String, _ others: String...) {
        text = Self.joined(noun, [first, second] + others).nfc
    }

    /// Returns `noun:a/b`, built in one allocation.
    private static func joined(_ noun: StaticString, _ parts: some Collection<String>) -> String {
        let nounCount = noun.utf8CodeUnitCount
        let count = parts.reduce(nounCount) { $0 + 1 + $1.utf8.count }
        return unsafe String(unsafeUninitializedCapacity: count) { room in
            let bytes = UnsafeMutableRawBufferPointer(room)
            unsafe bytes.copyMemory(
                from: UnsafeRawBufferPointer(start: noun.utf8Start, count: nounCount))
            var end = nounCount
            for part in parts {
                unsafe room[end] = UInt8(ascii: end == nounCount ? ":" : "/")
                end += 1
                part.withUTF8Bytes { part in
                    unsafe part.withUnsafeBytes {
                        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[end...])
                            .copyMemory(from: $0)
                    }
                    end += part.count
                }
            }
            return end
        }
    }

    /// Creates the tag `noun:text` from a text that was not chosen as an id, such as a version.
    ///
    /// `nil` if the tag is not valid. An event without the tag is found only by its other tags.
    public init?(_ noun: StaticString, text: String) {
        self.init(Self.joined(noun, CollectionOfOne(text)))
    }

    /// True if the tag has the form that `init(_:)` requires, as every tag in a log does.
    public var isValid: Bool { isPlain || Tag(text) != nil }

    /// True if the tag is valid and consists only of ASCII characters, as most tags do.
    var isPlain: Bool { text.withUTF8Bytes { unsafe $0.bytes.isPlainTag } }

    /// Creates a tag from the text that a log stores, which was checked when it was appended.
    public init(stored text: String) { self.text = text }

    /// The index of the colon, searched as a byte.
    ///
    /// A combining mark at the start of an id forms one character with the colon.
    private var colon: String.Index { text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex }

    /// The part before the colon.
    public var noun: Substring { text[..<colon] }

    /// The part after the colon.
    public var id: Substring { Substring(text.utf8[colon...].dropFirst()) }

    public static func < (a: Tag, b: Tag) -> Bool { a.text.precedesByBytes(b.text) }

    public var description: String { text }
}

extension RawSpan {
    /// True if the bytes are a valid tag that consists only of printable ASCII characters.
    @inlinable package var isPlainTag: Bool {
        guard byteCount <= 255 else { return false }
        var colon = 0
        while colon < byteCount {
            let byte = unsafe unsafeLoad(fromByteOffset: colon, as: UInt8.self)
            if byte == UInt8(ascii: ":") { break }
            guard (97...122).contains(byte) || byte == UInt8(ascii: "-") else { return false }
            colon += 1
        }
        return colon > 0 && colon + 1 < byteCount && isPrintableASCII(from: colon + 1)
    }

    /// True if the bytes from an offset on are printable ASCII characters.
    @inlinable func isPrintableASCII(from start: Int) -> Bool {
        var offset = start
        while offset + 8 <= byteCount {
            let word = unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // The high bit of a byte is set if it exceeds 7E, and below if it is at least 20.
            let beyond = (word | (word &+ 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080
            let least = (word &+ 0x6060_6060_6060_6060) & 0x8080_8080_8080_8080
            guard beyond == 0, least == 0x8080_8080_8080_8080 else { return false }
            offset += 8
        }
        while offset < byteCount {
            let byte = unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            guard byte >= 0x20, byte < 0x7F else { return false }
            offset += 1
        }
        return true
    }
}
