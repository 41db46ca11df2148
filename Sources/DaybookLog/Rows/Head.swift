public import Daybook
import DaybookLMDB

/// The position and the chain value at the end of a commit, which identify all commits so far.
///
/// The chain value is a hash of all commits up to the position. A head that is stored elsewhere can
/// therefore prove later that the log still contains these commits, unchanged. The text form is
/// `POSITION:CHAIN`, with the chain value in 64 hexadecimal digits.
public struct Head: Hashable, Sendable, CustomStringConvertible {
    /// The position of the commit's last event; `.origin` for a log without commits.
    public let position: Position
    /// The chain value of the commit, 32 bytes; all zero for a log without commits.
    public let chain: [UInt8]

    static let chainByteCount = 32

    /// The head of a log without commits.
    public static let origin = Head(
        unchecked: .origin, Array(repeating: 0, count: chainByteCount))

    init(unchecked position: Position, _ chain: [UInt8]) {
        self.position = position
        self.chain = chain
    }

    /// Creates a head; `nil` unless the chain value has 32 bytes, which are zero at the origin only.
    package init?(_ position: Position, chain: [UInt8]) {
        guard position.rawValue <= UInt64(Int64.max), chain.count == Self.chainByteCount,
            (position == .origin) == chain.allSatisfy({ $0 == 0 })
        else { return nil }
        self.init(unchecked: position, chain)
    }

    /// Parses the text form of a head; `nil` unless `text` has exactly the form of `description`.
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
    /// The log ends before the head's position, at `lastPosition`.
    case shorter(lastPosition: Position)
    /// The head's position is inside the commit from `first` to `last`, and not at its end.
    case insideCommit(first: Position, last: Position)
    /// The commit that ends at the head's position has another chain value, `found`.
    case otherChain(found: [UInt8])
    /// The head belongs to another log, which has this id.
    case otherLog(id: String)

    public var description: String {
        switch self {
        case .shorter(let last):
            "the log ends at position \(last)"
        case .insideCommit(let first, let last):
            "no commit of the log ends at this position: positions \(first) to \(last) are one "
                + "commit"
        case .otherChain(let found):
            "the commit that ends at this position has the chain value \(Hexadecimal.text(found))"
        case .otherLog(let id):
            "the head belongs to another log, whose id is \(id)"
        }
    }
}
