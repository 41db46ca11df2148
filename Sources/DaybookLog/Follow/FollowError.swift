import Daybook
import DaybookLMDB

/// A reason why a log could not be followed any further.
public enum FollowError: Error, Hashable, Sendable, CustomStringConvertible, LogErrorHolder {
    /// The log does not contain the head after which to follow: events were removed or rewritten.
    case headMissing(Head, HeadMismatch)
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
        case .replaced(let path):
            "\(path): the log was removed or replaced while it was followed"
        case .log(let error): "\(error)"
        }
    }
}

/// A place in a log after which it is followed.
enum FollowStart: Sendable {
    /// Only later positions are read.
    case position(Position)
    /// The log must contain the head; only later positions are read.
    case head(Head)

    var position: Position {
        switch self {
        case .position(let position): position
        case .head(let head): head.position
        }
    }

    /// Throws an error if the log does not contain the head.
    func check(in log: EventLog) throws(FollowError) {
        guard case .head(let head) = self else { return }
        guard let mismatch = try FollowError.mappingLogErrors(try log.mismatch(with: head)) else {
            return
        }
        throw .headMissing(head, mismatch)
    }
}
