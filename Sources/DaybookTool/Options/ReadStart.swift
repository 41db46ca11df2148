import ArgumentParser
import Daybook
import DaybookLog

/// Position or head after which to read a log.
struct ReadStart: ExpressibleByArgument {
    /// Position after which to read.
    let position: Position
    /// Head that the log must contain; `nil` if only the position is given.
    let head: Head?

    /// Creates a start after a position.
    init(_ position: Position) {
        self.position = position
        head = nil
    }

    init?(argument: String) {
        if let position = UInt64(argument) {
            (self.position, head) = (Position(position), nil)
        } else if let head = Head(argument) {
            (position, self.head) = (head.position, head)
        } else {
            return nil
        }
    }

    /// Throws an error if the log does not contain the start: it ends before, or events were removed
    /// or rewritten.
    ///
    /// - Parameters:
    ///   - follows: true if the command continues with events as they are appended.
    ///   - waits: true to say that the log ends before the position, and to wait for it.
    func check(in log: EventLog, follows: Bool = false, waits: Bool = false) throws {
        if let head {
            guard let mismatch = try log.mismatch(with: head) else { return }
            throw Failure(
                .log,
                "the log does not contain the head \(head), after which to go on: \(mismatch)")
        }
        let end = try log.head()
        guard position > end else { return }
        let problem = "--after \(position): the log ends at position \(end)"
        guard waits else {
            throw Failure(
                .usage,
                follows ? "\(problem); to wait for its events, add --await-position" : problem)
        }
        StandardError.message("\(problem); waiting for the events after position \(position)")
    }
}
