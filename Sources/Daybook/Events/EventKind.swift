/// The stored name of a kind of event: the area, a noun with a past-tense verb, and a version.
///
/// For example `launch.app-launched.v1`. The layout of a kind never changes. A new layout is a new
/// version, to which an `Upcaster` leads from the previous version.
public struct EventKind: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The whole name with area and version: `lending.borrowed.v1`.
    public let name: String

    /// Creates a kind from its name; `nil` if the name is malformed.
    ///
    /// A name has three parts of `a-z`, `0-9` and `-`, separated by dots. The last part is `v` and
    /// a number from 1 up. The whole name has at most 100 bytes.
    public init?(_ name: String) {
        self.name = name
        guard name.utf8.count <= 100, Self.wordCount(of: name) == 3, version > 0,
            name == "\(stem).v\(version)"
        else { return nil }
    }

    /// The name of the area that the kind belongs to.
    public var area: Substring { Substring(name.utf8.prefix { $0 != UInt8(ascii: ".") }) }

    /// The name without its version: `launch.app-launched`.
    public var stem: Substring { name[..<(lastPoint ?? name.endIndex)] }

    /// The layout version, from 1.
    public var version: Int {
        Int(Substring(name.utf8[(lastPoint ?? name.startIndex)...].dropFirst(2))) ?? 0
    }

    /// The index of the last point, before the version.
    private var lastPoint: String.Index? { name.utf8.lastIndex(of: UInt8(ascii: ".")) }

    public static func < (a: EventKind, b: EventKind) -> Bool { a.name < b.name }

    public var description: String { name }

    /// Returns the number of words of `a-z`, `0-9` and `-`, separated by dots, of which the text
    /// consists; `nil` if it has empty words or other characters.
    private static func wordCount(of text: String) -> Int? {
        var count = 0
        var isInWord = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: ".") {
                guard isInWord else { return nil }
                isInWord = false
                continue
            }
            guard
                byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
                    || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
                    || byte == UInt8(ascii: "-")
            else { return nil }
            if !isInWord { count += 1 }
            isInWord = true
        }
        return isInWord ? count : nil
    }
}

extension EventKind: ExpressibleByStringLiteral {
    /// Creates a kind from a literal; traps if the literal is malformed.
    public init(stringLiteral value: StaticString) {
        guard let kind = EventKind(value.description) else {
            preconditionFailure(
                "'\(value)' is not an event kind; expected one like lending.copy-added.v1")
        }
        self = kind
    }
}
