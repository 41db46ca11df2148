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

extension EventLog {
    /// Returns the head of the newest commit; `.origin` for an empty log.
    public func chainHead() throws(LogError) -> Head {
        try chainHead(in: try beginReading()).head
    }

    /// Returns the head of the newest commit and when that was recorded, as of a transaction.
    ///
    /// - Returns: `.origin` and `nil` for an empty log.
    func chainHead(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> (head: Head, recordedAt: Instant?) {
        let (last, commit) = try newest(in: transaction)
        return (
            commit.map { Head(unchecked: Position(last), $0.chain) } ?? .origin, commit?.recordedAt
        )
    }

    /// Returns the bounds and the chain value of the commit that holds an event, without its
    /// people; `nil` if there is no such event.
    func commitHead(
        at position: Position
    ) throws(LogError) -> (first: Position, head: Head)? {
        let transaction = try beginReading()
        guard position > .origin, position.rawValue <= (try lastPosition(in: transaction))
        else { return nil }
        let first = try firstPosition(ofCommitAt: position.rawValue, in: transaction)
        let commit = try commit(startingAt: first, in: transaction)
        guard let last = commit.lastPosition(startingAt: first) else {
            throw .corrupt(table: tables.commits.name, key: first, commit.invalidEventCount)
        }
        return (Position(first), Head(unchecked: Position(last), commit.chain))
    }

    /// Returns the reason why the log does not contain a head.
    ///
    /// Reads only the commit at the head's position. Call `verify` to check that the earlier events
    /// match the chain value.
    ///
    /// - Returns: `nil` if the log contains the head.
    public func mismatch(with head: Head) throws(LogError) -> HeadMismatch? {
        guard head.position > .origin else { return nil }
        guard let (first, found) = try commitHead(at: head.position) else {
            return .shorter(lastPosition: try self.head())
        }
        guard found.position == head.position else {
            return .insideCommit(first: first, last: found.position)
        }
        return found.chain == head.chain ? nil : .otherChain(found: found.chain)
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
    /// Creates the finding of a check outside `verify`, such as a check of heads.
    public init(at position: Position, rule: String, message: String) {
        self.init(position: position, rule: rule, message: message)
    }
}
