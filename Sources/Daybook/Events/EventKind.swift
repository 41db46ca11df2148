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
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 100, parts.count == 3,
            parts.allSatisfy({ Self.isWord($0) }), parts[2].first == "v",
            let version = Int(parts[2].dropFirst()), version > 0,
            parts[2].dropFirst() == String(version)
        else { return nil }
        self.name = name
    }

    /// The name of the area that the kind belongs to.
    public var area: Substring { name.prefix { $0 != "." } }

    /// The name without its version: `launch.app-launched`.
    public var stem: Substring { name[..<(name.lastIndex(of: ".") ?? name.endIndex)] }

    /// The layout version, from 1.
    public var version: Int {
        Int(name[(name.lastIndex(of: ".") ?? name.startIndex)...].dropFirst(2)) ?? 0
    }

    public static func < (a: EventKind, b: EventKind) -> Bool { a.name < b.name }

    public var description: String { name }

    /// True if the text consists of one or more of `a-z`, `0-9` and `-`.
    private static func isWord(_ part: Substring) -> Bool {
        !part.isEmpty
            && part.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
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
