import Daybook

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
    func check(in log: EventLog) throws(LogError) {
        var end = try log.head()
        if end < position {
            try log.kind.catchUp(log, atMost: .max) { _ in }
            end = try log.head()
        }
        switch self {
        case .position(let position, let mayBeAhead):
            guard mayBeAhead || position <= end else {
                throw .follow(.beyondEnd(position, end: end))
            }
        case .head(let head):
            let mismatch = try log.mismatch(with: head)
            if let mismatch { throw .follow(.headMissing(head, mismatch)) }
        }
    }
}
