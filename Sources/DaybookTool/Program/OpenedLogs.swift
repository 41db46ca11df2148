import DaybookLog
import Synchronization

/// Facts about the logs that the process has opened, for its exit code and last message.
enum OpenedLogs {
    /// True once the head of a commit could not be written to the head file.
    private static let headFileFailed = Atomic(false)
    /// Logs that are read without the lock file, because it cannot be written.
    private static let logsWithoutLock = Mutex<[EventLog]>([])

    /// True if the head file is out of date, because a newer head could not be written to it.
    static var headFileLags: Bool { headFileFailed.load(ordering: .relaxed) }

    /// Records that the head of a commit could not be written to the head file.
    static func noteHeadFileFailure() { headFileFailed.store(true, ordering: .relaxed) }

    /// True if another process wrote to a log while it was read without a lock.
    static var isOvertaken: Bool { logsWithoutLock.withLock { $0.contains(where: \.isOvertaken) } }

    /// Adds a log that is read without the lock file.
    static func add(withoutLock log: EventLog) { logsWithoutLock.withLock { $0.append(log) } }
}
