/// The place of an event in a log.
///
/// Positions start at 1 and have no gaps: event *n* is the *n*-th event ever appended.
public struct Position: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The position as a number: 1 for the first event, 0 for the place before it.
    public let rawValue: UInt64

    /// Creates a position from its number.
    @inlinable public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The position before the first event.
    public static let origin = Position(0)

    /// The position after this one.
    @inlinable public var next: Position { Position(rawValue + 1) }

    @inlinable public static func < (a: Position, b: Position) -> Bool { a.rawValue < b.rawValue }

    public var description: String { String(rawValue) }
}
