/// The stored name of an event: area, noun and past-tense verb, layout version.
///
/// For example `launch.app-launched.v1`. A kind's layout never changes; a new layout is a new
/// version, with an `Upcaster` from the one before.
public struct EventKind: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The whole name: `lending.borrowed.v1`.
    public let name: String

    /// `nil` unless `name` is three dotted parts of `a-z`, `0-9` and `-`, the last `v` and a
    /// number from 1 up, at most 100 bytes in all.
    public init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 100, parts.count == 3,
            parts.allSatisfy({ Self.isWord($0) }), parts[2].first == "v",
            let version = Int(parts[2].dropFirst()), version > 0,
            parts[2].dropFirst() == String(version)
        else { return nil }
        self.name = name
    }

    /// The area the event belongs to.
    public var area: Substring { name.prefix { $0 != "." } }

    /// The name without its version: `launch.app-launched`.
    public var stem: Substring { name[..<(name.lastIndex(of: ".") ?? name.endIndex)] }

    /// The layout version, from 1.
    public var version: Int {
        Int(name[(name.lastIndex(of: ".") ?? name.startIndex)...].dropFirst(2)) ?? 0
    }

    public static func < (a: EventKind, b: EventKind) -> Bool { a.name < b.name }

    public var description: String { name }

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
    /// A kind known when the program is written. Traps on a malformed literal.
    public init(stringLiteral value: StaticString) {
        guard let kind = EventKind(value.description) else {
            preconditionFailure(
                "'\(value)' is not an event kind; expected one like lending.copy-added.v1")
        }
        self = kind
    }
}
