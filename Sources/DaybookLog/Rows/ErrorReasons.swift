public import Daybook

/// A reason why a log could not be shipped, or a replica could not be brought up to date.
public enum StreamError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file is no segment, ends too early or was changed; `offset` is the byte of the fault.
    case segment(name: String, offset: Int, reason: String)
    /// A line of a file has stored rows that are malformed or were changed.
    case line(name: String, line: Int, field: String, reason: String)
    /// The file is no file of keys, was changed, or belongs to another log or to other segments.
    case keys(path: String, reason: String)
    /// A segment is of the log `found`, but the others, or the replica, are of the log `expected`.
    case otherLog(name: String, found: String, expected: String)
    /// Segments are missing: the next one begins after `after`, but the last one ended at `end`.
    case gap(name: String, end: Position, after: Position)
    /// Segments of a shipment are missing before the part `part`.
    case missingPart(name: String, part: UInt32)
    /// Two histories differ from this position on: one of them was rewritten.
    case parted(name: String, at: Position)
    /// The file is a log that is not a replica, so nothing may overwrite it.
    case notReplica(path: String)
    /// There are no segments.
    case noSegments(name: String)

    public var description: String {
        switch self {
        case .segment(let name, let offset, let reason): "\(name), byte \(offset): \(reason)"
        case .line(let name, let line, let field, let reason):
            "\(name):\(line): field '\(field)': \(reason)"
        case .keys(let path, let reason): "\(path): \(reason)"
        case .otherLog(let name, let found, let expected):
            "\(name): the segment is of the log \(found), expected the log \(expected)"
        case .gap(let name, let end, let after):
            "\(name): the segment begins after position \(after), but the segments so far end at "
                + "position \(end); segments are missing"
        case .missingPart(let name, let part):
            "\(name): the segment is part \(part) of its shipment, and parts before it are missing"
        case .parted(let name, let position):
            "\(name): the histories part at position \(position): one of them was rewritten"
        case .notReplica(let path):
            "\(path): the file is a log of its own and no replica, so it is not overwritten"
        case .noSegments(let name): "\(name): there are no segments"
        }
    }
}

/// A reason why a log could not be followed any further.
public enum FollowError: Error, Hashable, Sendable, CustomStringConvertible {
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

    public var description: String {
        switch self {
        case .headMissing(let head, let mismatch):
            "the log does not contain the head \(head), after which to go on: \(mismatch)"
        case .beyondEnd(let position, let end):
            "the log ends at position \(end), before position \(position), after which to go on"
        case .replaced(let path):
            "\(path): the log was removed or replaced while it was followed"
        }
    }
}

/// A reason why a log cannot prove something.
public enum ProofError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The log has no event at this position; its last event is at `last`.
    case noEvent(Position, last: Position)
    /// The log does not contain the head that it is to continue.
    case notContained(Head, HeadMismatch)
    /// The log has fewer commits than it is to continue, or the number is 0.
    case noSuchSize(UInt64, commits: UInt64)

    public var description: String {
        switch self {
        case .noEvent(let position, let last):
            "there is no event at position \(position); the log ends at \(last)"
        case .notContained(let head, let mismatch): "the log does not contain \(head): \(mismatch)"
        case .noSuchSize(let size, let commits):
            "the log cannot continue an earlier log of \(size) commits: it has \(commits), and an "
                + "earlier log has at least 1"
        }
    }
}
