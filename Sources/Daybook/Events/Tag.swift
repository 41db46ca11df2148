/// The name of an entity that an event is about, `noun:id`; queries find events by it.
///
/// A tag is at most 255 bytes of UTF-8, so that it fits one length byte and an LMDB key. A new tag is
/// in Unicode normalisation form C: an id names one entity, however its accents were typed.
public struct Tag: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The whole tag: `copy:dune-1`.
    public let text: String

    /// `nil` unless `text` is a noun of `a-z` and `-`, a colon and an id that is not empty and
    /// has no control character.
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

    /// The tag `noun:id`. An id that no tag can hold (empty, too long, control characters) makes
    /// one that `isValid` denies and no log takes.
    public init(_ noun: StaticString, _ id: String) {
        text = "\(noun):\(id)".nfc
    }

    /// The tag `noun:text` of a text that nobody chose as an id, such as a version; `nil` where no
    /// tag can hold it, so that its event is found by its other tags alone.
    public init?(_ noun: StaticString, text: String) {
        self.init("\(noun):\(text)")
    }

    /// `true` if `init(_:)` accepts the text, as it did for every tag in a log.
    public var isValid: Bool { Tag(text) != nil }

    /// A tag read back from a log, which checked it when it was written.
    public init(stored text: String) {
        self.text = text
    }

    // A mark that begins an id forms one character with the colon; their bytes stay separate.
    private var colon: String.Index { text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex }

    /// The part before the colon.
    public var noun: Substring { text[..<colon] }

    public var id: Substring { Substring(text.utf8[colon...].dropFirst()) }

    public static func < (a: Tag, b: Tag) -> Bool {
        a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }

    public var description: String { text }
}
