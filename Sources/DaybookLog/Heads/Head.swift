public import Daybook

/// The end of a commit: its last position and its chain value.
///
/// The chain value covers everything up to the position, so a head stored elsewhere can prove later
/// that the log still contains all of it, unchanged. The text form is `POSITION:CHAIN`, with the
/// chain in 64 hexadecimal digits.
public struct Head: Hashable, Sendable, CustomStringConvertible {
    /// The position of the commit's last event; `.origin` for a log without commits.
    public let position: Position
    /// The chain value, 32 bytes; all zero at `.origin`.
    public let chain: [UInt8]

    static let chainByteCount = 32

    /// The head of a log without commits.
    public static let origin = Head(
        unchecked: .origin, Array(repeating: 0, count: chainByteCount))

    init(unchecked position: Position, _ chain: [UInt8]) {
        self.position = position
        self.chain = chain
    }

    /// Parses a head; `nil` unless `text` has exactly the form of `description`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let position = UInt64(parts[0]), String(position) == parts[0],
            position <= UInt64(Int64.max), let chain = Hexadecimal.bytes(parts[1]),
            chain.count == Self.chainByteCount,
            (position == 0) == chain.allSatisfy({ $0 == 0 })
        else { return nil }
        self.init(unchecked: Position(position), chain)
    }

    public var description: String { "\(position):\(Hexadecimal.text(chain))" }
}

/// A reason why a log does not contain a head.
public enum HeadMismatch: Hashable, Sendable, CustomStringConvertible {
    /// The log ends before the head's position.
    case shorter(lastPosition: Position)
    /// The head's position lies inside a commit.
    case insideCommit(first: Position, last: Position)
    /// A commit with another chain value ends at the head's position.
    case otherChain(found: [UInt8])
    /// The head belongs to a log with another id.
    case otherLog(id: String)

    public var description: String {
        switch self {
        case .shorter(let last):
            "the log ends at position \(last)"
        case .insideCommit(let first, let last):
            "no commit ends there: positions \(first) to \(last) are one commit"
        case .otherChain(let found):
            "the commit that ends there has the chain value \(Hexadecimal.text(found))"
        case .otherLog(let id):
            "it is the head of log \(id)"
        }
    }
}

extension EventLog {
    /// Returns the head of the newest commit; `.origin` for an empty log.
    public func chainHead() throws(LogError) -> Head {
        guard let commit = try commits.at(try head()) else { return .origin }
        return Head(unchecked: commit.last, commit.chain)
    }

    /// Returns the reason why the log does not contain a head.
    ///
    /// Reads only the commit at the head's position. `verify` checks that the events before it hash
    /// to the chain value.
    ///
    /// - Returns: `nil` if the log contains the head.
    public func mismatch(with head: Head) throws(LogError) -> HeadMismatch? {
        guard head.position > .origin else { return nil }
        guard let commit = try commits.at(head.position) else {
            return .shorter(lastPosition: try self.head())
        }
        guard commit.last == head.position else {
            return .insideCommit(first: commit.first, last: commit.last)
        }
        return commit.chain == head.chain ? nil : .otherChain(found: commit.chain)
    }
}

extension LogStatus {
    /// The newest commit's last position and chain value.
    public var chainHead: Head { Head(unchecked: Position(events), head) }
}

extension Verification {
    /// The newest commit's last position and chain value.
    public var chainHead: Head { Head(unchecked: Position(events), head) }
}

extension Verification.Finding {
    /// Creates a finding of a check outside `verify`, such as a check of heads.
    public init(at position: Position, rule: String, message: String) {
        self.init(position: position, rule: rule, message: message)
    }
}
