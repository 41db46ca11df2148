public import Daybook
import DaybookLMDB

/// A reason why a log could not be followed any further.
public enum FollowError: Error, Hashable, Sendable, CustomStringConvertible, LogErrorHolder {
    /// The log does not contain the head after which to follow: events were removed or rewritten.
    case headMissing(Head, HeadMismatch)
    /// The log ends before the position after which to follow, such as a copy that is older than
    /// what was noted.
    ///
    /// Events up to the position would never be returned. A follower that waits for them is told so
    /// with `mayBeAhead`.
    case beyondEnd(Position, end: Position)
    /// The file was removed, or replaced by another one, while it was followed.
    ///
    /// The events up to then were all returned. Open the log again, and follow it from the head of
    /// the last commit to prove that nothing was lost.
    case replaced(path: String)
    /// The log could not be read.
    case log(LogError)

    public var description: String {
        switch self {
        case .headMissing(let head, let mismatch):
            "the log does not contain the head \(head), after which to go on: \(mismatch)"
        case .beyondEnd(let position, let end):
            "the log ends at position \(end), before position \(position), after which to go on"
        case .replaced(let path):
            "\(path): the log was removed or replaced while it was followed"
        case .log(let error): "\(error)"
        }
    }
}

/// A place in a log after which it is followed.
enum FollowStart: Sendable {
    /// Only later positions are read. Unless `mayBeAhead`, the log must have the position.
    case position(Position, mayBeAhead: Bool)
    /// The log must contain the head; only later positions are read.
    case head(Head)

    var position: Position {
        switch self {
        case .position(let position, _): position
        case .head(let head): head.position
        }
    }

    /// Throws an error if the log does not contain the start.
    ///
    /// The replica of a store is first brought up to date, if the start is after its end.
    func check(in log: EventLog) throws(FollowError) {
        var end = try FollowError.mappingLogErrors(try log.head())
        if end < position {
            try FollowError.mappingLogErrors(try log.kind.catchUp(log))
            end = try FollowError.mappingLogErrors(try log.head())
        }
        switch self {
        case .position(let position, let mayBeAhead):
            guard mayBeAhead || position <= end else { throw .beyondEnd(position, end: end) }
        case .head(let head):
            let mismatch = try FollowError.mappingLogErrors(try log.mismatch(with: head))
            if let mismatch { throw .headMissing(head, mismatch) }
        }
    }
}

extension FollowError: OperationError {
    func describe(in operation: inout LogOperation) {
        operation.outcome = .failed
        if case .log(let error) = self { error.describe(in: &operation) }
    }
}
