import DaybookLMDB
import DaybookLibC

/// A new file that gets its name only once it is whole and on disk.
///
/// Until then it lies beside its target with `.replay-partial` after the name, and is locked. It is gone
/// with its owner; one that a killed process left is replaced by the next for the same target.
public struct StagedFile: ~Copyable {
    /// The name that the file will have.
    public let target: String
    /// The name that it has meanwhile.
    public let path: String
    /// Open for reading and writing.
    public let descriptor: CInt
    private var isPublished = false

    /// Makes the empty file, which only its owner may read until it has other permissions.
    ///
    /// - Parameters:
    ///   - source: a file that is read meanwhile, and so is no remnant whatever its name.
    ///   - isPrivate: `false` for a file with the permissions that the process's mask leaves.
    /// - Throws: `.exists` where the target is there, even as a link that leads nowhere; `.busy`
    ///   where another process has the same target in work.
    public init(
        for target: String, from source: String? = nil, isPrivate: Bool = true
    ) throws(FileError) {
        self.target = target
        path = target + ".replay-partial"
        var status = stat()
        if unsafe lstat(target, &status) == 0 { throw .exists(path: target) }
        descriptor = try Self.create(path, source, isPrivate ? 0o600 : 0o666)
    }

    /// Makes the empty file that is to take the place of `target`.
    public init(replacing target: String) throws(FileError) {
        self.target = target
        path = target + ".replay-partial"
        descriptor = try Self.create(path, nil, 0o600)
    }

    deinit {
        if !isPublished {
            _ = unsafe unlink(path)
            Self.removeLock(of: path)
        }
        _ = close(descriptor)
    }

    /// Takes the permissions of the file that it is a copy of, and its owner where that is permitted.
    ///
    /// Nobody else gets to read it: where the group cannot be the same, it has no permissions. The
    /// copy of a pipe stays its owner's.
    ///
    /// - Parameter isWritable: lets the owner write it also where the original was made read-only.
    public func takePermissions(
        of original: String, isWritable: Bool = false
    ) throws(FileError) {
        var (old, new) = (stat(), stat())
        guard unsafe stat(original, &old) == 0 else { throw .last(original) }
        guard old.st_mode & S_IFMT == S_IFREG else { return }
        guard unsafe fstat(descriptor, &new) == 0 else { throw .last(path) }
        if old.st_uid != new.st_uid || old.st_gid != new.st_gid,
            fchown(descriptor, old.st_uid, old.st_gid) != 0
        {
            _ = fchown(descriptor, uid_t.max, old.st_gid)
        }
        guard unsafe fstat(descriptor, &new) == 0 else { throw .last(path) }
        let isShared = old.st_gid == new.st_gid
        let mode = old.st_mode & (isShared ? 0o777 : 0o707) | (isWritable ? 0o600 : 0)
        guard fchmod(descriptor, mode) == 0 else {
            throw .last(path)
        }
    }

    /// Waits until the content is on disk.
    public func sync() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .last(target) }
    }

    /// Bytes written so far.
    public func size() throws(FileError) -> Int64 {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last(target) }
        return Int64(status.st_size)
    }

    /// Syncs the file and gives it its name, unless another file has that by now.
    public consuming func publish() throws(FileError) {
        try sync()
        Self.removeLock(of: path)
        try Self.rename(path, to: target)
        isPublished = true
        try Self.syncFolder(of: target)
    }

    /// Syncs the file and puts it in the place of the one that has its name, in one step.
    public consuming func replace() throws(FileError) {
        try sync()
        Self.removeLock(of: path)
        guard unsafe DaybookLibC.rename(path, target) == 0 else { throw .last(target) }
        isPublished = true
        try Self.syncFolder(of: target)
    }

    /// Appends bytes to the file.
    public func write(_ bytes: borrowing RawSpan) throws(FileError) {
        var rest = copy bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { rest in
                unsafe DaybookLibC.write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last(target) }
            rest = rest.extracting(count...)
        }
    }

    private static func create(
        _ path: String, _ source: String?, _ mode: mode_t
    ) throws(FileError) -> CInt {
        for _ in 0..<1_000 {
            let file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
            if file >= 0 {
                // Whoever looks whether the file is a remnant may have locked it first.
                if flock(file, LOCK_EX | LOCK_NB) == 0, isNamed(file, path) { return file }
                _ = close(file)
            } else {
                guard errno == EEXIST else { throw .last(path) }
                try removeRemnant(path, source)
            }
        }
        throw .busy(path: path)
    }

    /// Removes what a killed process left. Only who holds the lock of a file may remove its name.
    private static func removeRemnant(_ path: String, _ source: String?) throws(FileError) {
        let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            if errno == ENOENT { return }
            throw .last(path)
        }
        defer { _ = close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .notAFile(path: path)
        }
        var read = stat()
        if let source, unsafe stat(source, &read) == 0, isSame(read, status) {
            throw .exists(path: path)
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { throw .busy(path: path) }
        guard isNamed(file, path) else { return }
        removeLock(of: path)
        guard unsafe unlink(path) == 0 else { throw .last(path) }
    }

    /// `true` where the name leads to the open file.
    private static func isNamed(_ file: CInt, _ path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return unsafe fstat(file, &opened) == 0 && lstat(path, &named) == 0
            && isSame(opened, named)
    }

    private static func isSame(_ a: stat, _ b: stat) -> Bool {
        a.st_ino == b.st_ino && a.st_dev == b.st_dev
    }

    /// Removes the lock file that reading the file as a log leaves.
    private static func removeLock(of path: String) {
        _ = unsafe unlink(path + "-lock")
    }

    private static func rename(_ path: String, to target: String) throws(FileError) {
        if renameWithoutReplacing(path, target) { return }
        switch errno {
        case EEXIST: throw .exists(path: target)
        case EINVAL, ENOSYS, ENOTSUP: break
        default: throw .last(target)
        }
        // A file system that cannot rename without replacing. A second name can replace nothing.
        guard unsafe link(path, target) == 0 else {
            throw errno == EEXIST ? .exists(path: target) : .last(target)
        }
        guard unsafe unlink(path) == 0 else { throw .last(path) }
    }

    private static func syncFolder(of path: String) throws(FileError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let file = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw .last(folder) }
        defer { _ = close(file) }
        guard fsync(file) == 0 else { throw .last(folder) }
    }
}
