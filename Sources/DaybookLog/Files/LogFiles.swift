import DaybookLMDB
import DaybookLibC
import Synchronization

/// The files that belong to logs, which nothing but a log's own writer may replace.
///
/// Every writer of another file asks `role(of:)` first. A file is known by its content, so that it
/// does not matter how its path is spelled, or of which log it is; a file that is missing for now is
/// known by its name.
package enum LogFiles {
    /// The meaning of a file to a log, as a noun in messages.
    package enum Role: String, Sendable {
        case ownLog = "the log"
        case log = "a log"
        case lock = "the lock file of a log"
        case copy = "the unfinished copy of a log or file"
        case head = "the head file of a log"
        case keys = "the file of a log's keys"
        case segment = "a segment of a log"
        case replica = "a file among the replicas of logs in databases"
    }

    /// The end of the name of a file that is being written, until it is complete.
    static let partialSuffix = ".replay-partial"
    /// The ends of the names of files beside a log, and their roles.
    private static let suffixes: [(suffix: String, role: Role)] = [
        (partialSuffix, .copy), (partialSuffix + "-lock", .copy), ("-lock", .lock),
    ]
    /// The first bytes of files, and their roles.
    private static let beginnings: [(text: String, role: Role)] = [
        ("daybook-head-file-", .head), ("daybook-keys-", .keys), ("daybook-epoch-keys-", .keys),
        ("daybook-segment-", .segment),
    ]

    /// Paths of the logs that this process was told to use, and of the folder of replicas.
    private struct Named {
        var logs: [String] = []
        var replicaFolder: String?
    }

    private static let named = Mutex(Named())

    /// Adds a log that this process uses or is about to create.
    package static func addLog(_ path: String) {
        named.withLock { if !$0.logs.contains(path) { $0.logs.append(path) } }
    }

    /// Sets the folder of the user in which replicas are kept.
    package static func setReplicaFolder(_ path: String?) {
        named.withLock { $0.replicaFolder = path }
    }

    /// Returns the meaning of the file at a path, which may be missing, to any log; `nil` if it is
    /// no log's.
    package static func role(of path: String) -> Role? {
        let place = Place(path)
        let (logs, replicaFolder) = named.withLock { ($0.logs, $0.replicaFolder) }
        for log in logs {
            if place == Place(log) { return .ownLog }
            for (suffix, role) in suffixes where place == Place(log + suffix) { return role }
        }
        if let replicaFolder, let folder = place.folder, folder == FileID(replicaFolder) {
            return .replica
        }
        return role(ofName: path) ?? role(ofContent: path)
    }

    /// True if two paths lead to one file, or would do so if it were there.
    package static func isSame(_ path: String, _ other: String) -> Bool {
        Place(path) == Place(other)
    }

    /// Returns the meaning that the name of a file gives it, whether it is missing or not.
    package static func role(ofName path: String) -> Role? {
        for (suffix, role) in suffixes where path.hasSuffix(suffix) {
            let base = String(path.dropLast(suffix.count))
            if role == .copy || self.role(ofContent: base) == .log { return role }
        }
        return nil
    }

    /// Throws `.belongsToLog` if the file at a path belongs to a log.
    package static func refuse(_ path: String) throws(LogError) {
        if let role = role(of: path) { throw .file(.belongsToLog(path: path, role: role.rawValue)) }
    }

    /// True if an open file is one of the logs that this process was told to use.
    static func isNamedLog(_ descriptor: CInt) -> Bool {
        let file = FileID(descriptor)
        return file != nil && named.withLock(\.logs).contains { file == FileID($0) }
    }

    /// Returns the log of this process, or the file beside it, that standard output is; `nil` if it
    /// is neither.
    package static var standardOutputRole: Role? {
        guard let output = FileID(STDOUT_FILENO) else { return nil }
        for log in named.withLock(\.logs) {
            if output == FileID(log) { return .ownLog }
            for (suffix, role) in suffixes where output == FileID(log + suffix) { return role }
        }
        return nil
    }

    /// Returns the role of a regular file by its first bytes.
    private static func role(ofContent path: String) -> Role? {
        let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { _ = close(file) }
        guard FileID(file) != nil else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        guard unsafe pread(file, &bytes, 64, 0) > 0 else { return nil }
        for (text, role) in beginnings where bytes.starts(with: text.utf8) { return role }
        // The page header before a meta page has 16 bytes, and 24 in LMDB 1.0.
        if [16, 24].contains(where: { isMagic(bytes, at: $0) }) { return .log }
        return isMagic(bytes, at: 0) ? .lock : nil
    }

    /// True if LMDB's magic number is at an offset, in the byte order of this machine.
    private static func isMagic(_ bytes: [UInt8], at offset: Int) -> Bool {
        bytes.rawSpan.integer(at: offset, as: UInt32.self) == 0xBEEF_C0DE
    }

    /// The identity of a file or folder, by whatever path it is reached.
    private struct FileID: Equatable {
        private var device: UInt64
        private var inode: UInt64

        /// Creates the identity of what a path leads to; `nil` if nothing is there.
        init?(_ path: String) {
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return nil }
            self.init(status)
        }

        /// Creates the identity of an open regular file; `nil` for anything else.
        init?(_ descriptor: CInt) {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                return nil
            }
            self.init(status)
        }

        private init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    /// The place of a file: the file if it exists, else its folder and its name.
    private struct Place: Equatable {
        private var file: FileID?
        /// The folder of the file; `nil` if it is missing.
        private(set) var folder: FileID?
        private var name: String

        init(_ path: String) {
            file = FileID(path)
            let slash = path.lastIndex(of: "/")
            folder = FileID(slash.map { String(path[...$0]) } ?? ".")
            name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        }

        static func == (a: Self, b: Self) -> Bool {
            if let file = a.file { return file == b.file }
            return b.file == nil && a.folder != nil && a.folder == b.folder && a.name == b.name
        }
    }
}
