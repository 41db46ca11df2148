import ArgumentParser
import Daybook
import DaybookLog

/// Position or head after which to read a log.
struct ReadStart: ExpressibleByArgument {
    /// Position after which to read.
    let position: Position
    /// Head that the log must contain; `nil` if only the position is given.
    let head: Head?

    init?(argument: String) {
        if let position = UInt64(argument) {
            (self.position, head) = (Position(position), nil)
        } else if let head = Head(argument) {
            (position, self.head) = (head.position, head)
        } else {
            return nil
        }
    }
}
