import ArgumentParser
import Daybook
import DaybookLibC
import DaybookLog

/// The file at a path, whose identity shows whether the file was replaced.
struct LogFile: Equatable {
    private var device = dev_t()
    private var number = ino_t()

    /// Reads the identity of the file at a path; that of no file if there is none.
    init(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return }
        (device, number) = (status.st_dev, status.st_ino)
    }
}

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
