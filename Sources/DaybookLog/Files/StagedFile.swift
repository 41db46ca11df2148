import DaybookLMDB
import DaybookLibC

/// A new file that gets its name only after it is complete and on disk.
///
/// Until then, the file is beside its target, under the target's name followed by
/// `.replay-partial`, and is locked. It is deleted with this value unless `publish` or `replace`
/// was called. A file that a killed process left is replaced by the next staged file for the same
/// target, unless it is a log other than the one that is written.
package struct StagedFile: ~Copyable {
    /// The final path of the file.
    public let target: String
    /// The path of the file until it is complete.
    public let path: String
    /// The file descriptor, open for reading and writing.
    public let descriptor: CInt
    private var hasFinalName = false

    /// Creates the empty file for a target that does not exist yet.
    ///
    /// - Parameters:
    ///   - source: the file that is being copied, which is never deleted, even if it is at the
    ///     temporary path.
    ///   - isPrivate: `true` to give only the owner access; `false` for the permissions that the
    ///     process's umask allows.
    ///   - logID: the id of the log that is written; `nil` for that of `source`, if it is a log.
    ///   - isLogsOwn: `true` for a new log or head file, whose name a command may have announced.
    /// - Throws: `.exists` if the target exists, even as a broken link; `.belongsToLog` for the
    ///   name of a file of a log; `.busy` if another process is writing a file for the same target.
    public init(
        for target: String, from source: String? = nil, isPrivate: Bool = true,
        of logID: [UInt8]? = nil, isLogsOwn: Bool = false
    ) throws(LogError) {
        self.target = target
        path = target + LogFiles.partialSuffix
        var status = stat()
        if unsafe lstat(target, &status) == 0 { throw .file(.exists(path: target)) }
        if let role = isLogsOwn ? LogFiles.role(ofName: target) : LogFiles.role(of: target) {
            throw .file(.belongsToLog(path: target, role: role.rawValue))
        }
        let owner = Owner(original: source, logID: logID)
        descriptor = try Self.create(path, source, owner, isPrivate ? 0o600 : 0o666)
    }

    /// Creates the empty file that will replace the existing file `target`.
    ///
    /// - Parameter isLogsOwn: `true` if the target is a log or a file of its keys.
    public init(replacing target: String, isLogsOwn: Bool = false) throws(LogError) {
        self.target = target
        path = target + LogFiles.partialSuffix
        if !isLogsOwn { try LogFiles.refuse(target) }
        descriptor = try Self.create(path, nil, Owner(original: target), 0o600)
    }

    deinit {
        if !hasFinalName {
            _ = unsafe unlink(path)
            Self.removeLock(of: path)
        }
        _ = close(descriptor)
    }

    /// Gives the file the permissions of the original file, and its owner if that is permitted.
    ///
    /// Nobody else gains access: if the group cannot be copied, the group gets no permissions. If
    /// the original is no regular file, such as a pipe, nothing is changed.
    ///
    /// - Parameter isWritable: `true` to let the owner read and write the new file even if the
    ///   original is read-only.
    public func copyPermissions(
        of original: String, isWritable: Bool = false
    ) throws(LogError) {
        var (old, new) = (stat(), stat())
        guard unsafe stat(original, &old) == 0 else { throw .file(.fromErrno(original)) }
        guard old.st_mode & S_IFMT == S_IFREG else { return }
        guard unsafe fstat(descriptor, &new) == 0 else { throw .file(.fromErrno(path)) }
        if old.st_uid != new.st_uid || old.st_gid != new.st_gid,
            fchown(descriptor, old.st_uid, old.st_gid) != 0
        {
            _ = fchown(descriptor, uid_t.max, old.st_gid)
        }
        guard unsafe fstat(descriptor, &new) == 0 else { throw .file(.fromErrno(path)) }
        let isShared = old.st_gid == new.st_gid
        let mode = old.st_mode & (isShared ? 0o777 : 0o707) | (isWritable ? 0o600 : 0)
        guard fchmod(descriptor, mode) == 0 else {
            throw .file(.fromErrno(path))
        }
    }

    /// Waits until the content of the file is on disk.
    public func sync() throws(LogError) {
        guard fsync(descriptor) == 0 else { throw .file(.fromErrno(target)) }
    }

    /// Returns the size of the file in bytes.
    public func size() throws(LogError) -> Int64 {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .file(.fromErrno(target)) }
        return Int64(status.st_size)
    }

    /// Waits until the file is on disk, and then gives it its final name.
    ///
    /// - Throws: `.exists` if a file with the final name was created meanwhile.
    public consuming func publish() throws(LogError) {
        try sync()
        Self.removeLock(of: path)
        try Self.rename(path, to: target)
        hasFinalName = true
        try Self.syncFolder(of: target)
    }

    /// Waits until the file is on disk, and then replaces the target with it in one step.
    public consuming func replace() throws(LogError) {
        try sync()
        Self.removeLock(of: path)
        guard unsafe DaybookLibC.rename(path, target) == 0 else { throw .file(.fromErrno(target)) }
        hasFinalName = true
        try Self.syncFolder(of: target)
    }

    /// Appends bytes to the file.
    public func write(_ bytes: borrowing RawSpan) throws(LogError) {
        var rest = copy bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { rest in
                unsafe DaybookLibC.write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .file(.fromErrno(target)) }
            rest = rest.extracting(count...)
        }
    }

    /// The log to which a staged file belongs.
    private struct Owner {
        /// The path of a log that is copied or replaced; `nil` if there is none.
        var original: String?
        /// The id of the log; `nil` for that of `original`.
        var logID: [UInt8]?

        /// False for a file with the events of another log.
        func mayRemove(_ path: String) -> Bool {
            guard let found = Self.logID(ofFileAt: path) else { return true }
            return found == logID ?? original.flatMap { Self.logID(ofFileAt: $0) }
        }

        /// Returns the id of a log with events; `nil` for any other file.
        private static func logID(ofFileAt path: String) -> [UInt8]? {
            guard let file = try? PageFile(path: path) else { return nil }
            let rows = SalvageRows(file) { _ in }
            return rows.lastFoundPosition > 0 ? rows.identifier : nil
        }
    }

    /// Creates and locks an empty file, after removing one that a killed process left there.
    private static func create(
        _ path: String, _ source: String?, _ owner: Owner, _ mode: mode_t
    ) throws(LogError) -> CInt {
        for _ in 0..<1_000 {
            let file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
            if file >= 0 {
                // A process that checks for unfinished copies may have locked the file first.
                if flock(file, LOCK_EX | LOCK_NB) == 0, isFileAtPath(file, path) { return file }
                _ = close(file)
            } else {
                guard errno == EEXIST else { throw .file(.fromErrno(path)) }
                try removeRemnant(path, source, owner)
            }
        }
        throw .file(.busy(path: path))
    }

    /// Removes the file that a killed process left at the path, after locking it.
    ///
    /// - Throws: `.exists` if it is another log, which may be needed or has its own note of the file.
    private static func removeRemnant(
        _ path: String, _ source: String?, _ owner: Owner
    ) throws(LogError) {
        let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            if errno == ENOENT { return }
            throw .file(.fromErrno(path))
        }
        defer { _ = close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .file(.notAFile(path: path))
        }
        var read = stat()
        if let source, unsafe stat(source, &read) == 0, isSame(read, status) {
            throw .file(.exists(path: path))
        }
        if LogFiles.isNamedLog(file) {
            throw .file(.belongsToLog(path: path, role: LogFiles.Role.ownLog.rawValue))
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { throw .file(.busy(path: path)) }
        guard isFileAtPath(file, path) else { return }
        guard owner.mayRemove(path) else { throw .file(.exists(path: path)) }
        removeLock(of: path)
        guard unsafe unlink(path) == 0 else { throw .file(.fromErrno(path)) }
    }

    /// True if `path` is the path of the open file.
    private static func isFileAtPath(_ file: CInt, _ path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return unsafe fstat(file, &opened) == 0 && lstat(path, &named) == 0
            && isSame(opened, named)
    }

    /// True if both results of `stat` describe the same file.
    private static func isSame(_ a: stat, _ b: stat) -> Bool {
        a.st_ino == b.st_ino && a.st_dev == b.st_dev
    }

    /// Removes the lock file that LMDB created beside the file when it was opened as a log.
    private static func removeLock(of path: String) {
        _ = unsafe unlink(path + "-lock")
    }

    /// Renames a file; throws `.exists` if the target exists.
    private static func rename(_ path: String, to target: String) throws(LogError) {
        if renameWithoutReplacing(path, target) { return }
        switch errno {
        case EEXIST: throw .file(.exists(path: target))
        case EINVAL, ENOSYS, ENOTSUP: break
        default: throw .file(.fromErrno(target))
        }
        // The file system cannot rename without replacing, but creating a hard link never replaces.
        guard unsafe link(path, target) == 0 else {
            throw .file(errno == EEXIST ? .exists(path: target) : .fromErrno(target))
        }
        guard unsafe unlink(path) == 0 else { throw .file(.fromErrno(path)) }
    }

    /// Waits until the folder that contains a path is on disk, so that a new name survives a crash.
    private static func syncFolder(of path: String) throws(LogError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let file = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw .file(.fromErrno(folder)) }
        defer { _ = close(file) }
        guard fsync(file) == 0 else { throw .file(.fromErrno(folder)) }
    }
}
